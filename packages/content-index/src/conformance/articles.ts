import type { Article } from "@feed/domain/article";
import { asId } from "@feed/domain/ids";
import type { ContentId } from "@feed/domain/ids";
import type { Candidates } from "@feed/domain/ranking/candidates";
import type { ContentChange, IndexedArticle, RecallFilter } from "../port.ts";

/** What an index under test is opened with. */
export const CONFORMANCE_MODEL = "conformance-1-8";
export const CONFORMANCE_DIMENSIONS = 8;

/** The clock of the suite: every article is older unless it says otherwise. */
export const NOW_MS = Date.UTC(2026, 0, 31);
export const HOUR_MS = 3_600_000;

/** A unit vector at `degrees` from the first axis, in the plane of the first two. */
export function vectorAt(degrees: number): Float32Array {
  const vector = new Float32Array(CONFORMANCE_DIMENSIONS);
  vector[0] = Math.cos((degrees * Math.PI) / 180);
  vector[1] = Math.sin((degrees * Math.PI) / 180);
  return vector;
}

type ArticleFields = Partial<Omit<Article, "contentId" | "embedding">> & {
  readonly vector?: Float32Array;
};

/** An article that is complete, an hour old, and otherwise as `fields` say. */
export function articleOf(contentId: string, fields: ArticleFields = {}): Article {
  const { vector = vectorAt(0), ...rest } = fields;
  return {
    contentId: asId(contentId),
    sourceId: asId("source-a"),
    revision: 1,
    url: `https://publisher.example/${contentId}`,
    canonicalUrl: `https://publisher.example/${contentId}`,
    title: `Title of ${contentId}`,
    summary: `Summary of ${contentId}.`,
    excerpt: `The body of ${contentId} begins.`,
    bodyHtml: `<p>The body of ${contentId} begins.</p>`,
    bodyMarkdown: `The body of ${contentId} begins.\n`,
    language: "ja",
    category: "society",
    areas: [],
    publishedAtMs: NOW_MS - HOUR_MS,
    fetchedAtMs: NOW_MS,
    quality: 0.5,
    duplicateGroup: contentId,
    embedding: { model: CONFORMANCE_MODEL, vector },
    analysedBy: {},
    ...rest,
  };
}

export function put(article: Article, offset = 0): ContentChange {
  return { kind: "put", article, offset };
}

export function withdraw(contentId: string, offset: number): ContentChange {
  return { kind: "withdraw", contentId: asId(contentId), offset };
}

/** A filter that lets every article up to now pass. */
export function filterOf(fields: Partial<RecallFilter> = {}): RecallFilter {
  return {
    sourcesIncluded: null,
    sourcesExcluded: new Set(),
    categoriesIncluded: null,
    categoriesExcluded: new Set(),
    contentsExcluded: new Set(),
    language: null,
    publishedAfterMs: null,
    publishedBeforeMs: NOW_MS,
    ...fields,
  };
}

export function idsOf({ articles }: Candidates<IndexedArticle>): string[] {
  return articles.map(({ contentId }) => contentId);
}

export function contentIds(...ids: string[]): ContentId[] {
  return ids.map((id) => asId<ContentId>(id));
}

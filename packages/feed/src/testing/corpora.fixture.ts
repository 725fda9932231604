import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import {
  categorise,
  detectLanguage,
  DuplicateFinder,
  duplicateSignature,
  qualityOf,
} from "@feed/article-analysis";
import type { Article } from "@feed/domain/article";
import { asId, type ContentId } from "@feed/domain/ids";
import type { Embedder } from "@feed/embedder";
import { textOfArticle } from "@feed/embedder/text";
import { buildArticle, sharedFolder } from "@feed/test-kit";

/** The folder of the corpora; undefined where they are not present. Nothing of them is in the repository. */
export function corporaFolder(): string | undefined {
  const shared = sharedFolder();
  const folder = shared === undefined ? undefined : join(shared, "corpora");
  return folder !== undefined && existsSync(folder) ? folder : undefined;
}

/** An article as its corpus has it. */
export interface CorpusArticle {
  readonly id: string;
  /** The publisher, or the section of the one English publisher. */
  readonly source: string;
  readonly title: string;
  readonly text: string;
  readonly author?: string;
  readonly publishedAtMs: number;
}

const TAR_BLOCK_BYTES = 512;

/** 7,367 Japanese articles of nine publishers: line 1 address, 2 date, 3 title, then the text. */
export function readLivedoor(folder: string): CorpusArticle[] {
  const archive = gunzipSync(readFileSync(join(folder, "livedoor-news.tar.gz")));
  const articles: CorpusArticle[] = [];
  for (let at = 0; at + TAR_BLOCK_BYTES <= archive.length;) {
    const field = (begin: number, length: number): string =>
      archive.toString("utf8", at + begin, at + begin + length).replace(/\0.*$/s, "");
    const [file = "", source = ""] = field(0, 100).split("/").reverse();
    const bytes = Number.parseInt(field(124, 12), 8) || 0;
    const content = archive.toString("utf8", at + TAR_BLOCK_BYTES, at + TAR_BLOCK_BYTES + bytes);
    at += TAR_BLOCK_BYTES * (1 + Math.ceil(bytes / TAR_BLOCK_BYTES));
    if (!file.startsWith(source) || !/-\d+\.txt$/.test(file)) continue;
    const [, date = "", title = "", ...body] = content.split("\n");
    const publishedAtMs = Date.parse(date.replace(/([+-]\d\d)(\d\d)$/, "$1:$2"));
    const text = body.join("\n").trim();
    articles.push({
      id: file.replace(".txt", ""),
      source,
      title: title.trim(),
      text,
      publishedAtMs,
    });
  }
  return articles;
}

/** 9,999 English headlines with a sentence each, one source a section. */
export function readHuffpost(folder: string): CorpusArticle[] {
  const lines = gunzipSync(readFileSync(join(folder, "huffpost-headlines.jsonl.gz")))
    .toString("utf8")
    .trim()
    .split("\n");
  return lines.map((line, at) => {
    const row = JSON.parse(line) as Record<string, string>;
    return {
      id: `huffpost-${at}`,
      source: `huffpost-${(row["category"] ?? "").toLowerCase().replaceAll(/[^a-z]+/g, "-")}`,
      title: row["headline"] ?? "",
      text: row["short_description"] ?? "",
      ...(row["authors"] ? { author: row["authors"] } : {}),
      publishedAtMs: Date.parse(row["date"] ?? ""),
    };
  });
}

/** Dates moved by a constant, so that the newest article is from `endMs`. */
export function shiftedTo(articles: readonly CorpusArticle[], endMs: number): CorpusArticle[] {
  const newestMs = articles.reduce((most, { publishedAtMs }) => Math.max(most, publishedAtMs), 0);
  return articles.map((article) => ({
    ...article,
    publishedAtMs: article.publishedAtMs + endMs - newestMs,
  }));
}

const EMBEDDED_AT_ONCE = 200;

/** Analysed and embedded as the crawler does it, oldest first; places apart, which no test here looks at. */
export async function analysed(
  articles: readonly CorpusArticle[],
  embedder: Embedder,
): Promise<Article[]> {
  const finder = new DuplicateFinder();
  const inOrder = articles.toSorted((left, right) => left.publishedAtMs - right.publishedAtMs);
  const result: Article[] = [];
  for (let from = 0; from < inOrder.length; from += EMBEDDED_AT_ONCE) {
    const some = inOrder.slice(from, from + EMBEDDED_AT_ONCE);
    const texts = some.map(({ title, text }) =>
      textOfArticle({ title, summary: text.slice(0, 100), body: text }),
    );
    const vectors = await embedder.embed(texts.map((text) => ({ text, role: "passage" })));
    some.forEach((article, at) => {
      const embedding = { model: embedder.model, vector: vectors[at] ?? new Float32Array() };
      result.push(articleOf(article, embedding, finder));
    });
  }
  return result;
}

function articleOf(
  { id, source, title, text, author, publishedAtMs }: CorpusArticle,
  embedding: Article["embedding"],
  finder: DuplicateFinder,
): Article {
  const url = `https://${source}.example/${id}`;
  const language = detectLanguage({ title, text });
  const signature = duplicateSignature(title, text);
  return buildArticle({
    contentId: asId<ContentId>(id),
    sourceId: asId(source),
    url,
    canonicalUrl: url,
    title,
    summary: text.slice(0, 100) || title,
    ...(author === undefined ? {} : { author }),
    language,
    category: categorise({ title, text, language, feedCategories: [], url }).category,
    quality: qualityOf({ title, text, pictures: 0, hasAuthor: author !== undefined }),
    duplicateGroup: finder.groupOf({ contentId: id, signature, publishedAtMs }),
    publishedAtMs,
    fetchedAtMs: publishedAtMs,
    embedding,
  });
}

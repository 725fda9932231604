import type { Article } from "@feed/domain/article";
import type { ArticleBody, IndexedArticle } from "../port.ts";

/** One article as a document, by content id. `article` and `body` are stored and not searched. */
export interface ArticleDocument {
  readonly contentId: string;
  readonly withdrawn: false;
  readonly sourceId: string;
  readonly language: string;
  readonly category: string;
  readonly areas: readonly string[];
  readonly publishedAtMs: number;
  /** Searched, and kept out of the source by Elasticsearch: `vectorBytes` is what is read back. */
  readonly vector: readonly number[];
  /** Base64 of the float32 values, little endian: numbers in JSON would be longer, and slower to read. */
  readonly vectorBytes: string;
  readonly article: IndexedArticle;
  readonly body: ArticleBody;
}

/** What stays of a withdrawn article, under its version: older changes are refused, and interests find the vector. */
export interface WithdrawnDocument {
  readonly contentId: string;
  readonly withdrawn: true;
  readonly vectorBytes?: string;
}

/** Beside the articles, under ids that no article has. */
export interface PositionDocument {
  readonly nextOffset: number;
}

/** Another value whenever a recall could answer otherwise. */
export interface GenerationDocument {
  readonly generation: string;
}

export type StoredDocument = ArticleDocument | WithdrawnDocument;

export const GENERATION_ID = "meta:generation";

export function positionId(partition: number): string {
  return `meta:position:${partition}`;
}

export function documentOf(article: Article): ArticleDocument {
  const { bodyHtml, bodyMarkdown, embedding, analysedBy: _, ...indexed } = article;
  return {
    contentId: article.contentId,
    withdrawn: false,
    sourceId: article.sourceId,
    language: article.language,
    category: article.category,
    areas: article.areas.map(({ areaId }) => areaId),
    publishedAtMs: article.publishedAtMs,
    vector: [...embedding.vector],
    vectorBytes: base64Of(embedding.vector),
    article: indexed,
    body: { html: bodyHtml, markdown: bodyMarkdown },
  };
}

const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

function base64Of({ buffer, byteOffset, byteLength }: Float32Array): string {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return (LITTLE_ENDIAN ? bytes : Buffer.from(bytes).swap32()).toString("base64");
}

export function vectorOf(vectorBytes: string): Float32Array {
  // A copy of its own: bytes of a buffer pool need not be aligned.
  const copy = new Uint8Array(Buffer.from(vectorBytes, "base64"));
  if (!LITTLE_ENDIAN) Buffer.from(copy.buffer).swap32();
  return new Float32Array(copy.buffer);
}

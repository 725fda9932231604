import type { AreaId, ContentId, PictureId, SourceId } from "./ids.ts";

/** Fixed taxonomy of article categories, the same in every language (docs/concepts.md lists them). */
export const CATEGORIES = [
  "politics",
  "business",
  "world",
  "society",
  "technology",
  "science",
  "health",
  "sports",
  "entertainment",
  "culture",
  "food",
  "travel",
  "lifestyle",
  "other",
] as const;
export type Category = (typeof CATEGORIES)[number];

/** A stored original picture; `picture-store` addresses are made from it when it is served. */
export interface PictureRef {
  readonly id: PictureId;
  readonly width: number;
  readonly height: number;
}

/** An area the article is about. Containing areas are listed too (a station's city and prefecture). */
export interface ArticleArea {
  readonly areaId: AreaId;
  /** 0 to 1. */
  readonly confidence: number;
}

/** A vector and the model that made it; vectors of different models never meet. */
export interface Embedding {
  /** Name, version and dimension in one, e.g. `hashed-ngrams-1-256`. */
  readonly model: string;
  /** Unit length. */
  readonly vector: Float32Array;
}

/**
 * One article as appended to `contents`: the whole of it, each time it changes.
 *
 * `bodyHtml` obeys spec 2.3, with pictures addressed as `https://picture.invalid/<PictureId>`: they are
 * signed when the body is served. `bodyMarkdown` is the same document, same addresses.
 */
export interface Article {
  readonly contentId: ContentId;
  readonly sourceId: SourceId;
  /** 1 for the first publication, one more for each change. */
  readonly revision: number;
  /** Where a reader is sent (before attribution parameters are added). */
  readonly url: string;
  readonly canonicalUrl: string;
  readonly title: string;
  readonly author?: string;
  /** At most 200 characters, never empty. */
  readonly summary: string;
  /** At most 400 characters of the start of the body, never empty. */
  readonly excerpt: string;
  readonly bodyHtml: string;
  readonly bodyMarkdown: string;
  /** BCP 47 primary language, lower case. */
  readonly language: string;
  readonly category: Category;
  readonly areas: readonly ArticleArea[];
  /** Absent: a placeholder is generated when it is served. */
  readonly thumbnail?: PictureRef;
  readonly publishedAtMs: number;
  readonly fetchedAtMs: number;
  /** 0 to 1: how much of an article this is (length, structure, picture). */
  readonly quality: number;
  /** Articles that tell the same story share it; the content id of the first one seen. */
  readonly duplicateGroup: string;
  readonly embedding: Embedding;
  /** What made the derived fields, e.g. `{ language: "script-eld-1" }`. */
  readonly analysedBy: Readonly<Record<string, string>>;
}

/** Address scheme of pictures inside stored bodies; never leaves the service. */
export const STORED_PICTURE_PREFIX = "https://picture.invalid/";

import type { Article, Category, PictureRef } from "@feed/domain/article";
import type { ContentId, SourceId } from "@feed/domain/ids";

/** An article as its publisher gave it, found but not yet cleaned. */
export interface ArticleDraft {
  readonly contentId: ContentId;
  readonly sourceId: SourceId;
  readonly url: string;
  readonly canonicalUrl: string;
  readonly title: string;
  readonly author?: string;
  /** Not sanitised. Relative addresses in it count from `baseUrl`. */
  readonly html: string;
  readonly baseUrl: string;
  /** Pictures it is shared with, best first; the first usable one is its thumbnail. */
  readonly leadPictureUrls: readonly string[];
  /** Labels the publisher gave it. */
  readonly labels: readonly string[];
  readonly languageHint?: string;
  /** Absent: when it was first seen. */
  readonly publishedAtMs?: number;
  /** Given by someone who knows; not worked out then. */
  readonly language?: string;
  readonly category?: Category;
}

/** Everything of an article but its vector. */
export type ReadyArticle = Omit<Article, "embedding">;

export interface PreparedArticle {
  readonly article: ReadyArticle;
  /** Plain text of the body, for embedding. */
  readonly text: string;
  readonly fingerprint: string;
}

/** Stores the pictures behind addresses; those that are none, or not to be had, are absent. */
export type StorePictures = (
  urls: readonly string[],
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, PictureRef>>;

import type { Article, Category } from "@feed/domain/article";
import type { AreaId, ContentId, SourceId } from "@feed/domain/ids";
import type { Candidates } from "@feed/domain/ranking/candidates";

/** What a feed needs of an article: everything but the body and what only analysis needs. */
export type IndexedArticle = Omit<
  Article,
  "bodyHtml" | "bodyMarkdown" | "embedding" | "analysedBy"
>;

export interface ArticleBody {
  readonly html: string;
  readonly markdown: string;
}

/** A change to one article; `offset` is that of the fact in its `contents` partition, its external version. */
export type ContentChange =
  | { readonly kind: "put"; readonly article: Article; readonly offset: number }
  | { readonly kind: "withdraw"; readonly contentId: ContentId; readonly offset: number };

/** Hard filters: an article that fails one is never recalled, by any leg. */
export interface RecallFilter {
  /** Null: every source. */
  readonly sourcesIncluded: ReadonlySet<SourceId> | null;
  readonly sourcesExcluded: ReadonlySet<SourceId>;
  readonly categoriesIncluded: ReadonlySet<Category> | null;
  readonly categoriesExcluded: ReadonlySet<Category>;
  readonly contentsExcluded: ReadonlySet<ContentId>;
  /** Null: every language. */
  readonly language: string | null;
  /** Published later than this; null: however old. */
  readonly publishedAfterMs: number | null;
  /** Published at this time or before: articles dated in the future are not shown before their time. */
  readonly publishedBeforeMs: number;
}

/** One way to find candidates; each gives at most `limit` (1 to 500), best first. */
export type RecallLeg =
  /** By cosine to a vector of the index's model. */
  | { readonly kind: "nearest"; readonly vector: Float32Array; readonly limit: number }
  /** Newest first; with a language, that language's newest. */
  | { readonly kind: "fresh"; readonly language: string | null; readonly limit: number }
  /** Newest of any of these areas. */
  | { readonly kind: "areas"; readonly areaIds: readonly AreaId[]; readonly limit: number }
  /** Newest of these sources. */
  | { readonly kind: "sources"; readonly sourceIds: readonly SourceId[]; readonly limit: number }
  /** These articles, as far as they pass the filter: popular ones, pins. */
  | { readonly kind: "among"; readonly contentIds: readonly ContentId[]; readonly limit: number }
  /** A sample of articles newer than `publishedAfterMs`, the same for the same seed. */
  | {
      readonly kind: "sample";
      readonly seed: number;
      readonly publishedAfterMs: number;
      readonly limit: number;
    };

/** Legs of one recall. */
export const RECALL_LEGS_MAX = 32;
/** Candidates of one leg. */
export const LEG_CANDIDATES_MAX = 500;
/** Ids in one call of `articles`. */
export const ARTICLE_IDS_MAX = 1_000;

export interface ContentIndexStats {
  readonly articles: number;
  readonly model: string;
  readonly dimensions: number;
}

/**
 * Articles for retrieval (architecture section 1): filters, vectors, areas, newest first.
 *
 * Keys     content id; articles are not a tenant's, what a tenant may see comes as a filter.
 * Vectors  all of one model; an article embedded by another model is refused (ContentRejected).
 * Repeats  a change whose offset is not above the article's stored one is ignored.
 * Ties     equal distances and equal times are broken by content id, so that answers are repeatable; an index that
 *          looks at a part of the articles breaks ties of distance among those.
 * Errors   ContentIndexUnavailable (retry later) or ContentRejected (a bug; nothing of the call is applied).
 * Closed   after disposal every method rejects with ContentIndexUnavailable; disposing twice is harmless.
 */
export interface ContentIndex extends AsyncDisposable {
  /** Applies changes in order, then stores the positions (partition of `contents` to next offset). */
  apply(changes: readonly ContentChange[], positions: ReadonlyMap<number, number>): Promise<void>;
  /** Partition to next offset; a fresh index: empty. What they have passed is what every other method shows. */
  positions(): Promise<ReadonlyMap<number, number>>;
  /**
   * Union of what the legs (at most 32) find, in order of first leg and rank; one round trip. The numbers in its
   * columns agree between all recalls of one index.
   */
  recall(filter: RecallFilter, legs: readonly RecallLeg[]): Promise<Candidates<IndexedArticle>>;
  /** Articles by id, in the order asked; withdrawn and unknown ones are left out. At most 1,000 ids. */
  articles(contentIds: readonly ContentId[]): Promise<readonly IndexedArticle[]>;
  /** Unit vectors by id, also of articles since withdrawn (interests outlive articles) where still held. */
  vectors(contentIds: readonly ContentId[]): Promise<ReadonlyMap<ContentId, Float32Array>>;
  body(contentId: ContentId): Promise<ArticleBody | undefined>;
  stats(): Promise<ContentIndexStats>;
  /** Changes whenever recall could answer otherwise than before; for caches. */
  generation(): number;
}

export class ContentIndexUnavailable extends Error {
  override readonly name = "ContentIndexUnavailable";
}
export class ContentRejected extends Error {
  override readonly name = "ContentRejected";
}

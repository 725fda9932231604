import type { ArticleArea, Category } from "../article.ts";
import type { ContentId, SourceId } from "../ids.ts";

/** What ranking reads of an article. */
export interface IndexedArticleForRanking {
  readonly contentId: ContentId;
  readonly sourceId: SourceId;
  readonly category: Category;
  readonly language: string;
  readonly publishedAtMs: number;
  readonly quality: number;
  readonly areas: readonly ArticleArea[];
  readonly duplicateGroup: string;
}

export interface RankingCandidate {
  readonly article: IndexedArticleForRanking;
  /** Unit vector. */
  readonly vector: Float32Array;
}

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

/**
 * Articles that compete for places, numbered from 0, in columns: a feed looks at a thousand of them several times,
 * and numbers side by side take a tenth of the time of objects strewn over memory.
 *
 * `ids`, `sources`, `categories`, `languages` and `stories` (near-duplicate groups) are numbers that stand for what
 * an article has one of: equal numbers mean equal values. They are small: below a few times the number of articles
 * there are.
 */
export interface Candidates<Article extends IndexedArticleForRanking = IndexedArticleForRanking> {
  readonly count: number;
  readonly articles: readonly Article[];
  /** The same object for all sets whose numbers agree. */
  readonly numbering: object;
  readonly ids: Int32Array;
  readonly sources: Int32Array;
  readonly categories: Int32Array;
  readonly languages: Int32Array;
  readonly stories: Int32Array;
  readonly publishedAtMs: Float64Array;
  /** 0 to 1. */
  readonly quality: Float64Array;
  /** Bit i: the i-th way to find candidates found it. */
  readonly legs: Int32Array;
  /** A unit vector, not to be written to. */
  vector(at: number): Float32Array;
  /** Inner products of `query` with the vectors of all candidates, or of those numbered. */
  products(query: Float32Array, numbers?: Int32Array): Float32Array;
}

/** The columns that are numbers, which are copied alike. */
export type NumberColumns = Omit<
  Candidates,
  "articles" | "count" | "numbering" | "vector" | "products"
>;

export function emptyColumns(count: number): NumberColumns {
  return {
    ids: new Int32Array(count),
    sources: new Int32Array(count),
    categories: new Int32Array(count),
    languages: new Int32Array(count),
    stories: new Int32Array(count),
    publishedAtMs: new Float64Array(count),
    quality: new Float64Array(count),
    legs: new Int32Array(count),
  };
}

/** Copies one candidate's numbers. */
export function copyRow(from: NumberColumns, at: number, columns: NumberColumns, to: number): void {
  columns.ids[to] = from.ids[at] as number;
  columns.sources[to] = from.sources[at] as number;
  columns.categories[to] = from.categories[at] as number;
  columns.languages[to] = from.languages[at] as number;
  columns.stories[to] = from.stories[at] as number;
  columns.publishedAtMs[to] = from.publishedAtMs[at] as number;
  columns.quality[to] = from.quality[at] as number;
  columns.legs[to] = from.legs[at] as number;
}

/** Whether the leg of that number found the candidate. */
export function foundBy(candidates: Pick<Candidates, "legs">, at: number, leg: number): boolean {
  return ((candidates.legs[at] as number) & (1 << leg)) !== 0;
}

/** One decision for each candidate (1: yes), asked once for each number of a column. */
export function decideByNumber(
  numbers: Int32Array,
  decide: (candidate: number) => boolean,
): Uint8Array {
  const decided: (0 | 1 | undefined)[] = [];
  const decisions = new Uint8Array(numbers.length);
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at] as number;
    decisions[at] = decided[number] ??= decide(at) ? 1 : 0;
  }
  return decisions;
}

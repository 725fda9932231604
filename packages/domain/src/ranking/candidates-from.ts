import {
  copyRow,
  emptyColumns,
  type Candidates,
  type IndexedArticleForRanking,
} from "./candidates.ts";
import { dot } from "./vector.ts";

export interface Candidate<Article extends IndexedArticleForRanking = IndexedArticleForRanking> {
  readonly article: Article;
  /** Unit vector. */
  readonly vector: Float32Array;
  /** Numbers of the ways that found it, below 32. */
  readonly legs: readonly number[];
}

/** Numbers strings 0, 1, 2, ... in order of appearance. */
export class Numbers {
  readonly #known = new Map<string, number>();

  of(value: string): number {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const next = this.#known.size;
    this.#known.set(value, next);
    return next;
  }
}

/** The numbers by which the candidates of one index agree. */
export class CandidateNumbers {
  readonly ids = new Numbers();
  readonly sources = new Numbers();
  readonly categories = new Numbers();
  readonly languages = new Numbers();
  readonly stories = new Numbers();
}

/** Candidates of objects, where there are no columns to take them from. */
export function candidatesFrom<Article extends IndexedArticleForRanking>(
  list: readonly Candidate<Article>[],
  numbers: CandidateNumbers = new CandidateNumbers(),
): Candidates<Article> {
  const columns = emptyColumns(list.length);
  list.forEach(({ article, legs }, at) => {
    columns.ids[at] = numbers.ids.of(article.contentId);
    columns.sources[at] = numbers.sources.of(article.sourceId);
    columns.categories[at] = numbers.categories.of(article.category);
    columns.languages[at] = numbers.languages.of(article.language);
    columns.stories[at] = numbers.stories.of(article.duplicateGroup);
    columns.publishedAtMs[at] = article.publishedAtMs;
    columns.quality[at] = article.quality;
    columns.legs[at] = legs.reduce((bits, leg) => bits | (1 << leg), 0);
  });
  return {
    count: list.length,
    articles: list.map(({ article }) => article),
    numbering: numbers,
    ...columns,
    vector: (at) => (list[at] as Candidate<Article>).vector,
    products: (query, numbers = Int32Array.from(list.keys())) => {
      const products = new Float32Array(numbers.length);
      numbers.forEach((at, to) => (products[to] = dot(query, (list[at] as Candidate).vector)));
      return products;
    },
  };
}

const NOTHING = new CandidateNumbers();

/** Some candidates of one set, by number; `legs` instead of those that found them. */
export interface Selection<Article extends IndexedArticleForRanking> {
  readonly of: Candidates<Article>;
  readonly numbers: Int32Array;
  readonly legs?: number;
}

/** One set of what is selected of several of one index, in order. */
export function gather<Article extends IndexedArticleForRanking>(
  ...parts: readonly Selection<Article>[]
): Candidates<Article> {
  const count = parts.reduce((sum, { numbers }) => sum + numbers.length, 0);
  const columns = emptyColumns(count);
  const articles: Article[] = [];
  const partOf = new Uint8Array(count);
  const numberThere = new Int32Array(count);
  let to = 0;
  parts.forEach(({ of, numbers, legs }, part) => {
    for (let at = 0; at < numbers.length; at += 1, to += 1) {
      const from = numbers[at] as number;
      copyRow(of, from, columns, to);
      if (legs !== undefined) columns.legs[to] = legs;
      articles.push(of.articles[from] as Article);
      partOf[to] = part;
      numberThere[to] = from;
    }
  });
  return {
    count,
    articles,
    numbering: parts[0]?.of.numbering ?? NOTHING,
    ...columns,
    vector: (at) => {
      const { of } = parts[partOf[at] as number] as Selection<Article>;
      return of.vector(numberThere[at] as number);
    },
    products: (query, numbers) => {
      const products = productsOf(parts, query, count);
      return numbers === undefined ? products : picked(products, numbers);
    },
  };
}

function productsOf(
  parts: readonly Selection<IndexedArticleForRanking>[],
  query: Float32Array,
  count: number,
): Float32Array {
  const products = new Float32Array(count);
  let to = 0;
  for (const { of, numbers } of parts) {
    products.set(of.products(query, numbers), to);
    to += numbers.length;
  }
  return products;
}

function picked(products: Float32Array, numbers: Int32Array): Float32Array {
  const some = new Float32Array(numbers.length);
  for (let at = 0; at < some.length; at += 1) some[at] = products[numbers[at] as number] as number;
  return some;
}

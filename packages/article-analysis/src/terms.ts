import type { Category } from "@feed/domain/article";
import { LEISURE_TERMS_EN } from "./terms-en-leisure.ts";
import { PUBLIC_TERMS_EN } from "./terms-en-public.ts";
import { LEISURE_TERMS_JA } from "./terms-ja-leisure.ts";
import { PUBLIC_TERMS_JA } from "./terms-ja-public.ts";

/**
 * Terms that speak for a category. `strong` ones are rare elsewhere, `usual` ones are merely more
 * frequent in it.
 *
 * Japanese terms are parted by white space, English ones by `|`, because English terms may be of
 * several words.
 */
export type CategoryTerms = Partial<
  Record<Category, { readonly strong: string; readonly usual: string }>
>;

/** A term of one category and what one mention of it is worth. */
export interface WeightedTerm {
  readonly term: string;
  readonly category: Category;
  readonly weight: number;
}

const STRONG_WEIGHT = 3;
const USUAL_WEIGHT = 1;

export const TERMS_JA: readonly WeightedTerm[] = [
  ...weightedTerms(PUBLIC_TERMS_JA, /\s+/),
  ...weightedTerms(LEISURE_TERMS_JA, /\s+/),
];
export const TERMS_EN: readonly WeightedTerm[] = [
  ...weightedTerms(PUBLIC_TERMS_EN, "|"),
  ...weightedTerms(LEISURE_TERMS_EN, "|"),
];

function weightedTerms(terms: CategoryTerms, separator: string | RegExp): readonly WeightedTerm[] {
  return Object.entries(terms).flatMap(([category, { strong, usual }]) => [
    ...split(strong, separator).map((term) => ({
      term,
      category: category as Category,
      weight: STRONG_WEIGHT,
    })),
    ...split(usual, separator).map((term) => ({
      term,
      category: category as Category,
      weight: USUAL_WEIGHT,
    })),
  ]);
}

function split(text: string, separator: string | RegExp): readonly string[] {
  const terms = text.split(separator).map((term) => term.trim().toLowerCase());
  return [...new Set(terms)].filter((term) => term !== "");
}

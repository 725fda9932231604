import type { Category } from "@feed/domain/article";
import { CATEGORIES } from "@feed/domain/article";
import { categoriesOfUrl, categoryOfLabel } from "./category-labels.ts";
import { findTerms, foldText, indexTerms } from "./find-terms.ts";
import { TERMS_EN, TERMS_JA } from "./terms.ts";

/** Named in `analysedBy.category`; a change of terms or weights is a new version. */
export const CATEGORY_VERSION = "terms-1";

export interface CategoriseInput {
  readonly title: string;
  readonly text: string;
  /** BCP 47 primary language; Japanese terms are used for `ja`, English ones for the rest. */
  readonly language: string;
  /** The publisher's own labels, from its feed. */
  readonly feedCategories: readonly string[];
  readonly url: string;
}

export interface Categorised {
  readonly category: Category;
  /** 0 to 1: the share of all evidence that speaks for it, damped where there is little. */
  readonly confidence: number;
}

const indexes = { ja: indexTerms(TERMS_JA), en: indexTerms(TERMS_EN) };

/** What an article is about is said early. */
const TEXT_CHARS_READ_MAX = 3_000;
const TITLE_FACTOR = 2.5;
/** A label is a person's judgement, worth as much as several strong terms. */
const LABEL_SCORE = 12;
const URL_SECTION_SCORE = 8;
/** Less evidence than a single strong term says nothing. */
const SCORE_MIN = 2;
/** Evidence at which the confidence is half of the share. */
const DAMPING_SCORE = 6;

/**
 * Sorts an article into the fixed taxonomy by weighted terms, the publisher's labels and its
 * address. Pure.
 */
export function categorise(input: CategoriseInput): Categorised {
  const scores = new Map<Category, number>(CATEGORIES.map((category) => [category, 0]));
  const add = (category: Category, score: number): void => {
    scores.set(category, (scores.get(category) ?? 0) + score);
  };
  const index = input.language === "ja" ? indexes.ja : indexes.en;
  for (const { term } of findTerms(foldText(input.title), index)) {
    add(term.category, term.weight * TITLE_FACTOR);
  }
  for (const { term, count } of findTerms(
    foldText(input.text.slice(0, TEXT_CHARS_READ_MAX)),
    index,
  )) {
    add(term.category, term.weight * (1 + Math.log2(count)));
  }
  for (const category of new Set(
    input.feedCategories.flatMap((label) => categoryOfLabel(label) ?? []),
  )) {
    add(category, LABEL_SCORE);
  }
  for (const category of new Set(categoriesOfUrl(input.url))) add(category, URL_SECTION_SCORE);
  return decide(scores);
}

function decide(scores: ReadonlyMap<Category, number>): Categorised {
  const [best, score] = [...scores].reduce((a, b) => (b[1] > a[1] ? b : a));
  if (score < SCORE_MIN) return { category: "other", confidence: 0 };
  const total = [...scores.values()].reduce((sum, value) => sum + value, 0);
  return { category: best, confidence: (score / total) * (score / (score + DAMPING_SCORE)) };
}

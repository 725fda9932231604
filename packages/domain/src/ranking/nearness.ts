import type { Candidates } from "./candidates.ts";
import type { UserInterests } from "./interests.ts";

/** How much of its similarity a weak interest loses against the strongest one. */
const WEAK_INTEREST_DISCOUNT = 0.3;
/** Of the candidates' similarities: where relevance begins, and where it is full. */
const BACKGROUND_QUANTILE = 0.25;
const TOP_QUANTILE = 0.997;
/** How strongly nearness to a disliked article counts against relevance. */
const DISLIKE_PENALTY = 0.8;

/** How near candidates are to what their reader likes, by candidate. */
export interface Nearness {
  /** The nearest interest's number; -1 without any. */
  readonly interests: Int8Array;
  /** 0 to 1. */
  readonly relevance: Float64Array;
}

/**
 * The nearest interest of each candidate, where a weak interest counts somewhat less than the strongest, and the
 * candidate's relevance: that similarity, less what it has of disliked articles.
 */
export function nearnessOf(candidates: Candidates, { liked, disliked }: UserInterests): Nearness {
  const { count } = candidates;
  const interests = new Int8Array(count).fill(-1);
  const relevance = new Float64Array(count);
  if (liked.length === 0) return { interests, relevance };
  liked.forEach(({ vector, strength }, interest) => {
    const discount = 1 - WEAK_INTEREST_DISCOUNT * (1 - strength);
    const products = candidates.products(vector);
    for (let at = 0; at < count; at += 1) {
      const similarity = (products[at] as number) * discount;
      if (interest > 0 && similarity <= (relevance[at] as number)) continue;
      interests[at] = interest;
      relevance[at] = similarity;
    }
  });
  const scale = scaleOf(relevance);
  for (let at = 0; at < count; at += 1) relevance[at] = scale(relevance[at] as number);
  if (disliked.length > 0)
    subtractDislike(relevance, greatestProducts(candidates, disliked), scale);
  return { interests, relevance };
}

function greatestProducts(candidates: Candidates, queries: readonly Float32Array[]): Float64Array {
  const greatest = new Float64Array(candidates.count);
  for (const query of queries) {
    const products = candidates.products(query);
    for (let at = 0; at < greatest.length; at += 1) {
      greatest[at] = Math.max(greatest[at] as number, products[at] as number);
    }
  }
  return greatest;
}

function subtractDislike(
  relevance: Float64Array,
  dislike: Float64Array,
  scale: (similarity: number) => number,
): void {
  for (let at = 0; at < relevance.length; at += 1) {
    const disliked = dislike[at] as number;
    if (disliked <= 0) continue;
    relevance[at] = Math.max(0, (relevance[at] as number) - DISLIKE_PENALTY * scale(disliked));
  }
}

/**
 * Similarities to [0, 1] whatever the model: the lower quartile of the candidates is background and counts 0, the
 * best few count 1, so that the first page still tells them apart. Cosines of different models lie in different
 * ranges, so no constant fits all.
 */
function scaleOf(similarities: Float64Array): (similarity: number) => number {
  const sorted = similarities.toSorted();
  const floor = sorted[Math.floor(sorted.length * BACKGROUND_QUANTILE)] ?? 0;
  const top = sorted[Math.floor(sorted.length * TOP_QUANTILE)] ?? 1;
  const range = Math.max(top - floor, 1e-6);
  return (similarity) => Math.min(1, Math.max(0, (similarity - floor) / range));
}

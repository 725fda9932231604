import type { ScenarioSettings } from "../scenario.ts";
import type { RankingCandidate } from "./candidate.ts";
import type { Scored } from "./score.ts";
import { dot } from "./vector.ts";
import { NONE, WaitingQueue } from "./waiting-queue.ts";
import { WindowCounts } from "./window-counts.ts";

/** Candidates compared for each place: those ranked far below are not lifted past better ones. */
const LOOKAHEAD_ITEMS = 16;
/** Similarity is weighed for the first page, where a reader sees it; deeper only caps and duplicates count. */
const SIMILARITY_ITEMS = 20;

export type MoveRule = "source_cap" | "category_cap" | "similar_to_others" | "pin" | "exploration";

export interface Placed<Candidate extends RankingCandidate> {
  readonly scored: Scored<Candidate>;
  /** Places gained (positive) or lost against the order of scores. */
  readonly moved: number;
  /** Why the best-scored candidate did not stand here. */
  readonly rule?: MoveRule;
}

export interface DiversityOptions<Candidate extends RankingCandidate> {
  readonly settings: ScenarioSettings;
  readonly itemsMax: number;
  readonly isPinned: (candidate: Candidate) => boolean;
  /** Found by the exploration sample alone. */
  readonly isExploration: (candidate: Candidate) => boolean;
}

/**
 * Orders scored candidates so that no source or category dominates (architecture section 3, step 3).
 *
 * Pins come first. Then, place by place: the candidate with the highest maximal marginal relevance (Carbonell and
 * Goldstein 1998: lambda * score - (1 - lambda) * greatest similarity to what stands before it) among the best
 * that keep the caps in every run of `caps.windowItems` places; each place in 1/explorationShare goes to an
 * explored article. Of articles that tell the same story only the first placed one stays.
 *
 * Where the candidates come from too few sources or categories for a cap to be kept at all, its bound is an even
 * share; once nothing that keeps the caps is left, the rest follows in order, so that no article is lost.
 */
export function diversify<Candidate extends RankingCandidate>(
  ranked: readonly Scored<Candidate>[],
  options: DiversityOptions<Candidate>,
): Placed<Candidate>[] {
  const placing = new Placing(ranked, options);
  while (placing.placed.length < options.itemsMax && placing.placeNext()) {
    // Each turn fills one place.
  }
  return placing.placed;
}

class Placing<Candidate extends RankingCandidate> {
  readonly placed: Placed<Candidate>[] = [];
  readonly #ranked: readonly Scored<Candidate>[];
  readonly #options: DiversityOptions<Candidate>;
  readonly #queue: WaitingQueue;
  readonly #explored: readonly number[];
  readonly #sources: WindowCounts;
  readonly #categories: WindowCounts;
  readonly #explorationEvery: number;
  /** Greatest similarity to the placed items it has been compared with, and how many those are. */
  readonly #similarity: Float64Array;
  readonly #comparedItems: Uint16Array;
  #pinsLeft: number;

  constructor(ranked: readonly Scored<Candidate>[], options: DiversityOptions<Candidate>) {
    const { settings, isPinned, isExploration } = options;
    const indexesOf = (isWanted: (candidate: Candidate) => boolean) =>
      ranked.flatMap(({ candidate }, at) => (isWanted(candidate) ? [at] : []));
    const pins = indexesOf(isPinned);
    const articles = ranked.map(({ candidate }) => candidate.article);
    this.#ranked = ranked;
    this.#options = options;
    this.#queue = new WaitingQueue(articles, pins);
    this.#pinsLeft = pins.length;
    this.#explored = settings.explorationShare > 0 ? indexesOf(isExploration) : [];
    this.#explorationEvery = Math.round(1 / settings.explorationShare);
    this.#similarity = new Float64Array(ranked.length);
    this.#comparedItems = new Uint16Array(ranked.length);
    const { windowItems, source, category } = settings.caps;
    this.#sources = new WindowCounts(windowItems, source, this.#queue.sourceCount);
    this.#categories = new WindowCounts(windowItems, category, this.#queue.categoryCount);
  }

  /** Fills one place; false when nothing is left. */
  placeNext(): boolean {
    const { first } = this.#queue;
    if (first === NONE) return false;
    const { at, rule } = this.#choose(first);
    const scored = this.#ranked[at] as Scored<Candidate>;
    const moved = this.#queue.rankOf(at) - this.placed.length;
    this.placed.push({ scored, moved, ...(rule === undefined ? {} : { rule }) });
    this.#sources.push(this.#queue.sourceOf(at));
    this.#categories.push(this.#queue.categoryOf(at));
    this.#queue.take(at);
    return true;
  }

  #choose(first: number): { at: number; rule?: MoveRule } {
    if (this.#pinsLeft > 0) {
      this.#pinsLeft -= 1;
      if (this.#options.isPinned((this.#ranked[first] as Scored<Candidate>).candidate))
        return { at: first, rule: "pin" };
    }
    const explored = this.#exploredNow();
    if (explored !== NONE) return { at: explored, rule: "exploration" };
    const best = this.#bestAdmitted(first);
    if (best === NONE || best === first) return { at: first };
    return { at: best, rule: this.#reasonAgainst(first) };
  }

  #exploredNow(): number {
    if ((this.placed.length + 1) % this.#explorationEvery !== 0) return NONE;
    return this.#explored.find((at) => this.#queue.isWaiting(at) && this.#isAdmitted(at)) ?? NONE;
  }

  /** The best of the first LOOKAHEAD_ITEMS that keep the caps; NONE: none keeps them. */
  #bestAdmitted(first: number): number {
    const weighSimilarity = this.placed.length < SIMILARITY_ITEMS;
    const lambda = this.#options.settings.diversityLambda;
    let best = NONE;
    let bestValue = Number.NEGATIVE_INFINITY;
    let seen = 0;
    for (let at = first; at !== NONE && seen < LOOKAHEAD_ITEMS; at = this.#queue.after(at)) {
      if (!this.#isAdmitted(at)) continue;
      if (!weighSimilarity) return at;
      seen += 1;
      const weighted = lambda * (this.#ranked[at] as Scored<Candidate>).score;
      // Scores descend and similarity only subtracts: once this bound is lost, nothing behind can win.
      if (weighted <= bestValue) break;
      const value = weighted - (1 - lambda) * this.#similarityToPlaced(at);
      if (value > bestValue) {
        bestValue = value;
        best = at;
      }
    }
    return best;
  }

  #similarityToPlaced(one: number): number {
    const { vector } = (this.#ranked[one] as Scored<Candidate>).candidate;
    const placedItems = this.placed.length;
    const windowFrom = placedItems - this.#options.settings.caps.windowItems;
    let similarity = this.#similarity[one] as number;
    for (
      let at = Math.max(this.#comparedItems[one] as number, windowFrom);
      at < placedItems;
      at += 1
    ) {
      const other = (this.placed[at] as Placed<Candidate>).scored.candidate.vector;
      similarity = Math.max(similarity, dot(vector, other));
    }
    this.#similarity[one] = similarity;
    this.#comparedItems[one] = placedItems;
    return similarity;
  }

  #isAdmitted(at: number): boolean {
    return (
      this.#sources.admits(this.#queue.sourceOf(at)) &&
      this.#categories.admits(this.#queue.categoryOf(at))
    );
  }

  #reasonAgainst(first: number): MoveRule {
    if (!this.#sources.admits(this.#queue.sourceOf(first))) return "source_cap";
    if (!this.#categories.admits(this.#queue.categoryOf(first))) return "category_cap";
    return "similar_to_others";
  }
}

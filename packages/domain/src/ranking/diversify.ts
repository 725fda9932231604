import type { ScenarioSettings } from "../scenario.ts";
import type { RankingCandidate } from "./candidate.ts";
import type { Scored } from "./score.ts";
import { dot } from "./vector.ts";

/** Candidates compared for each place: those ranked far below are not lifted past better ones. */
const LOOKAHEAD_ITEMS = 24;
/** Similarity is weighed for the first pages, where a reader sees it; deeper only caps and duplicates count. */
const SIMILARITY_ITEMS = 40;

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

interface Waiting<Candidate extends RankingCandidate> {
  readonly scored: Scored<Candidate>;
  readonly rank: number;
  /** Ordinals: the queue is scanned for every place, and small integers keep that cheap. */
  readonly source: number;
  readonly category: number;
  readonly story: number;
  /** Greatest similarity to the placed items it has been compared with, of which there are `comparedItems`. */
  similarity: number;
  comparedItems: number;
}

class Placing<Candidate extends RankingCandidate> {
  readonly placed: Placed<Candidate>[] = [];
  readonly #options: DiversityOptions<Candidate>;
  readonly #waiting: Waiting<Candidate>[];
  readonly #toldStories: Uint8Array;
  readonly #sources: WindowCounts;
  readonly #categories: WindowCounts;
  readonly #explorationEvery: number;
  #pinsLeft: number;

  constructor(ranked: readonly Scored<Candidate>[], options: DiversityOptions<Candidate>) {
    this.#options = options;
    const sources = new Ordinals();
    const categories = new Ordinals();
    const stories = new Ordinals();
    const waiting = ranked.map((scored, rank) => {
      const { sourceId, category, duplicateGroup } = scored.candidate.article;
      return {
        scored,
        rank,
        source: sources.of(sourceId),
        category: categories.of(category),
        story: stories.of(duplicateGroup),
        similarity: 0,
        comparedItems: 0,
      };
    });
    const pins = waiting.filter(({ scored }) => options.isPinned(scored.candidate));
    const others = pins.length === 0 ? waiting : waiting.filter((one) => !pins.includes(one));
    this.#waiting = [...pins, ...others];
    this.#pinsLeft = pins.length;
    const { caps, explorationShare } = options.settings;
    this.#toldStories = new Uint8Array(stories.count);
    this.#sources = new WindowCounts(caps.windowItems, caps.source, sources.count);
    this.#categories = new WindowCounts(caps.windowItems, caps.category, categories.count);
    this.#explorationEvery =
      explorationShare > 0 ? Math.round(1 / explorationShare) : Number.POSITIVE_INFINITY;
  }

  /** Fills one place; false when nothing is left. */
  placeNext(): boolean {
    while (this.#waiting[0] !== undefined && this.#isTold(this.#waiting[0])) this.#waiting.shift();
    const first = this.#waiting[0];
    if (first === undefined) return false;
    const { at, rule } = this.#choose(first);
    const [chosen] = this.#waiting.splice(at, 1);
    this.#place(chosen as Waiting<Candidate>, rule);
    return true;
  }

  #choose(first: Waiting<Candidate>): { at: number; rule?: MoveRule } {
    if (this.#pinsLeft > 0) {
      this.#pinsLeft = this.#options.isPinned(first.scored.candidate) ? this.#pinsLeft - 1 : 0;
      if (this.#options.isPinned(first.scored.candidate)) return { at: 0, rule: "pin" };
    }
    const explored = this.#exploredNow();
    if (explored !== -1) return { at: explored, rule: "exploration" };
    const best = this.#bestAdmitted();
    return best <= 0 ? { at: 0 } : { at: best, rule: this.#reasonAgainst(first) };
  }

  #exploredNow(): number {
    if ((this.placed.length + 1) % this.#explorationEvery !== 0) return -1;
    return this.#waiting.findIndex(
      (one) => this.#options.isExploration(one.scored.candidate) && this.#isAdmitted(one),
    );
  }

  /** Index of the best of the first LOOKAHEAD_ITEMS that keep the caps; -1: none keeps them. */
  #bestAdmitted(): number {
    const weighSimilarity = this.placed.length < SIMILARITY_ITEMS;
    const lambda = this.#options.settings.diversityLambda;
    let best = -1;
    let bestValue = Number.NEGATIVE_INFINITY;
    let seen = 0;
    for (let at = 0; at < this.#waiting.length && seen < LOOKAHEAD_ITEMS; at += 1) {
      const one = this.#waiting[at] as Waiting<Candidate>;
      if (!this.#isAdmitted(one)) continue;
      if (!weighSimilarity) return at;
      seen += 1;
      // Scores descend and similarity only subtracts: once this bound is lost, nothing behind can win.
      if (lambda * one.scored.score <= bestValue) break;
      const value = lambda * one.scored.score - (1 - lambda) * this.#similarityToPlaced(one);
      if (value > bestValue) {
        bestValue = value;
        best = at;
      }
    }
    return best;
  }

  #similarityToPlaced(one: Waiting<Candidate>): number {
    const from = Math.max(
      one.comparedItems,
      this.placed.length - this.#options.settings.caps.windowItems,
    );
    for (let at = from; at < this.placed.length; at += 1) {
      const other = (this.placed[at] as Placed<Candidate>).scored.candidate.vector;
      one.similarity = Math.max(one.similarity, dot(one.scored.candidate.vector, other));
    }
    one.comparedItems = this.placed.length;
    return one.similarity;
  }

  #isTold({ story }: Waiting<Candidate>): boolean {
    return this.#toldStories[story] === 1;
  }

  #isAdmitted(one: Waiting<Candidate>): boolean {
    return (
      this.#sources.admits(one.source) &&
      this.#categories.admits(one.category) &&
      !this.#isTold(one)
    );
  }

  #reasonAgainst(first: Waiting<Candidate>): MoveRule {
    if (!this.#sources.admits(first.source)) return "source_cap";
    if (!this.#categories.admits(first.category)) return "category_cap";
    return "similar_to_others";
  }

  #place(chosen: Waiting<Candidate>, rule: MoveRule | undefined): void {
    const moved = chosen.rank - this.placed.length;
    this.placed.push({ scored: chosen.scored, moved, ...(rule === undefined ? {} : { rule }) });
    this.#toldStories[chosen.story] = 1;
    this.#sources.push(chosen.source);
    this.#categories.push(chosen.category);
  }
}

/** Numbers strings 0, 1, 2, ... in order of appearance. */
class Ordinals {
  readonly #known = new Map<string, number>();

  of(value: string): number {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    this.#known.set(value, this.#known.size);
    return this.#known.size - 1;
  }

  get count(): number {
    return this.#known.size;
  }
}

/** Counts of each value among the last places, and the bound they keep. */
class WindowCounts {
  readonly #window: number[] = [];
  readonly #counts: Uint16Array;
  readonly #bound: number;
  readonly #items: number;

  constructor(windowItems: number, share: number, distinctValues: number) {
    this.#items = windowItems;
    this.#counts = new Uint16Array(distinctValues);
    const evenShare = Math.ceil(windowItems / Math.max(1, distinctValues));
    this.#bound = Math.max(Math.floor(windowItems * share), evenShare);
  }

  /** Whether one more of this value keeps the bound in the window that ends with it. */
  admits(value: number): boolean {
    return (this.#counts[value] as number) < this.#bound;
  }

  push(value: number): void {
    this.#window.push(value);
    this.#counts[value] = (this.#counts[value] as number) + 1;
    // The next place's window holds the last `items - 1` places and itself.
    if (this.#window.length < this.#items) return;
    const left = this.#window.shift() as number;
    this.#counts[left] = (this.#counts[left] as number) - 1;
  }
}

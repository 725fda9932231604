import type { ContentId } from "../ids.ts";
import type { ScenarioSettings } from "../scenario.ts";
import type { Candidates, IndexedArticleForRanking as Article } from "./candidates.ts";
import type { Ranking } from "./score.ts";
import { dot } from "./vector.ts";
import { NONE, WaitingQueue } from "./waiting-queue.ts";
import { WindowCounts } from "./window-counts.ts";

/** Candidates compared for each place: those ranked far below are not lifted past better ones. */
const LOOKAHEAD_ITEMS = 16;
/** Similarity is weighed for the first page, where a reader sees it; deeper only caps and duplicates count. */
const SIMILARITY_ITEMS = 20;

export type MoveRule = "source_cap" | "category_cap" | "similar_to_others" | "pin" | "exploration";

export interface Placed {
  /** Number of the candidate. */
  readonly at: number;
  /** Places gained (positive) or lost against the order of scores. */
  readonly moved: number;
  /** Why the best-scored candidate did not stand here. */
  readonly rule?: MoveRule;
}

export interface DiversityOptions {
  readonly settings: ScenarioSettings;
  readonly itemsMax: number;
  /** Found by the exploration sample alone. */
  readonly isExploration: (candidate: number) => boolean;
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
 * share, unless the source has a cap of its own; once nothing that keeps the caps is left, the rest follows in order,
 * so that no article is lost.
 */
export function diversify(
  candidates: Candidates,
  ranking: Pick<Ranking, "order" | "scores">,
  options: DiversityOptions,
): Placed[] {
  const placing = new Placing(candidates, ranking, options);
  while (placing.placed.length < options.itemsMax && placing.placeNext()) {
    // Each turn fills one place.
  }
  return placing.placed;
}

/** The places filled so far; what waits is known by its rank in the order of scores. */
class Placing {
  readonly placed: Placed[] = [];
  readonly #candidates: Candidates;
  readonly #order: Int32Array;
  readonly #scores: Float64Array;
  readonly #options: DiversityOptions;
  readonly #queue: WaitingQueue;
  readonly #explored: readonly number[];
  readonly #sources: WindowCounts;
  readonly #categories: WindowCounts;
  readonly #explorationEvery: number;
  /** Greatest similarity to the placed items it has been compared with, and how many those are. */
  readonly #similarity: Float64Array;
  readonly #comparedItems: Uint16Array;
  readonly #pins: ReadonlySet<number>;
  #pinsLeft: number;

  constructor(
    candidates: Candidates,
    { order, scores }: Pick<Ranking, "order" | "scores">,
    options: DiversityOptions,
  ) {
    const { settings, isExploration } = options;
    const pins = pinnedRanks(candidates, order, settings.pins);
    this.#candidates = candidates;
    this.#order = order;
    this.#scores = scores;
    this.#options = options;
    this.#queue = new WaitingQueue(candidates, order, pins);
    this.#pins = new Set(pins);
    this.#pinsLeft = pins.length;
    this.#explored = settings.explorationShare > 0 ? ranksOf(order, isExploration) : [];
    this.#explorationEvery = Math.round(1 / settings.explorationShare);
    this.#similarity = new Float64Array(order.length);
    this.#comparedItems = new Uint16Array(order.length);
    const { windowItems, source, category } = settings.caps;
    this.#sources = new WindowCounts(windowItems, source, this.#queue.sourceCount);
    this.#categories = new WindowCounts(windowItems, category, this.#queue.categoryCount);
    this.#capSources(settings.sourceCaps);
  }

  #capSources(caps: ScenarioSettings["sourceCaps"]): void {
    if (caps.length === 0) return;
    const shares = new Map(caps.map(({ id, share }) => [id, share]));
    const { articles } = this.#candidates;
    for (let rank = 0; rank < this.#order.length; rank += 1) {
      const share = shares.get((articles[this.#candidateAt(rank)] as Article).sourceId);
      if (share !== undefined) this.#sources.setShare(this.#queue.sourceOf(rank), share);
    }
  }

  /** Fills one place; false when nothing is left. */
  placeNext(): boolean {
    const { first } = this.#queue;
    if (first === NONE) return false;
    const { rank, rule } = this.#choose(first);
    const moved = this.#queue.rankOf(rank) - this.placed.length;
    this.placed.push({
      at: this.#candidateAt(rank),
      moved,
      ...(rule === undefined ? {} : { rule }),
    });
    this.#sources.push(this.#queue.sourceOf(rank));
    this.#categories.push(this.#queue.categoryOf(rank));
    this.#queue.take(rank);
    return true;
  }

  #candidateAt(rank: number): number {
    return this.#order[rank] as number;
  }

  #choose(first: number): { rank: number; rule?: MoveRule } {
    if (this.#pinsLeft > 0) {
      this.#pinsLeft -= 1;
      if (this.#pins.has(first)) return { rank: first, rule: "pin" };
    }
    const explored = this.#exploredNow();
    if (explored !== NONE) return { rank: explored, rule: "exploration" };
    const best = this.#bestAdmitted(first);
    if (best === NONE || best === first) return { rank: first };
    return { rank: best, rule: this.#reasonAgainst(first) };
  }

  #exploredNow(): number {
    if ((this.placed.length + 1) % this.#explorationEvery !== 0) return NONE;
    return (
      this.#explored.find((rank) => this.#queue.isWaiting(rank) && this.#isAdmitted(rank)) ?? NONE
    );
  }

  /** The best of the first LOOKAHEAD_ITEMS that keep the caps; NONE: none keeps them. */
  #bestAdmitted(first: number): number {
    const weighSimilarity = this.placed.length < SIMILARITY_ITEMS;
    const lambda = this.#options.settings.diversityLambda;
    let best = NONE;
    let bestValue = Number.NEGATIVE_INFINITY;
    let seen = 0;
    for (
      let rank = first;
      rank !== NONE && seen < LOOKAHEAD_ITEMS;
      rank = this.#queue.after(rank)
    ) {
      if (!this.#isAdmitted(rank)) continue;
      if (!weighSimilarity) return rank;
      seen += 1;
      const weighted = lambda * (this.#scores[this.#candidateAt(rank)] as number);
      // Scores descend and similarity only subtracts: once this bound is lost, nothing behind can win.
      if (weighted <= bestValue) break;
      const value = weighted - (1 - lambda) * this.#similarityToPlaced(rank);
      if (value > bestValue) {
        bestValue = value;
        best = rank;
      }
    }
    return best;
  }

  #similarityToPlaced(rank: number): number {
    const vector = this.#candidates.vector(this.#candidateAt(rank));
    const placedItems = this.placed.length;
    const windowFrom = placedItems - this.#options.settings.caps.windowItems;
    let similarity = this.#similarity[rank] as number;
    for (
      let at = Math.max(this.#comparedItems[rank] as number, windowFrom);
      at < placedItems;
      at += 1
    ) {
      const other = this.#candidates.vector((this.placed[at] as Placed).at);
      similarity = Math.max(similarity, dot(vector, other));
    }
    this.#similarity[rank] = similarity;
    this.#comparedItems[rank] = placedItems;
    return similarity;
  }

  #isAdmitted(rank: number): boolean {
    return (
      this.#sources.admits(this.#queue.sourceOf(rank)) &&
      this.#categories.admits(this.#queue.categoryOf(rank))
    );
  }

  #reasonAgainst(first: number): MoveRule {
    if (!this.#sources.admits(this.#queue.sourceOf(first))) return "source_cap";
    if (!this.#categories.admits(this.#queue.categoryOf(first))) return "category_cap";
    return "similar_to_others";
  }
}

function pinnedRanks(
  { articles }: Candidates,
  order: Int32Array,
  pins: readonly ContentId[],
): readonly number[] {
  if (pins.length === 0) return [];
  const pinned = new Set(pins);
  return ranksOf(order, (at) => pinned.has(articles[at]?.contentId as ContentId));
}

/** Ranks of the candidates that are wanted, ascending. */
function ranksOf(order: Int32Array, isWanted: (candidate: number) => boolean): number[] {
  const ranks: number[] = [];
  for (let rank = 0; rank < order.length; rank += 1) {
    if (isWanted(order[rank] as number)) ranks.push(rank);
  }
  return ranks;
}

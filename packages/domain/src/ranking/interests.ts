import type { ContentId } from "../ids.ts";
import type { InterestMark } from "../user.ts";
import { addScaled, dot, normalised } from "./vector.ts";

/** Marks a feed looks at, latest first: older ones have faded, and the work stays bounded. */
export const INTEREST_MARKS_USED_MAX = 32;
/** Interests searched for; each is one pass of the content index. */
export const INTERESTS_SEARCHED_MAX = 4;

const DAY_MS = 24 * 3_600_000;
/** Its square is far from the smallest double. */
const FADED_WEIGHT = 1e-100;

/** One thing a user cares about: a unit vector amid related articles. */
export interface Interest {
  readonly vector: Float32Array;
  /** Share of the user's attention, 0 to 1; the strongest interest has 1. */
  readonly strength: number;
  /** Articles behind it, strongest first; empty for an interest stated in words. */
  readonly members: readonly ContentId[];
}

export interface UserInterests {
  readonly liked: readonly Interest[];
  /** Vectors of disliked articles: candidates near them lose relevance. */
  readonly disliked: readonly Float32Array[];
}

export const NO_INTERESTS: UserInterests = { liked: [], disliked: [] };

/** Something the user showed interest in, and how much of it is left. */
interface Part {
  readonly vector: Float32Array;
  readonly weight: number;
  /** Absent for an interest stated in words. */
  readonly contentId?: ContentId;
}

/**
 * Groups what a user clicked into a few interests, so that two hobbies don't average into nonsense
 * (architecture section 3): marks fade by half every `halfLifeDays`, then the nearest two groups are joined
 * until INTERESTS_SEARCHED_MAX are left (agglomerative clustering on group means; PinnerSage, Pal et al. 2020,
 * represents users by several such groups for the same reason).
 *
 * Marks whose vector isn't held are skipped. `stated` are vectors of interests given in words; they count as
 * one mark each, of weight `statedWeight`, and fade as soon as there are clicks.
 */
export function buildInterests(
  marks: readonly InterestMark[],
  vectors: Pick<ReadonlyMap<ContentId, Float32Array>, "get">,
  options: {
    readonly nowMs: number;
    readonly halfLifeDays: number;
    readonly stated: readonly Float32Array[];
    readonly statedWeight: number;
  },
): UserInterests {
  const parts: Part[] = options.stated.map((vector) => ({
    vector,
    weight: options.statedWeight,
  }));
  const disliked: Float32Array[] = [];
  for (const mark of marks.slice(-INTEREST_MARKS_USED_MAX)) {
    const vector = vectors.get(mark.contentId);
    if (vector === undefined) continue;
    const fade = 0.5 ** (Math.max(0, options.nowMs - mark.atMs) / (options.halfLifeDays * DAY_MS));
    if (mark.weight < 0) disliked.push(vector);
    else parts.push({ vector, weight: mark.weight * fade, contentId: mark.contentId });
  }
  const groups = joinNearest(parts, INTERESTS_SEARCHED_MAX);
  return { liked: strongestFirst(groups), disliked };
}

/** Joins the nearest two groups until `countMax` are left. */
function joinNearest(parts: readonly Part[], countMax: number): readonly (readonly Part[])[] {
  const groups = parts.map((part) => [part]);
  const products = new GroupProducts(parts);
  while (groups.length > countMax) {
    const [kept, joined] = products.joinNearest();
    groups[kept]?.push(...(groups[joined] ?? []));
    groups.splice(joined, 1);
  }
  return groups;
}

/**
 * Inner products of the groups' sums, each with each. Those of a sum are sums of those of its parts, so that vectors are
 * multiplied once, before anything is joined.
 */
class GroupProducts {
  readonly #size: number;
  /** Row by row, by the number of a group's first part. */
  readonly #products: Float64Array;
  readonly #lengths: Float64Array;
  /** Numbers of the groups that are left, in order. */
  readonly #left: number[];

  constructor(parts: readonly Part[]) {
    const size = parts.length;
    this.#size = size;
    this.#products = new Float64Array(size * size);
    this.#lengths = new Float64Array(size);
    this.#left = Array.from(parts.keys());
    for (let row = 0; row < size; row += 1) {
      const left = parts[row] as Part;
      for (let column = 0; column <= row; column += 1) {
        const right = parts[column] as Part;
        const product = weightOf(left) * weightOf(right) * dot(left.vector, right.vector);
        this.#products[row * size + column] = product;
        this.#products[column * size + row] = product;
      }
      this.#lengths[row] = Math.sqrt(this.#at(row, row));
    }
  }

  /** Joins the two groups whose sums point most alike: the places of the one kept, and of the one that it took in. */
  joinNearest(): readonly [kept: number, joined: number] {
    let kept = 0;
    let joined = 1;
    let bestCosine = Number.NEGATIVE_INFINITY;
    for (let first = 0; first < this.#left.length; first += 1) {
      const row = this.#left[first] as number;
      const length = this.#lengths[row] as number;
      for (let second = first + 1; second < this.#left.length; second += 1) {
        const column = this.#left[second] as number;
        const cosine = this.#at(row, column) / (length * (this.#lengths[column] as number));
        if (cosine <= bestCosine) continue;
        bestCosine = cosine;
        kept = first;
        joined = second;
      }
    }
    this.#add(this.#left[kept] as number, this.#left[joined] as number);
    this.#left.splice(joined, 1);
    return [kept, joined];
  }

  #at(row: number, column: number): number {
    return this.#products[row * this.#size + column] as number;
  }

  #add(kept: number, joined: number): void {
    const own = this.#at(kept, kept) + 2 * this.#at(kept, joined) + this.#at(joined, joined);
    for (const other of this.#left) {
      const product = this.#at(kept, other) + this.#at(joined, other);
      this.#products[kept * this.#size + other] = product;
      this.#products[other * this.#size + kept] = product;
    }
    this.#products[kept * this.#size + kept] = own;
    this.#lengths[kept] = Math.sqrt(own);
  }
}

/** A mark that has faded to nothing still has a direction. */
function weightOf({ weight }: Part): number {
  return Math.max(weight, FADED_WEIGHT);
}

function strongestFirst(groups: readonly (readonly Part[])[]): Interest[] {
  const weighed = groups.map((parts) => ({
    parts: parts.toSorted((left, right) => right.weight - left.weight),
    weight: parts.reduce((sum, part) => sum + part.weight, 0),
  }));
  const sorted = weighed.toSorted((left, right) => right.weight - left.weight);
  const top = sorted[0]?.weight ?? 1;
  return sorted.map(({ parts, weight }) => ({
    vector: directionOf(parts),
    strength: top === 0 ? 1 : weight / top,
    members: parts.flatMap(({ contentId }) => contentId ?? []),
  }));
}

/** Of the sum of the weighted vectors; `parts` has the heaviest first. */
function directionOf(parts: readonly Part[]): Float32Array {
  const [heaviest] = parts;
  if (heaviest === undefined || parts.length === 1) return heaviest?.vector ?? new Float32Array();
  const sum = new Float32Array(heaviest.vector.length);
  // By share of the heaviest, so that what has faded far doesn't vanish in single precision.
  for (const part of parts) addScaled(sum, part.vector, weightOf(part) / weightOf(heaviest));
  return normalised(sum);
}

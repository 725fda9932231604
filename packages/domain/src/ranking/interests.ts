import type { ContentId } from "../ids.ts";
import type { InterestMark } from "../user.ts";
import { addScaled, dot, normalised, VectorBundle } from "./vector.ts";

/** Marks a feed looks at, latest first: older ones have faded, and the work stays bounded. */
export const INTEREST_MARKS_USED_MAX = 32;
/** Interests searched for; each is one pass of the content index. */
export const INTERESTS_SEARCHED_MAX = 4;

const DAY_MS = 24 * 3_600_000;

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

interface Cluster {
  sum: Float32Array;
  unit: Float32Array;
  weight: number;
  readonly members: { readonly contentId: ContentId; readonly weight: number }[];
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
  vectors: ReadonlyMap<ContentId, Float32Array>,
  options: {
    readonly nowMs: number;
    readonly halfLifeDays: number;
    readonly stated: readonly Float32Array[];
    readonly statedWeight: number;
  },
): UserInterests {
  const latest = marks.slice(-INTEREST_MARKS_USED_MAX);
  const clusters: Cluster[] = options.stated.map((vector) =>
    newCluster(vector, options.statedWeight),
  );
  const disliked: Float32Array[] = [];
  for (const mark of latest) {
    const vector = vectors.get(mark.contentId);
    if (vector === undefined) continue;
    const fade = 0.5 ** (Math.max(0, options.nowMs - mark.atMs) / (options.halfLifeDays * DAY_MS));
    if (mark.weight < 0) disliked.push(vector);
    else clusters.push(newCluster(vector, mark.weight * fade, mark.contentId));
  }
  joinNearest(clusters, INTERESTS_SEARCHED_MAX);
  return { liked: strongestFirst(clusters), disliked };
}

function newCluster(vector: Float32Array, weight: number, contentId?: ContentId): Cluster {
  const sum = new Float32Array(vector.length);
  addScaled(sum, vector, weight);
  const members = contentId === undefined ? [] : [{ contentId, weight }];
  return { sum, unit: vector, weight, members };
}

function joinNearest(clusters: Cluster[], countMax: number): void {
  const bundle = new VectorBundle(clusters.map(({ unit }) => unit));
  const similarity = clusters.map(({ unit }) =>
    Array.from(bundle.productsWith(unit).subarray(0, bundle.count)),
  );
  while (clusters.length > countMax) {
    const [kept, joined] = nearestPair(similarity);
    join(clusters[kept] as Cluster, clusters[joined] as Cluster);
    clusters.splice(joined, 1);
    similarity.splice(joined, 1);
    for (const row of similarity) row.splice(joined, 1);
    const unit = (clusters[kept] as Cluster).unit;
    clusters.forEach((other, at) => {
      const value = dot(unit, other.unit);
      (similarity[kept] as number[])[at] = value;
      (similarity[at] as number[])[kept] = value;
    });
  }
}

/** Indexes of the two most similar clusters, the lower first. */
function nearestPair(similarity: readonly (readonly number[])[]): readonly [number, number] {
  let best: readonly [number, number] = [0, 1];
  let bestValue = Number.NEGATIVE_INFINITY;
  for (let left = 0; left < similarity.length; left += 1) {
    const row = similarity[left] as readonly number[];
    for (let right = left + 1; right < similarity.length; right += 1) {
      const value = row[right] as number;
      if (value > bestValue) {
        bestValue = value;
        best = [left, right];
      }
    }
  }
  return best;
}

function join(kept: Cluster, joined: Cluster): void {
  addScaled(kept.sum, joined.sum, 1);
  kept.unit = normalised(kept.sum);
  kept.weight += joined.weight;
  kept.members.push(...joined.members);
}

function strongestFirst(clusters: readonly Cluster[]): Interest[] {
  const sorted = clusters.toSorted((left, right) => right.weight - left.weight);
  const top = sorted[0]?.weight ?? 1;
  return sorted.map(({ unit, weight, members }) => ({
    vector: unit,
    strength: top === 0 ? 1 : weight / top,
    members: members
      .toSorted((left, right) => right.weight - left.weight)
      .map((member) => member.contentId),
  }));
}

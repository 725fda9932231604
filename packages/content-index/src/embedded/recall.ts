import type { Candidate, RecallFilter, RecallLeg } from "../port.ts";
import type { Columns } from "./columns.ts";
import { newestOf } from "./time-order.ts";
import type { TimeOrder } from "./time-order.ts";

type NearestLeg = Extract<RecallLeg, { kind: "nearest" }>;

/** Runs all legs over one mask and unites what they find, in order of first leg and rank. */
export function recallFrom(
  columns: Columns,
  filter: RecallFilter,
  legs: readonly RecallLeg[],
): readonly Candidate[] {
  applyFilter(columns, filter);
  const nearestLegs = legs.filter((leg): leg is NearestLeg => leg.kind === "nearest");
  const nearest = columns.nearest.find(nearestLegs).values();
  const found = legs.map((leg) =>
    leg.kind === "nearest" ? (nearest.next().value ?? []) : listFor(columns, leg),
  );
  return unite(columns, found);
}

function applyFilter(columns: Columns, filter: RecallFilter): void {
  const { facets, matrix } = columns;
  matrix.filter(
    facets.allowed(filter),
    filter.publishedAfterMs ?? -Infinity,
    filter.publishedBeforeMs,
  );
  for (const contentId of filter.contentsExcluded) {
    const slot = columns.slotOf(contentId);
    if (slot !== undefined) matrix.mask[slot] = 0;
  }
}

function listFor(columns: Columns, leg: Exclude<RecallLeg, NearestLeg>): readonly number[] {
  const { mask } = columns.matrix;
  const accepts = (slot: number): boolean => mask[slot] === 1;
  const newest = (orders: readonly (TimeOrder | undefined)[]): readonly number[] =>
    newestOf(
      columns,
      orders.filter((order) => order !== undefined),
      leg.limit,
      accepts,
    );
  switch (leg.kind) {
    case "fresh":
      if (leg.language === null) return newest([columns.newest]);
      return newest([columns.newestOfLanguage.get(leg.language)]);
    case "areas":
      return newest([...new Set(leg.areaIds)].map((areaId) => columns.newestOfArea.get(areaId)));
    case "sources":
      return newest([...new Set(leg.sourceIds)].map((id) => columns.newestOfSource.get(id)));
    case "among":
      return among(columns, leg.contentIds, leg.limit, accepts);
    case "sample":
      return sample(columns, leg, accepts);
  }
}

function among(
  columns: Columns,
  contentIds: Extract<RecallLeg, { kind: "among" }>["contentIds"],
  limit: number,
  accepts: (slot: number) => boolean,
): readonly number[] {
  const found = new Set<number>();
  for (const contentId of contentIds) {
    if (found.size === limit) break;
    const slot = columns.slotOf(contentId);
    if (slot !== undefined && accepts(slot)) found.add(slot);
  }
  return [...found];
}

/**
 * Walks the articles new enough by a step that shares no factor with their number, which visits each of
 * them once; seed decides the beginning and the step.
 */
function sample(
  columns: Columns,
  leg: Extract<RecallLeg, { kind: "sample" }>,
  accepts: (slot: number) => boolean,
): readonly number[] {
  const { slots } = columns.newest;
  const count = columns.newest.countAfter(leg.publishedAfterMs);
  const found: number[] = [];
  if (count === 0) return found;
  let position = mix(leg.seed) % count;
  let step = 1 + (mix(leg.seed + 1) % count);
  while (greatestCommonDivisor(step, count) !== 1) step++;
  for (let visited = 0; visited < count && found.length < leg.limit; visited++) {
    const slot = slots[slots.length - 1 - position] as number;
    if (accepts(slot)) found.push(slot);
    position = (position + step) % count;
  }
  return found;
}

/** 32-bit finaliser of MurmurHash3. */
function mix(seed: number): number {
  let bits = seed | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

function greatestCommonDivisor(left: number, right: number): number {
  return right === 0 ? left : greatestCommonDivisor(right, left % right);
}

/** Bit i of a slot's entry: leg i found it. `legs` of equal content are one array: most have one leg. */
function unite(columns: Columns, found: readonly (readonly number[])[]): readonly Candidate[] {
  const bitsOf = columns.legBits();
  const slots: number[] = [];
  for (let leg = 0; leg < found.length; leg++) {
    for (const slot of found[leg] as readonly number[]) {
      const bits = bitsOf[slot] as number;
      if (bits === 0) slots.push(slot);
      bitsOf[slot] = bits | (1 << leg);
    }
  }
  const legLists = new Map<number, readonly number[]>();
  const candidates: Candidate[] = [];
  for (const slot of slots) {
    const bits = bitsOf[slot] as number;
    bitsOf[slot] = 0;
    const article = columns.articles[slot];
    if (article === undefined) continue;
    let legs = legLists.get(bits);
    if (legs === undefined) {
      legs = [...found.keys()].filter((leg) => (bits & (1 << leg)) !== 0);
      legLists.set(bits, legs);
    }
    candidates.push({ article, vector: columns.matrix.vector(slot), legs });
  }
  return candidates;
}

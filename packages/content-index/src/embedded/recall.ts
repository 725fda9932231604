import { copyRow, emptyColumns, type Candidates } from "@feed/domain/ranking/candidates";
import type { IndexedArticle, RecallFilter, RecallLeg } from "../port.ts";
import type { Columns } from "./columns.ts";
import { newestOf } from "./time-order.ts";
import type { TimeOrder } from "./time-order.ts";

type NearestLeg = Extract<RecallLeg, { kind: "nearest" }>;

/** Runs all legs over one mask and unites what they find, in order of first leg and rank. */
export function recallFrom(
  columns: Columns,
  filter: RecallFilter,
  legs: readonly RecallLeg[],
): Candidates<IndexedArticle> {
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

/** What the legs found, each once, with all the legs that found it. */
function unite(
  columns: Columns,
  found: readonly (readonly number[])[],
): Candidates<IndexedArticle> {
  const { legs } = columns.features.columns;
  const slots: number[] = [];
  found.forEach((leg, number) => {
    for (const slot of leg) {
      if (legs[slot] === 0) slots.push(slot);
      legs[slot] = (legs[slot] as number) | (1 << number);
    }
  });
  const candidates = candidatesAt(columns, Int32Array.from(slots));
  for (const slot of slots) legs[slot] = 0;
  return candidates;
}

function candidatesAt(columns: Columns, slots: Int32Array): Candidates<IndexedArticle> {
  const taken = emptyColumns(slots.length);
  const all = columns.features.columns;
  const articles: IndexedArticle[] = [];
  for (let at = 0; at < slots.length; at += 1) {
    const slot = slots[at] as number;
    copyRow(all, slot, taken, at);
    articles.push(columns.articles[slot] as IndexedArticle);
  }
  return {
    count: slots.length,
    articles,
    numbering: columns.features,
    ...taken,
    vector: (at) => columns.matrix.vector(slots[at] as number),
    products: (query, numbers) =>
      columns.products.of(
        query,
        numbers === undefined ? slots : numbers.map((at) => slots[at] as number),
      ),
  };
}

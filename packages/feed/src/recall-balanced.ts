import type { ContentIndex, IndexedArticle, RecallFilter } from "@feed/content-index";
import type { Candidates } from "@feed/domain/ranking/candidates";
import { gather } from "@feed/domain/ranking/candidates-from";
import type { ScenarioSettings } from "@feed/domain/scenario";
import type { NamedLeg } from "./recall.ts";

/** Newest articles of other sources and categories: enough to keep the caps over a walk of 500. */
const OTHERS_ITEMS = 400;

/**
 * What the legs find. Where a source or category makes up more of it than its cap allows of a feed, the newest
 * articles of the others are added, since the caps of a long walk can't be kept without them.
 */
export async function recallBalanced(
  contentIndex: Pick<ContentIndex, "recall">,
  filter: RecallFilter,
  legs: readonly NamedLeg[],
  { caps, sourceCaps }: Pick<ScenarioSettings, "caps" | "sourceCaps">,
): Promise<Candidates<IndexedArticle>> {
  const found = await contentIndex.recall(
    filter,
    legs.map(({ leg }) => leg),
  );
  const shares = new Map(sourceCaps.map(({ id, share }) => [id, share]));
  const sources = crowding(
    found.sources,
    (at) => articleOf(found, at).sourceId,
    (source) => shares.get(source) ?? caps.source,
  );
  const categories = crowding(
    found.categories,
    (at) => articleOf(found, at).category,
    () => caps.category,
  );
  const fresh = legs.findIndex(({ name }) => name === "fresh");
  const freshLeg = legs[fresh]?.leg;
  const isBalanced = sources.length + categories.length === 0;
  if (isBalanced || freshLeg === undefined) return found;
  const others = await contentIndex.recall(
    {
      ...filter,
      sourcesExcluded: new Set([...filter.sourcesExcluded, ...sources]),
      categoriesExcluded: new Set([...filter.categoriesExcluded, ...categories]),
    },
    [{ ...freshLeg, limit: OTHERS_ITEMS }],
  );
  const known = new Set(found.articles);
  const added = numbersWhere(others.count, (at) => !known.has(articleOf(others, at)));
  return gather(
    { of: found, numbers: numbersWhere(found.count, () => true) },
    { of: others, numbers: added, legs: 1 << fresh },
  );
}

/** Numbers of the candidates that are wanted, ascending. */
export function numbersWhere(count: number, isWanted: (candidate: number) => boolean): Int32Array {
  const numbers = new Int32Array(count);
  let wanted = 0;
  for (let at = 0; at < count; at += 1) if (isWanted(at)) numbers[wanted++] = at;
  return numbers.subarray(0, wanted);
}

function articleOf({ articles }: Candidates<IndexedArticle>, at: number): IndexedArticle {
  return articles[at] as IndexedArticle;
}

/** Values of a column that more of the candidates have than their share. */
function crowding<Value>(
  column: Int32Array,
  valueOf: (candidate: number) => Value,
  shareOf: (value: Value) => number,
): readonly Value[] {
  const counts: number[] = [];
  for (const number of column) counts[number] = (counts[number] ?? 0) + 1;
  const crowded: Value[] = [];
  for (let at = 0; at < column.length; at += 1) {
    const number = column[at] as number;
    const count = counts[number] as number;
    // Each value is looked at once.
    if (count === 0) continue;
    counts[number] = 0;
    const value = valueOf(at);
    if (count > column.length * shareOf(value)) crowded.push(value);
  }
  return crowded;
}

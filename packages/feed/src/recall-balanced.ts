import type { Candidate, ContentIndex, RecallFilter } from "@feed/content-index";
import type { Category } from "@feed/domain/article";
import type { SourceId } from "@feed/domain/ids";
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
  caps: ScenarioSettings["caps"],
): Promise<readonly Candidate[]> {
  const found = await contentIndex.recall(
    filter,
    legs.map(({ leg }) => leg),
  );
  const sources = dominant(
    found.map(({ article }) => article.sourceId),
    caps.source,
  );
  const categories = dominant(
    found.map(({ article }) => article.category),
    caps.category,
  );
  const fresh = legs.findIndex(({ name }) => name === "fresh");
  const freshLeg = legs[fresh]?.leg;
  if (sources.length + categories.length === 0 || freshLeg === undefined) return found;
  const others = await contentIndex.recall(
    {
      ...filter,
      sourcesExcluded: new Set<SourceId>([...filter.sourcesExcluded, ...sources]),
      categoriesExcluded: new Set<Category>([...filter.categoriesExcluded, ...categories]),
    },
    [{ ...freshLeg, limit: OTHERS_ITEMS }],
  );
  const known = new Set(found.map(({ article }) => article.contentId));
  const added = others.filter(({ article }) => !known.has(article.contentId));
  return [...found, ...added.map((candidate) => ({ ...candidate, legs: [fresh] }))];
}

/** Values that make up more than a share of all. */
function dominant<Value extends string>(values: readonly Value[], share: number): Value[] {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const most = values.length * share;
  return [...counts].filter(([, count]) => count > most).map(([value]) => value);
}

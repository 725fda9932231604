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
  const sources = new Map<SourceId, number>();
  const categories = new Map<Category, number>();
  for (const { article } of found) {
    sources.set(article.sourceId, (sources.get(article.sourceId) ?? 0) + 1);
    categories.set(article.category, (categories.get(article.category) ?? 0) + 1);
  }
  const crowdingSources = above(sources, found.length * caps.source);
  const crowdingCategories = above(categories, found.length * caps.category);
  const fresh = legs.findIndex(({ name }) => name === "fresh");
  const freshLeg = legs[fresh]?.leg;
  const isBalanced = crowdingSources.length + crowdingCategories.length === 0;
  if (isBalanced || freshLeg === undefined) return found;
  const others = await contentIndex.recall(
    {
      ...filter,
      sourcesExcluded: new Set<SourceId>([...filter.sourcesExcluded, ...crowdingSources]),
      categoriesExcluded: new Set<Category>([...filter.categoriesExcluded, ...crowdingCategories]),
    },
    [{ ...freshLeg, limit: OTHERS_ITEMS }],
  );
  const known = new Set(found.map(({ article }) => article.contentId));
  const added = others.filter(({ article }) => !known.has(article.contentId));
  return [...found, ...added.map((candidate) => ({ ...candidate, legs: [fresh] }))];
}

function above<Value>(counts: ReadonlyMap<Value, number>, most: number): Value[] {
  return [...counts].filter(([, count]) => count > most).map(([value]) => value);
}

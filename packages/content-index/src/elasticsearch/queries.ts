import type { estypes } from "@elastic/elasticsearch";
import type { RecallFilter, RecallLeg } from "../port.ts";

type Query = NonNullable<estypes.SearchSearchRequestBody["query"]>;

/** The graph is asked for this many at least: equally near ones are told apart by content id among these. */
const NEAREST_MIN = 150;
const NEWEST_FIRST: estypes.Sort = [{ publishedAtMs: "desc" }, { contentId: "asc" }];
const BEST_FIRST: estypes.Sort = [{ _score: { order: "desc" } }, { contentId: "asc" }];

/** A leg as a search whose hits are ids and versions; `among` is put in its order by the caller. */
export function searchOf(filter: RecallFilter, leg: RecallLeg): estypes.SearchSearchRequestBody {
  const shared = {
    _source: false,
    version: true,
    track_total_hits: false,
    size: leg.limit,
  } as const;
  const passing = clausesOf(filter);
  const having = (...more: Query[]): Query => ({ bool: { filter: [...passing, ...more] } });
  switch (leg.kind) {
    case "nearest": {
      const k = Math.max(leg.limit, NEAREST_MIN);
      const knn: estypes.KnnSearch = {
        field: "vector",
        query_vector: [...leg.vector],
        k,
        num_candidates: k,
        filter: passing,
      };
      return { ...shared, knn, sort: BEST_FIRST };
    }
    case "fresh": {
      const languages: Query[] =
        leg.language === null ? [] : [{ term: { language: leg.language } }];
      return { ...shared, query: having(...languages), sort: NEWEST_FIRST };
    }
    case "areas":
      return {
        ...shared,
        query: having({ terms: { areas: [...leg.areaIds] } }),
        sort: NEWEST_FIRST,
      };
    case "sources":
      return {
        ...shared,
        query: having({ terms: { sourceId: [...leg.sourceIds] } }),
        sort: NEWEST_FIRST,
      };
    case "among": {
      const contentIds = [...new Set(leg.contentIds)];
      const query = having({ terms: { contentId: contentIds } });
      return { ...shared, size: contentIds.length, query, sort: [{ contentId: "asc" }] };
    }
    case "sample": {
      const young = { range: { publishedAtMs: { gt: leg.publishedAfterMs } } };
      const query: Query = {
        function_score: {
          query: having(young),
          random_score: { seed: leg.seed, field: "contentId" },
          // Filters score nothing, which multiplied would leave nothing.
          boost_mode: "replace",
        } as estypes.QueryDslFunctionScoreQuery,
      };
      return { ...shared, query, sort: BEST_FIRST };
    }
  }
}

function clausesOf(filter: RecallFilter): Query[] {
  const { sourcesIncluded, categoriesIncluded, language, publishedAfterMs } = filter;
  const published = {
    lte: filter.publishedBeforeMs,
    ...(publishedAfterMs === null ? {} : { gt: publishedAfterMs }),
  };
  const excluded: readonly (readonly [string, ReadonlySet<string>])[] = [
    ["sourceId", filter.sourcesExcluded],
    ["category", filter.categoriesExcluded],
    ["contentId", filter.contentsExcluded],
  ];
  const not = excluded.flatMap(([field, values]): Query[] =>
    values.size === 0 ? [] : [{ terms: { [field]: [...values] } }],
  );
  return [
    { term: { withdrawn: false } },
    { range: { publishedAtMs: published } },
    ...(sourcesIncluded === null ? [] : [{ terms: { sourceId: [...sourcesIncluded] } }]),
    ...(categoriesIncluded === null ? [] : [{ terms: { category: [...categoriesIncluded] } }]),
    ...(language === null ? [] : [{ term: { language } }]),
    ...(not.length === 0 ? [] : [{ bool: { must_not: not } }]),
  ];
}

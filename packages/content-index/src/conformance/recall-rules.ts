import type { Article } from "@feed/domain/article";
import { asId } from "@feed/domain/ids";
import type { AreaId } from "@feed/domain/ids";
import { expect } from "vitest";
import type { ContentIndex, RecallFilter, RecallLeg } from "../port.ts";
import { ContentRejected, LEG_CANDIDATES_MAX, RECALL_LEGS_MAX } from "../port.ts";
import {
  articleOf,
  CONFORMANCE_DIMENSIONS,
  contentIds,
  filterOf,
  HOUR_MS,
  idsOf,
  NOW_MS,
  put,
  vectorAt,
} from "./articles.ts";
import { NO_POSITIONS, rule } from "./rule.ts";
import type { Rule } from "./rule.ts";

/** One leg of each kind, all of which find both articles of a filter rule when nothing is filtered. */
const LEGS: readonly RecallLeg[] = [
  { kind: "nearest", vector: vectorAt(0), limit: 10 },
  { kind: "fresh", language: null, limit: 10 },
  { kind: "areas", areaIds: [asId("area-1")], limit: 10 },
  { kind: "sources", sourceIds: [asId("source-a"), asId("source-b")], limit: 10 },
  { kind: "among", contentIds: contentIds("kept", "filtered"), limit: 10 },
  { kind: "sample", seed: 7, publishedAfterMs: 0, limit: 10 },
];

/** Each hard filter, and how the article that fails it differs from the one that passes. */
const FILTERS: readonly (readonly [string, Partial<RecallFilter>, Partial<Article>])[] = [
  [
    "sourcesIncluded",
    { sourcesIncluded: new Set([asId("source-a")]) },
    { sourceId: asId("source-b") },
  ],
  [
    "sourcesExcluded",
    { sourcesExcluded: new Set([asId("source-b")]) },
    { sourceId: asId("source-b") },
  ],
  ["categoriesIncluded", { categoriesIncluded: new Set(["society"]) }, { category: "sports" }],
  ["categoriesExcluded", { categoriesExcluded: new Set(["sports"]) }, { category: "sports" }],
  ["contentsExcluded", { contentsExcluded: new Set(contentIds("filtered")) }, {}],
  ["language", { language: "ja" }, { language: "en" }],
  [
    "publishedAfterMs",
    { publishedAfterMs: NOW_MS - 2 * HOUR_MS },
    { publishedAtMs: NOW_MS - 2 * HOUR_MS },
  ],
  ["publishedBeforeMs", { publishedBeforeMs: NOW_MS }, { publishedAtMs: NOW_MS + 1 }],
];

const filterRules: readonly Rule[] = FILTERS.flatMap(([filterName, filter, difference]) =>
  LEGS.map((leg) =>
    rule(`keeps what fails ${filterName} out of the ${leg.kind} leg`, async (index) => {
      const areas = [{ areaId: asId<AreaId>("area-1"), confidence: 1 }];
      await fill(
        index,
        articleOf("kept", { areas }),
        articleOf("filtered", { areas, ...difference }),
      );
      const everything = filterOf({ publishedBeforeMs: NOW_MS + HOUR_MS });
      expect(idsOf(await index.recall(everything, [leg])).sort()).toEqual(["filtered", "kept"]);
      expect(idsOf(await index.recall(filterOf(filter), [leg]))).toEqual(["kept"]);
    }),
  ),
);

const legRules: readonly Rule[] = [
  rule("finds the nearest by cosine, best first, up to the limit", async (index) => {
    await fill(
      index,
      ...[40, 10, 90, 20].map((at) => articleOf(`at-${at}`, { vector: vectorAt(at) })),
    );
    const leg: RecallLeg = { kind: "nearest", vector: vectorAt(0), limit: 3 };
    expect(idsOf(await index.recall(filterOf(), [leg]))).toEqual(["at-10", "at-20", "at-40"]);
  }),
  rule("finds the newest first", async (index) => {
    await fill(index, aged("old", 3), aged("new", 1), aged("middle", 2));
    const leg: RecallLeg = { kind: "fresh", language: null, limit: 2 };
    expect(idsOf(await index.recall(filterOf(), [leg]))).toEqual(["new", "middle"]);
  }),
  rule("finds the newest of a language where the fresh leg names one", async (index) => {
    await fill(index, aged("ja-1", 1), aged("en-2", 2, { language: "en" }), aged("ja-3", 3));
    const leg: RecallLeg = { kind: "fresh", language: "en", limit: 2 };
    expect(idsOf(await index.recall(filterOf(), [leg]))).toEqual(["en-2"]);
  }),
  rule("finds the newest of any of the areas, each once", async (index) => {
    const inAreas = (...areas: string[]): Partial<Article> => ({
      areas: areas.map((areaId) => ({ areaId: asId(areaId), confidence: 1 })),
    });
    await fill(
      index,
      aged("both", 2, inAreas("area-1", "area-2")),
      aged("second", 1, inAreas("area-2")),
      aged("first", 3, inAreas("area-1")),
      aged("elsewhere", 1, inAreas("area-3")),
    );
    const areaIds = ["area-1", "area-2", "area-unknown"].map((id) => asId<AreaId>(id));
    const leg: RecallLeg = { kind: "areas", areaIds, limit: 10 };
    expect(idsOf(await index.recall(filterOf(), [leg]))).toEqual(["second", "both", "first"]);
  }),
  rule("finds the newest of the sources", async (index) => {
    await fill(
      index,
      aged("a-2", 2),
      aged("b-1", 1, { sourceId: asId("source-b") }),
      aged("a-3", 3),
    );
    const leg: RecallLeg = { kind: "sources", sourceIds: [asId("source-a")], limit: 1 };
    expect(idsOf(await index.recall(filterOf(), [leg]))).toEqual(["a-2"]);
  }),
  rule("finds the named articles in the order named, each once", async (index) => {
    await fill(index, aged("one", 1), aged("two", 2), aged("three", 3));
    const ids = contentIds("three", "unknown", "one", "three", "two");
    const leg: RecallLeg = { kind: "among", contentIds: ids, limit: 2 };
    expect(idsOf(await index.recall(filterOf(), [leg]))).toEqual(["three", "one"]);
  }),
  rule(
    "samples only articles newer than the leg says, the same for the same seed",
    async (index) => {
      const young = Array.from({ length: 40 }, (_, i) => aged(`young-${i}`, 1));
      await fill(index, ...young, aged("old", 5));
      const sample = async (seed: number, limit: number): Promise<string[]> => {
        const publishedAfterMs = NOW_MS - 5 * HOUR_MS;
        return idsOf(
          await index.recall(filterOf(), [{ kind: "sample", seed, publishedAfterMs, limit }]),
        );
      };
      expect(new Set(await sample(1, 100))).toEqual(
        new Set(young.map(({ contentId }) => contentId)),
      );
      expect(await sample(1, 10)).toHaveLength(10);
      expect(await sample(1, 10)).toEqual(await sample(1, 10));
      expect(await sample(2, 10)).not.toEqual(await sample(1, 10));
    },
  ),
  rule(
    "unites legs in order of first leg and rank and tells which legs found each",
    async (index) => {
      await fill(index, aged("new-far", 1, {}, 80), aged("old-near", 3, {}, 10));
      const candidates = await index.recall(filterOf(), [
        { kind: "nearest", vector: vectorAt(0), limit: 1 },
        { kind: "fresh", language: null, limit: 2 },
      ]);
      expect(idsOf(candidates)).toEqual(["old-near", "new-far"]);
      expect([...candidates.legs]).toEqual([0b11, 0b10]);
    },
  ),
  rule("breaks equal distances and equal times by content id", async (index) => {
    // More equals than any first pass keeps, in an order that is not that of their ids.
    const ids = Array.from(
      { length: 120 },
      (_, i) => `same-${String((i * 77) % 120).padStart(3, "0")}`,
    );
    await fill(index, ...ids.map((id) => articleOf(id)));
    const first = [...ids].sort().slice(0, 5);
    const legs: RecallLeg[] = [
      { kind: "nearest", vector: vectorAt(20), limit: 5 },
      { kind: "fresh", language: null, limit: 5 },
      { kind: "sources", sourceIds: [asId("source-a")], limit: 5 },
    ];
    for (const leg of legs) expect(idsOf(await index.recall(filterOf(), [leg]))).toEqual(first);
  }),
  rule("gives candidates the whole article and its vector", async (index) => {
    const article = articleOf("whole", {
      author: "Author",
      thumbnail: { id: asId("ab"), width: 640, height: 360 },
      areas: [{ areaId: asId("area-1"), confidence: 0.75 }],
      canonicalUrl: "https://publisher.example/canonical",
      duplicateGroup: "another",
      vector: vectorAt(33),
    });
    await fill(index, article);
    const { bodyHtml, bodyMarkdown, embedding, analysedBy, ...indexed } = article;
    expect([bodyHtml, bodyMarkdown, analysedBy]).toBeDefined();
    const candidates = await index.recall(filterOf(), [
      { kind: "fresh", language: null, limit: 1 },
    ]);
    expect(candidates.articles).toEqual([indexed]);
    expect([...candidates.vector(0)]).toEqual([...embedding.vector]);
  }),
  rule("gives candidates in columns what ranking reads of each article", async (index) => {
    const fields = {
      category: "sports",
      language: "en",
      quality: 0.75,
      duplicateGroup: "one",
    } as const;
    const one = articleOf("one", fields);
    const same = articleOf("same", fields);
    const other = articleOf("other", { sourceId: asId("source-b"), publishedAtMs: NOW_MS - 1 });
    await fill(index, one, same, other);
    const legs: RecallLeg[] = [{ kind: "among", contentIds: contentIds("one", "same"), limit: 2 }];
    const found = await index.recall(filterOf(), legs);
    const rest = await index.recall(filterOf(), [
      { kind: "among", contentIds: contentIds("other"), limit: 1 },
    ]);
    for (const column of ["sources", "categories", "languages", "stories"] as const) {
      const [first, second] = found[column];
      expect([column, second]).toEqual([column, first]);
      expect([column, rest[column][0]]).not.toEqual([column, first]);
    }
    expect([...found.quality]).toEqual([0.75, 0.75]);
    expect([...rest.publishedAtMs]).toEqual([NOW_MS - 1]);
  }),
  rule("multiplies candidates' vectors with others, all of them or some", async (index) => {
    await fill(index, ...[0, 60, 90].map((at) => articleOf(`at-${at}`, { vector: vectorAt(at) })));
    const ids = contentIds("at-0", "at-60", "at-90");
    const found = await index.recall(filterOf(), [{ kind: "among", contentIds: ids, limit: 3 }]);
    const rounded = (products: Float32Array) =>
      Array.from(products, (one) => Number(one.toFixed(5)));
    expect(rounded(found.products(vectorAt(0)))).toEqual([1, 0.5, 0]);
    expect(rounded(found.products(vectorAt(0), Int32Array.of(1)))).toEqual([0.5]);
  }),
  rule("recalls nothing from an empty index, whatever the legs", async (index) => {
    expect(idsOf(await index.recall(filterOf(), LEGS))).toEqual([]);
    expect(idsOf(await index.recall(filterOf(), []))).toEqual([]);
  }),
  rule("answers more nearest legs than any group of them", async (index) => {
    const angles = Array.from({ length: 11 }, (_, i) => i * 15);
    await fill(index, ...angles.map((at) => articleOf(`at-${at}`, { vector: vectorAt(at) })));
    const legs = angles.map((at): RecallLeg => ({
      kind: "nearest",
      vector: vectorAt(at),
      limit: 1,
    }));
    expect(idsOf(await index.recall(filterOf(), legs))).toEqual(angles.map((at) => `at-${at}`));
  }),
  rule("refuses legs beyond the limits and vectors of another size", async (index) => {
    const fresh = (limit: number): RecallLeg => ({ kind: "fresh", language: null, limit });
    const nearest = (vector: Float32Array): RecallLeg => ({ kind: "nearest", vector, limit: 1 });
    const refused: readonly (readonly RecallLeg[])[] = [
      [fresh(0)],
      [fresh(1.5)],
      [fresh(LEG_CANDIDATES_MAX + 1)],
      Array.from({ length: RECALL_LEGS_MAX + 1 }, () => fresh(1)),
      [nearest(new Float32Array(CONFORMANCE_DIMENSIONS + 1))],
      [nearest(new Float32Array(CONFORMANCE_DIMENSIONS).fill(Number.NaN))],
    ];
    for (const legs of refused) {
      await expect(index.recall(filterOf(), legs)).rejects.toThrow(ContentRejected);
    }
    await index.recall(
      filterOf(),
      Array.from({ length: RECALL_LEGS_MAX }, () => fresh(LEG_CANDIDATES_MAX)),
    );
  }),
];

export const recallRules: readonly Rule[] = [...filterRules, ...legRules];

function aged(id: string, ageHours: number, fields: Partial<Article> = {}, degrees = 0): Article {
  const publishedAtMs = NOW_MS - ageHours * HOUR_MS;
  return articleOf(id, { publishedAtMs, vector: vectorAt(degrees), ...fields });
}

async function fill(index: ContentIndex, ...articles: readonly Article[]): Promise<void> {
  await index.apply(
    articles.map((article) => put(article)),
    NO_POSITIONS,
  );
}

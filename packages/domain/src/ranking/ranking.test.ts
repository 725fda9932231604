import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asId, type AreaId, type ContentId, type SourceId } from "../ids.ts";
import { DEFAULT_SCENARIO_SETTINGS } from "../scenario.ts";
import { buildInterests, INTERESTS_SEARCHED_MAX } from "./interests.ts";
import { candidate, context, NOW_MS, rank, topic } from "./ranking.fixture.ts";
import { dot } from "./vector.ts";
import { Engagement, smoothedEngagement } from "./worth.ts";

const DAY_MS = 24 * 3_600_000;
const settings = DEFAULT_SCENARIO_SETTINGS;

const mark = (id: string, ageDays = 0, weight = 1) => ({
  contentId: asId<ContentId>(id),
  weight,
  atMs: NOW_MS - ageDays * DAY_MS,
});
const interestOptions = { nowMs: NOW_MS, halfLifeDays: 14, stated: [], statedWeight: 0.5 };

describe("Interests (architecture section 3)", () => {
  const vectors = new Map(
    Array.from(
      { length: 12 },
      (_, at) => [asId<ContentId>(`c${at}`), topic(at % 6, at / 100)] as const,
    ),
  );

  it("keep two hobbies apart instead of averaging them", () => {
    const marks = [mark("c0"), mark("c6"), mark("c1"), mark("c7")];
    const { liked } = buildInterests(marks, vectors, { ...interestOptions });
    expect(Math.max(...liked.map(({ vector }) => dot(vector, topic(0))))).toBeGreaterThan(0.99);
    expect(Math.max(...liked.map(({ vector }) => dot(vector, topic(1))))).toBeGreaterThan(0.99);
  });

  it("are at most INTERESTS_SEARCHED_MAX, joining the nearest", () => {
    const marks = Array.from({ length: 12 }, (_, at) => mark(`c${at}`));
    const { liked } = buildInterests(marks, vectors, interestOptions);
    expect(liked).toHaveLength(INTERESTS_SEARCHED_MAX);
    expect(liked.flatMap(({ members }) => members)).toHaveLength(12);
    const home = liked.find(({ members }) => members.includes(asId("c0")));
    expect(home?.members).toContain("c6");
  });

  it("fade: the fresher of two equal hobbies is the stronger", () => {
    const { liked } = buildInterests([mark("c0", 28), mark("c1", 0)], vectors, interestOptions);
    expect(liked.map(({ members }) => members)).toEqual([["c1"], ["c0"]]);
    expect(liked[1]?.strength).toBeCloseTo(0.25);
  });

  it("keep their direction and are grouped as before when they have faded to nothing", () => {
    const years = 400 * 365;
    const marks = [mark("c0", years), mark("c6", years), mark("c1", years), mark("c7", years)];
    const { liked } = buildInterests(marks, vectors, interestOptions);
    for (const { vector } of liked) expect(dot(vector, vector)).toBeCloseTo(1);
    const twelve = Array.from({ length: 12 }, (_, at) => mark(`c${at}`, years));
    const joined = buildInterests(twelve, vectors, interestOptions).liked;
    expect(joined).toHaveLength(INTERESTS_SEARCHED_MAX);
    for (const { vector } of joined) expect(dot(vector, vector)).toBeCloseTo(1);
    const home = joined.find(({ members }) => members.includes(asId("c0")));
    expect(home?.members).toContain("c6");
  });

  it("leave out articles whose vector is not held, and keep dislikes apart", () => {
    const { liked, disliked } = buildInterests(
      [mark("gone"), mark("c1", 0, -1)],
      vectors,
      interestOptions,
    );
    expect(liked).toEqual([]);
    expect(disliked).toEqual([vectors.get(asId("c1"))]);
  });
});

describe("Scores (architecture section 3, step 2)", () => {
  it("lie in [0, 1] and descend, whatever the input", () => {
    const arbitrary = fc.record({
      id: fc.uuid(),
      source: fc.constantFrom("s1", "s2"),
      ageHours: fc.integer({ min: -24, max: 100_000 }),
      language: fc.constantFrom("ja", "en"),
      vector: fc.integer({ min: 0, max: 7 }).map((axis) => topic(axis)),
    });
    fc.assert(
      fc.property(fc.array(arbitrary, { maxLength: 40 }), (inputs) => {
        const liked = [{ vector: topic(0), strength: 1, members: [] }];
        const { order, scores, parts } = rank(
          inputs.map(candidate),
          context({
            interests: { liked, disliked: [topic(3)] },
            followedSources: new Set([asId<SourceId>("s1")]),
            language: "ja",
          }),
        );
        let last = 1;
        for (const at of order) {
          expect(scores[at]).toBeGreaterThanOrEqual(0);
          expect(scores[at]).toBeLessThanOrEqual(last);
          last = scores[at] as number;
        }
        expect(order.toSorted()).toEqual(Int32Array.from(inputs.keys()));
        for (const values of Object.values(parts)) {
          expect(values.every((part) => part >= 0 && part <= 1)).toBe(true);
        }
      }),
    );
  });

  it("put what is near an interest above what is not", () => {
    const candidates = [
      candidate({ id: "far", vector: topic(4) }),
      candidate({ id: "near", vector: topic(0) }),
    ];
    const interests = { liked: [{ vector: topic(0), strength: 1, members: [] }], disliked: [] };
    expect(rank(candidates, context({ interests })).ids).toEqual(["near", "far"]);
  });

  it("push down what is near a disliked article", () => {
    const liked = [{ vector: topic(0, 0.9), strength: 1, members: [] }];
    const background = Array.from({ length: 20 }, (_, at) =>
      candidate({ id: `x${at}`, vector: topic(5) }),
    );
    const candidates = [
      candidate({ id: "a", vector: topic(0, 0.6) }),
      candidate({ id: "b", vector: topic(1) }),
      ...background,
    ];
    const before = rank(candidates, context({ interests: { liked, disliked: [] } }));
    const after = rank(candidates, context({ interests: { liked, disliked: [topic(0, 0.6)] } }));
    expect(before.ids[0]).toBe("a");
    expect(after.ids[0]).toBe("b");
  });

  it("halve freshness every half-life", () => {
    const half = settings.freshnessHalfLifeHours;
    const { parts } = rank(
      [candidate({ id: "new", ageHours: 0 }), candidate({ id: "old", ageHours: half })],
      context(),
    );
    const [fresh = 0, faded = 0] = parts.freshness;
    expect(faded / fresh).toBeCloseTo(0.5);
  });

  it.each([
    ["a followed source", { followedSources: new Set([asId<SourceId>("s")]) }],
    ["an area of the request", { areaIds: new Set([asId<AreaId>("pref-13")]) }],
    ["the reader's language", { language: "en" }],
  ])("are raised by %s", (_what, changes) => {
    const areas = [{ areaId: asId<AreaId>("pref-13"), confidence: 1 }];
    const plain = candidate({ id: "a" });
    const boosted = candidate({ id: "b", source: "s", language: "en", areas });
    expect(rank([plain, boosted], context()).ids).toEqual(["a", "b"]);
    expect(rank([plain, boosted], context(changes)).ids).toEqual(["b", "a"]);
  });

  it("believe a click-through rate the more impressions it has", () => {
    const rate = (clicks: number, impressions: number) =>
      smoothedEngagement({ clicks, impressions }, 0.05);
    expect(smoothedEngagement(undefined, 0.05)).toBeCloseTo(0.5);
    expect(rate(1, 1)).toBeLessThan(rate(300, 1_000));
    expect(rate(0, 1)).toBeGreaterThan(rate(0, 1_000));
  });

  it("are raised by clicks also where no impressions are reported", () => {
    const candidates = ["a", "b", "c"].map((id) => candidate({ id }));
    const engagement = new Map(
      [1, 30].map((clicks, at) => [asId<ContentId>("bc".charAt(at)), { clicks, impressions: 0 }]),
    );
    expect(rank(candidates, context({ engagement: new Engagement(engagement) })).ids).toEqual([
      "c",
      "b",
      "a",
    ]);
  });

  it("tell the nearest apart from the near, whatever range a model's similarities lie in", () => {
    const interests = { liked: [{ vector: topic(0), strength: 1, members: [] }], disliked: [] };
    const tilts = Array.from({ length: 40 }, (_, at) =>
      candidate({ id: `t${at}`, vector: topic(0, 0.2 + at / 400) }),
    );
    const scored = rank(tilts, context({ interests }));
    expect(scored.ids.slice(0, 4)).toEqual(["t0", "t1", "t2", "t3"]);
    expect(scored.parts.relevance[0]).toBeGreaterThan(scored.parts.relevance[3] ?? 1);
  });

  it("differ where they differ at all, and stand by content id where they don't", () => {
    const near = (tilt: number) => topic(0, tilt);
    const interests = { liked: [{ vector: topic(0), strength: 1, members: [] }], disliked: [] };
    const background = Array.from({ length: 9 }, (_, at) =>
      candidate({ id: `x${at}`, vector: topic(4) }),
    );
    const ties = ["b", "c", "a"].map((id) => candidate({ id, vector: near(0.5) }));
    const best = candidate({ id: "z", vector: near(0.499_999) });
    const { ids } = rank([...background, ...ties, best], context({ interests }));
    expect(ids.slice(0, 4)).toEqual(["z", "a", "b", "c"]);
  });
});

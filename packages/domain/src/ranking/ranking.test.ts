import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asId, type AreaId, type ContentId, type SourceId } from "../ids.ts";
import { DEFAULT_SCENARIO_SETTINGS } from "../scenario.ts";
import { buildInterests, INTERESTS_SEARCHED_MAX, NO_INTERESTS } from "./interests.ts";
import { candidate, ids, NOW_MS, topic } from "./ranking.fixture.ts";
import { scoreCandidates, smoothedEngagement, type RankingContext } from "./score.ts";
import { dot } from "./vector.ts";

const DAY_MS = 24 * 3_600_000;
const settings = DEFAULT_SCENARIO_SETTINGS;

const context = (changes: Partial<RankingContext> = {}): RankingContext => ({
  settings,
  interests: NO_INTERESTS,
  followedSources: new Set(),
  areaIds: new Set(),
  language: null,
  engagement: new Map(),
  nowMs: NOW_MS,
  ...changes,
});

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
        const scored = scoreCandidates(
          inputs.map(candidate),
          context({
            interests: { liked, disliked: [topic(3)] },
            followedSources: new Set([asId<SourceId>("s1")]),
            language: "ja",
          }),
        );
        scored.forEach(({ score, parts }, at) => {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(Math.min(1, scored[at - 1]?.score ?? 1));
          expect(Object.values(parts).every((part) => part >= 0 && part <= 1)).toBe(true);
        });
      }),
    );
  });

  it("put what is near an interest above what is not", () => {
    const candidates = [
      candidate({ id: "far", vector: topic(4) }),
      candidate({ id: "near", vector: topic(0) }),
    ];
    const interests = { liked: [{ vector: topic(0), strength: 1, members: [] }], disliked: [] };
    expect(ids(scoreCandidates(candidates, context({ interests })))).toEqual(["near", "far"]);
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
    const before = scoreCandidates(candidates, context({ interests: { liked, disliked: [] } }));
    const after = scoreCandidates(
      candidates,
      context({ interests: { liked, disliked: [topic(0, 0.6)] } }),
    );
    expect(ids(before)[0]).toBe("a");
    expect(ids(after)[0]).toBe("b");
  });

  it("halve freshness every half-life", () => {
    const half = settings.freshnessHalfLifeHours;
    const scored = scoreCandidates(
      [candidate({ id: "new", ageHours: 0 }), candidate({ id: "old", ageHours: half })],
      context(),
    );
    const [fresh, faded] = scored.map(({ parts }) => parts.freshness) as [number, number];
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
    expect(ids(scoreCandidates([plain, boosted], context()))).toEqual(["a", "b"]);
    expect(ids(scoreCandidates([plain, boosted], context(changes)))).toEqual(["b", "a"]);
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
    expect(ids(scoreCandidates(candidates, context({ engagement })))).toEqual(["c", "b", "a"]);
  });

  it("tell the nearest apart from the near, whatever range a model's similarities lie in", () => {
    const interests = { liked: [{ vector: topic(0), strength: 1, members: [] }], disliked: [] };
    const tilts = Array.from({ length: 40 }, (_, at) =>
      candidate({ id: `t${at}`, vector: topic(0, 0.2 + at / 400) }),
    );
    const scored = scoreCandidates(tilts, context({ interests }));
    expect(ids(scored).slice(0, 4)).toEqual(["t0", "t1", "t2", "t3"]);
    expect(scored[0]?.parts.relevance).toBeGreaterThan(scored[3]?.parts.relevance ?? 1);
  });
});

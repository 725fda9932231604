import { describe, expect, it } from "vitest";
import { CATEGORIES, type Category } from "../article.ts";
import { DEFAULT_SCENARIO_SETTINGS, type ScenarioSettings } from "../scenario.ts";
import { asId, type ContentId, type SourceId } from "../ids.ts";
import { candidatesFrom, type Candidate } from "./candidates-from.ts";
import { diversify, type Placed } from "./diversify.ts";
import { candidate, topic, type CandidateInput } from "./ranking.fixture.ts";

const settings = DEFAULT_SCENARIO_SETTINGS;

interface Ranked {
  readonly candidate: Candidate;
  readonly score: number;
}

interface Place extends Placed {
  readonly article: Candidate["article"];
}

describe("Diversity (architecture section 3, step 3)", () => {
  const scored = (input: CandidateInput, score: number): Ranked => ({
    candidate: candidate(input),
    score,
  });
  const place = (
    ranked: readonly Ranked[],
    options: {
      pins?: readonly string[];
      explored?: readonly string[];
      settings?: ScenarioSettings;
    } = {},
  ): Place[] => {
    const candidates = candidatesFrom(ranked.map((one) => one.candidate));
    const { articles } = candidates;
    const pins = (options.pins ?? []).map((id) => asId<ContentId>(id));
    const ranking = {
      order: Int32Array.from(ranked.keys()),
      scores: Float64Array.from(ranked, ({ score }) => score),
    };
    return diversify(candidates, ranking, {
      settings: { ...(options.settings ?? { ...settings, explorationShare: 0 }), pins },
      itemsMax: 500,
      isExploration: (at) => options.explored?.includes(articles[at]?.contentId ?? "") ?? false,
    }).map((placed) => ({ ...placed, article: (ranked[placed.at] as Ranked).candidate.article }));
  };
  const order = (placed: readonly Place[]) => placed.map(({ article }) => article.contentId);
  const greatestShare = (placed: readonly Place[], of: "sourceId" | "category") => {
    const values = placed.map(({ article }) => article[of]);
    const windows = values
      .map((_, at) => values.slice(at, at + 20))
      .filter(({ length }) => length === 20);
    return Math.max(
      ...windows.map((run) => Math.max(...run.map((v) => run.filter((w) => w === v).length))),
    );
  };

  it("keeps a source at 30 % and a category at 40 % of any 20 items while there is anything else", () => {
    const sources = ["big", "big", "big", "b", "c", "d", "e"];
    const many = Array.from({ length: 300 }, (_, at) =>
      scored(
        {
          id: `c${String(at).padStart(3, "0")}`,
          source: sources[at % 7] as string,
          category: at % 2 === 0 ? "sports" : (CATEGORIES[at % 5] as Category),
          vector: topic(at % 8),
        },
        1 - at / 1_000,
      ),
    );
    const placed = place(many).slice(0, 100);
    expect(greatestShare(placed, "sourceId")).toBeLessThanOrEqual(6);
    expect(greatestShare(placed, "category")).toBeLessThanOrEqual(8);
    expect(
      greatestShare(
        place(many, {
          settings: { ...settings, caps: { source: 1, category: 1, windowItems: 20 } },
        }),
        "category",
      ),
    ).toBeGreaterThan(8);
  });

  it("keeps one source at a share of its own, below or above that of all, and one place at least", () => {
    const many = Array.from({ length: 200 }, (_, at) =>
      scored(
        {
          id: `c${at}`,
          source: at % 2 === 0 ? "own" : `other-${at % 9}`,
          category: CATEGORIES[at % 7] as Category,
        },
        1 - at / 1_000,
      ),
    );
    const most = (share: number) => {
      const sourceCaps = [{ id: asId<SourceId>("own"), share }];
      const placed = place(many, { settings: { ...settings, explorationShare: 0, sourceCaps } });
      const runs = placed.slice(0, 60).map((_, at) => placed.slice(at, at + 20));
      const counts = runs.map(
        (run) => run.filter(({ article }) => article.sourceId === "own").length,
      );
      expect(placed).toHaveLength(200);
      return Math.max(...counts);
    };
    expect([0.01, 0.1, 0.3, 0.5].map(most)).toEqual([1, 2, 6, 10]);
  });

  it("loses no article where there are too few sources to keep a cap", () => {
    const two = Array.from({ length: 30 }, (_, at) =>
      scored({ id: `c${at}`, source: at < 25 ? "a" : "b", category: "sports" }, 1 - at / 100),
    );
    expect(new Set(order(place(two))).size).toBe(30);
  });

  it("shows a story once, by its best-placed article", () => {
    const ranked = [
      scored({ id: "a", group: "g" }, 0.9),
      scored({ id: "b" }, 0.8),
      scored({ id: "c", group: "g" }, 0.7),
    ];
    expect(order(place(ranked))).toEqual(["a", "b"]);
  });

  it("lifts something different over something alike (maximal marginal relevance)", () => {
    const ranked = [
      scored({ id: "a", vector: topic(0) }, 0.9),
      scored({ id: "alike", vector: topic(0, 0.01) }, 0.85),
      scored({ id: "different", vector: topic(4) }, 0.8),
    ];
    const placed = place(ranked);
    expect(order(placed)).toEqual(["a", "different", "alike"]);
    expect(placed[1]).toMatchObject({ moved: 1, rule: "similar_to_others" });
    expect(
      order(place(ranked, { settings: { ...settings, explorationShare: 0, diversityLambda: 1 } })),
    ).toEqual(["a", "alike", "different"]);
  });

  it("puts pins first and says so", () => {
    const ranked = [scored({ id: "a" }, 0.9), scored({ id: "b", vector: topic(2) }, 0.5)];
    const placed = place(ranked, { pins: ["b"] });
    expect(order(placed)).toEqual(["b", "a"]);
    expect(placed[0]?.rule).toBe("pin");
  });

  it("gives each tenth place to an explored article", () => {
    const ranked = Array.from({ length: 40 }, (_, at) =>
      scored({ id: `c${at}`, vector: topic(at % 8) }, 1 - at / 100),
    );
    const explored = Array.from({ length: 5 }, (_, at) => scored({ id: `x${at}` }, 0.1));
    const placed = place([...ranked, ...explored], {
      explored: ["x0", "x1", "x2", "x3", "x4"],
      settings,
    });
    expect([9, 19, 29].map((at) => placed[at]?.rule)).toEqual([
      "exploration",
      "exploration",
      "exploration",
    ]);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CATEGORIES } from "../article.ts";
import { asId } from "../ids.ts";
import { DEFAULT_SCENARIO_SETTINGS, type RankingRule } from "../scenario.ts";
import { candidate, context, rank, topic } from "./ranking.fixture.ts";
import { rulesFor, scoreUnder } from "./rules.ts";

const SOURCES = ["s1", "s2", "s3"];
const IDS = Array.from({ length: 12 }, (_, at) => `c${at}`);

const source = (id: string, factor: number): RankingRule => ({
  match: "source",
  id: asId(id),
  factor,
});
const article = (id: string, factor: number): RankingRule => ({
  match: "article",
  id: asId(id),
  factor,
});
const category = (id: (typeof CATEGORIES)[number], factor: number): RankingRule => ({
  match: "category",
  id,
  factor,
});

const scored = (
  inputs: readonly Parameters<typeof candidate>[0][],
  rankingRules: readonly RankingRule[],
) =>
  rank(
    inputs.map(candidate),
    context({ settings: { ...DEFAULT_SCENARIO_SETTINGS, rankingRules } }),
  );

// Far enough apart that no rounding turns an order round.
const factor = fc.constantFrom(0.05, 0.25, 0.5, 0.9, 1, 1.25, 2, 4, 20);
const rules = fc.uniqueArray(
  fc.oneof(
    fc.tuple(fc.constantFrom(...SOURCES), factor).map(([id, by]) => source(id, by)),
    fc.tuple(fc.constantFrom(...CATEGORIES), factor).map(([id, by]) => category(id, by)),
    fc.tuple(fc.constantFrom(...IDS), factor).map(([id, by]) => article(id, by)),
  ),
  { maxLength: 10, selector: ({ match, id }) => `${match} ${id}` },
);
const inputs = fc.array(
  fc.record({
    source: fc.constantFrom(...SOURCES),
    category: fc.constantFrom(...CATEGORIES),
    ageHours: fc.integer({ min: 0, max: 1_000 }),
    vector: fc.integer({ min: 0, max: 7 }).map((axis) => topic(axis)),
  }),
  { minLength: 1, maxLength: IDS.length },
);
const named = (list: readonly object[]) =>
  list.map((input, at) => ({ ...input, id: IDS[at] as string }));

describe("Ranking rules", () => {
  it("move what they match and nothing else, up where their factors exceed 1 and down where not", () => {
    fc.assert(
      fc.property(inputs, rules, (list, given) => {
        const before = scored(named(list), []);
        const after = scored(named(list), given);
        named(list).forEach((input, at) => {
          const { article: of } = candidate(input);
          const product = rulesFor(given, of).reduce((all, rule) => all * rule.factor, 1);
          const [was = 0, is = 0] = [before.scores[at], after.scores[at]];
          expect(is).toBeGreaterThanOrEqual(0);
          expect(is).toBeLessThanOrEqual(1);
          expect(Math.sign(is - was)).toBe(was === 0 || was === 1 ? 0 : Math.sign(product - 1));
        });
      }),
    );
  });

  it("keep the order among what the same factor applies to", () => {
    const score = fc.integer({ min: 0, max: 1_000 }).map((thousandths) => thousandths / 1_000);
    fc.assert(
      fc.property(score, score, factor, (one, other, by) => {
        const order = Math.sign(one - other);
        expect(order * Math.sign(scoreUnder(one, by) - scoreUnder(other, by))).not.toBe(-1);
        expect(scoreUnder(one, by)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("lift more the greater their factor", () => {
    const values = [0.05, 0.5, 1, 2, 20].map((by) => scoreUnder(0.4, by));
    expect(values).toEqual(values.toSorted());
    expect(values[2]).toBe(0.4);
    expect(scoreUnder(0.4, 0.5)).toBeCloseTo(0.2);
    // Odds of 2 to 3 doubled.
    expect(scoreUnder(0.4, 2)).toBeCloseTo(4 / 7);
  });

  it("match a source, a category and an article, and their factors are multiplied", () => {
    const list = [
      { id: "c0", source: "s1", category: "sports" },
      { id: "c1", source: "s2", category: "sports" },
      { id: "c2", source: "s2", category: "food" },
    ] as const;
    const given = [source("s1", 4), category("sports", 0.5), article("c2", 2)];
    const [plain = 0] = scored(list, []).scores;
    expect([...scored(list, given).scores]).toEqual([2, 0.5, 2].map((by) => scoreUnder(plain, by)));
    const cancelling = [source("s1", 2), category("sports", 0.5)];
    expect(scored(list, cancelling).scores[0]).toBe(plain);
  });

  it("are named for an article: of its source, its category, its own", () => {
    const given = [article("c0", 2), category("food", 3), source("s1", 4), source("s2", 5)];
    const { article: of } = candidate({ id: "c0", source: "s1", category: "food" });
    expect(rulesFor(given, of)).toEqual([given[2], given[1], given[0]]);
    expect(rulesFor([], of)).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { entriesOf, kindsOf, named, valueOfEntry } from "./entries.ts";

const number = { name: "factor", minimum: 0.05, maximum: 20 };

describe("Things with a number", () => {
  it("come out as they went in, with their kind where there is a choice of kinds", () => {
    const rules = [
      { match: "category", id: "sports", factor: 2 },
      { match: "source", id: "daily", factor: 0.5 },
    ];
    const field = { matches: ["source", "category"], number };
    expect(entriesOf(rules).map((entry) => valueOfEntry(field, entry))).toEqual(rules);
    const caps = [{ id: "daily", share: 0.1 }];
    const capField = { matches: undefined, number: { ...number, name: "share" } };
    expect(entriesOf(caps).map((entry) => valueOfEntry(capField, entry))).toEqual(caps);
    expect(kindsOf(capField)).toEqual(["source"]);
  });

  it("are none where there is no list, and keep a number that is not written yet", () => {
    expect(entriesOf(undefined)).toEqual([]);
    expect(entriesOf([{ id: "daily" }, "daily", null])).toEqual([
      { match: "source", id: "daily", number: Number.NaN },
    ]);
  });
});

it("finds names by a part of them, or by the id", () => {
  const things = [
    ["a1", "Tokyo Times"],
    ["b2", "Osaka Post"],
  ] as const;
  expect(named(things, " TOKYO ")).toEqual([things[0]]);
  expect(named(things, "b2")).toEqual([things[1]]);
  expect(named(things, "")).toEqual(things);
});

import { expect, it } from "vitest";
import { differenceOf } from "./difference.ts";

it("finds nothing between equal settings, whatever the order of their names", () => {
  expect(differenceOf({ a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 })).toEqual([]);
});

it("finds what was changed, within sections too", () => {
  const before = { weights: { relevance: 1, freshness: 2 }, age: null };
  const after = { weights: { relevance: 1, freshness: 3 }, age: 24 };
  expect(differenceOf(before, after)).toEqual([
    { path: ["weights", "freshness"], before: 2, after: 3 },
    { path: ["age"], before: null, after: 24 },
  ]);
});

it("finds what came and went, and takes a list as a whole", () => {
  expect(differenceOf({ pins: ["a"], old: 1 }, { pins: ["b", "a"], new: 2 })).toEqual([
    { path: ["pins"], before: ["a"], after: ["b", "a"] },
    { path: ["old"], before: 1, after: undefined },
    { path: ["new"], before: undefined, after: 2 },
  ]);
});

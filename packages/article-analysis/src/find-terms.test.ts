import { describe, expect, it } from "vitest";
import { findTerms, foldText, indexTerms } from "./find-terms.ts";
import type { WeightedTerm } from "./terms.ts";

const terms: readonly WeightedTerm[] = [
  "映画",
  "映画館",
  "ライブ",
  "スマホ",
  "夫",
  "iphone",
  "home run",
  "tie",
].map((term) => ({ term, category: "other", weight: 1 }));
const index = indexTerms(terms);

describe("findTerms", () => {
  it.each([
    ["the longest term at each place", "映画館で映画、映画", ["映画館 1", "映画 2"]],
    ["no short katakana word within another", "ドライブとライブラリとライブ", ["ライブ 1"]],
    ["no single character within a word", "夫婦と丈夫な夫が", ["夫 1"]],
    ["Latin words whole, whatever their case and width", "ｉＰｈｏｎｅとiPhoneX", ["iphone 1"]],
    [
      "plurals and possessives",
      "Ties, iPhones and a Home Run's end, untied",
      ["tie 1", "iphone 1", "home run 1"],
    ],
  ])("finds %s", (_, text, found) => {
    expect(
      findTerms(foldText(text), index).map(({ term, count }) => `${term.term} ${count}`),
    ).toEqual(found);
  });
});

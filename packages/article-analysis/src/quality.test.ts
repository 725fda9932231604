import { describe, expect, it } from "vitest";
import { qualityOf } from "./quality.ts";

const FULL = {
  title: "十分に長い題名です",
  text: Array.from({ length: 8 }, () => "これはよく書かれた一文です。".repeat(12)).join("\n"),
  pictures: 2,
  hasAuthor: true,
};

describe("qualityOf", () => {
  it("is 1 for a full article and 0 for nothing", () => {
    expect(qualityOf(FULL)).toBeCloseTo(1);
    expect(qualityOf({ title: "", text: "", pictures: 0, hasAuthor: false })).toBe(0);
  });

  it.each([
    ["a short text", { text: "短い。" }],
    ["one block", { text: FULL.text.replaceAll("\n", "") }],
    ["no picture", { pictures: 0 }],
    ["no author", { hasAuthor: false }],
  ])("is lower with %s", (_, change) => {
    expect(qualityOf({ ...FULL, ...change })).toBeLessThan(0.97);
  });

  it("asks of English about twice the characters it asks of Japanese", () => {
    const japanese = qualityOf({ ...FULL, text: "あ".repeat(500) });
    expect(qualityOf({ ...FULL, text: "a".repeat(500) })).toBeLessThan(japanese);
    expect(qualityOf({ ...FULL, text: "a".repeat(1250) })).toBeCloseTo(japanese);
  });
});

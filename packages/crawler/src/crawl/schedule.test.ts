import { buildSource } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { freshForMs, intervalOf, paceOf } from "./schedule.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW_MS = Date.UTC(2026, 10, 21, 9);
const bounds = { crawlIntervalMs: 5 * MINUTE_MS, crawlIntervalMsMax: HOUR_MS };
const every = (gapMs: number, entries = 30) =>
  paceOf(
    Array.from({ length: entries }, (_, at) => NOW_MS - (at + 1) * gapMs),
    NOW_MS,
  );

describe("the interval of a source", () => {
  it.each([
    ["publishes every minute", MINUTE_MS, 5],
    ["publishes twenty articles a day", 72 * MINUTE_MS, 5],
    ["publishes every five hours", 5 * HOUR_MS, 20],
    ["publishes every week", 168 * HOUR_MS, 60],
  ])("follows its pace between its bounds: it %s", (_what, gapMs, minutes) => {
    expect(intervalOf(bounds, every(gapMs), NOW_MS)).toBe(minutes * MINUTE_MS);
  });

  it("grows while a source is silent", () => {
    const pace = every(72 * MINUTE_MS);
    expect(intervalOf(bounds, pace, NOW_MS + 48 * HOUR_MS)).toBe(Math.round((72 * HOUR_MS) / 300));
  });

  it("is the shortest where the pace is unknown, or where there is no upper bound", () => {
    expect(intervalOf(bounds, undefined, NOW_MS)).toBe(5 * MINUTE_MS);
    const { crawlIntervalMs } = buildSource();
    expect(intervalOf({ crawlIntervalMs }, every(168 * HOUR_MS), NOW_MS)).toBe(crawlIntervalMs);
  });

  it("takes no dates that lie ahead for a pace", () => {
    expect(paceOf([NOW_MS + 1, undefined], NOW_MS)).toBeUndefined();
  });
});

describe("how long a feed stays fresh", () => {
  it.each([
    ["max-age=300", 300],
    ["public, s-maxage=9, max-age=300", 300],
    ["max-age=300, no-cache", 0],
    ["no-store", 0],
    ["max-age=99999999", 3_600],
    ["", 0],
  ])("is read from %j", (field, seconds) => {
    expect(freshForMs({ "cache-control": field })).toBe(seconds * 1_000);
  });

  it("is less for an answer that was kept on its way", () => {
    expect(freshForMs({ "cache-control": "max-age=300", age: "100" })).toBe(200_000);
  });
});

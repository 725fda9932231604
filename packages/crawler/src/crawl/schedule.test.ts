import { buildSource } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import type { PublicationPace } from "../state/crawl-state.ts";
import { dueMsOf, freshForMs, intervalOf, paceOf } from "./schedule.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.UTC(2026, 10, 21, 9);
const bounds = { crawlIntervalMs: 5 * MINUTE_MS, crawlIntervalMsMax: HOUR_MS };
const every = (gapMs: number, entries = 30) =>
  paceOf(
    Array.from({ length: entries }, (_, at) => NOW_MS - (at + 1) * gapMs),
    undefined,
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

  it("stays through a quiet week what its busiest day asks for, and grows after that", () => {
    const pace = every(72 * MINUTE_MS);
    expect(intervalOf(bounds, pace, NOW_MS + 7 * DAY_MS)).toBe(5 * MINUTE_MS);
    const silentMs = 24 * HOUR_MS + 8 * DAY_MS;
    expect(intervalOf(bounds, pace, NOW_MS + 8 * DAY_MS)).toBe(Math.round(silentMs / 300));
  });

  it("remembers the busiest of each of the last eight days", () => {
    const days = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((ago) => ({ nowMs: NOW_MS - ago * DAY_MS }));
    let pace: PublicationPace | undefined;
    for (const [at, { nowMs }] of days.entries())
      for (const gapMs of [at + 2, at + 1, at + 3])
        pace = paceOf([nowMs - gapMs * HOUR_MS], pace, nowMs);
    expect(pace?.days?.map(({ gapMs }) => gapMs / HOUR_MS)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it("is the shortest where the pace is unknown, or where there is no upper bound", () => {
    expect(intervalOf(bounds, undefined, NOW_MS)).toBe(5 * MINUTE_MS);
    const { crawlIntervalMs } = buildSource();
    expect(intervalOf({ crawlIntervalMs }, every(168 * HOUR_MS), NOW_MS)).toBe(crawlIntervalMs);
  });

  it("takes no dates that lie ahead for a pace", () => {
    expect(paceOf([NOW_MS + 1, undefined], undefined, NOW_MS)).toBeUndefined();
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

describe("a source whose hub pushes", () => {
  const crawl = {
    feedUrl: "",
    validators: {},
    recheckFromMs: 0,
    startedAtMs: NOW_MS,
    nextDueMs: NOW_MS + 5 * MINUTE_MS,
    failuresInRow: 0,
    faults: [],
    outcomes: [],
  };

  it("is polled at the longest of its intervals, and at its own pace when the hub has stopped", () => {
    expect(dueMsOf(bounds, crawl, true)).toBe(NOW_MS + HOUR_MS);
    expect(dueMsOf(bounds, crawl, false)).toBe(NOW_MS + 5 * MINUTE_MS);
  });

  it("is polled soon while something of its feed is still to be fetched", () => {
    expect(dueMsOf(bounds, { ...crawl, isIncomplete: true }, true)).toBe(NOW_MS + 5 * MINUTE_MS);
  });
});

import { describe, expect, it } from "vitest";
import { parseTime } from "./parse-time.ts";

describe("a time is read", () => {
  it.each([
    ["2026-11-21T09:00:00Z", "2026-11-21T09:00:00.000Z"],
    ["2026-11-21T18:00:00+09:00", "2026-11-21T09:00:00.000Z"],
    ["2026-11-21T18:00:00+0900", "2026-11-21T09:00:00.000Z"],
    ["Sat, 21 Nov 2026 18:00:00 +0900", "2026-11-21T09:00:00.000Z"],
    ["Sat, 21 Nov 2026 09:00:00 GMT", "2026-11-21T09:00:00.000Z"],
    ["Sat, 21 Nov 2026 18:00:00 JST", "2026-11-21T09:00:00.000Z"],
    ["Sat, 21 Nov 2026 04:00:00 EST", "2026-11-21T09:00:00.000Z"],
    ["21 Nov 2026 09:00 UT", "2026-11-21T09:00:00.000Z"],
    ["  2026-11-21T09:00:00Z\n", "2026-11-21T09:00:00.000Z"],
    ["2026-11-21", "2026-11-21T00:00:00.000Z"],
    // Without a zone: UTC, wherever this machine stands.
    ["2026-11-21T09:00:00", "2026-11-21T09:00:00.000Z"],
    ["2026-11-21 09:00:00", "2026-11-21T09:00:00.000Z"],
    ["Sat, 21 Nov 2026 09:00:00", "2026-11-21T09:00:00.000Z"],
  ])("%s", (text, expected) => {
    expect(new Date(parseTime(text) ?? 0).toISOString()).toBe(expected);
  });

  it.each(["", "yesterday", "1970-01-01T00:00:00Z", "2026-13-45T00:00:00Z"])(
    "and is none: %s",
    (text) => {
      expect(parseTime(text)).toBeUndefined();
    },
  );
});

import { describe, expect, it } from "vitest";
import { parseRfc3339 } from "./rfc3339.ts";

describe("decisions: timestamps are RFC 3339 with an offset", () => {
  it.each([
    ["2026-11-01T00:00:00Z", Date.UTC(2026, 10, 1)],
    ["2026-11-01t00:00:00.5z", Date.UTC(2026, 10, 1, 0, 0, 0, 500)],
    ["2026-11-01T09:00:00+09:00", Date.UTC(2026, 10, 1)],
    ["2024-02-29T00:00:00-00:30", Date.UTC(2024, 1, 29, 0, 30)],
    ["2000-02-29T00:00:00.123456789Z", Date.UTC(2000, 1, 29, 0, 0, 0, 123)],
  ])("reads %s", (text, atMs) => {
    expect(parseRfc3339(text)).toBe(atMs);
  });

  it.each([
    "2026-11-01",
    "2026-11-01T00:00:00",
    "2026-11-01 00:00:00Z",
    "2026-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-10T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-06-30T23:59:60Z",
    "2026-01-01T00:00:00+9:00",
    "2026-01-01T00:00:00Z\n",
    "20260101T000000Z",
    "",
  ])("refuses %j", (text) => {
    expect(parseRfc3339(text)).toBeUndefined();
  });
});

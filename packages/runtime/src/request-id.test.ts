import { manualClock } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { newRequestId } from "./request-id.ts";

describe("newRequestId", () => {
  it("is a ULID whose first ten characters are the time", () => {
    // The example of the ULID specification: 01ARZ3NDEK is 1469922850259.
    expect(newRequestId(manualClock(1_469_922_850_259))).toMatch(
      /^01ARZ3NDEK[0-9A-HJKMNP-TV-Z]{16}$/,
    );
  });

  it("ascends within one millisecond and while the clock steps back", () => {
    const clock = manualClock(1_000_000);
    const ids = Array.from({ length: 2_000 }, (_, index) => {
      if (index === 1_000) clock.set(500_000);
      return newRequestId(clock);
    });
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(2_000);
  });

  it("differs between two clocks of the same time", () => {
    expect(newRequestId(manualClock(5))).not.toBe(newRequestId(manualClock(5)));
  });
});

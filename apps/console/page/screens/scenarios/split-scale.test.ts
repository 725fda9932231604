import { describe, expect, it } from "vitest";
import { scaleFor } from "./split-scale.ts";

describe("The axis of shares", () => {
  it.each([
    [[0.031, 0.05], 0.06],
    [[0.2], 0.2],
    [[0.41], 0.6],
    [[], 0.004],
    [[1], 1],
  ])("has room for %o and ends at %d", (shares, end) => {
    const scale = scaleFor(shares);
    expect(scale.end).toBe(end);
    for (const share of shares) expect(scale.at(share)).toBeLessThanOrEqual(100);
  });

  it("begins at 0 and has numbers at its quarters", () => {
    const { ticks, at } = scaleFor([0.3]);
    expect(ticks).toEqual([0, 0.1, 0.2, 0.30000000000000004, 0.4]);
    expect([at(0), at(0.2), at(0.4)]).toEqual([0, 50, 100]);
  });
});

import { describe, expect, it } from "vitest";
import { FixedWindow } from "./fixed-window.ts";

describe("decisions: a fixed window of one second", () => {
  const startMs = 1_795_255_200_000;

  it("allows the limit in each second and counts keys apart", () => {
    const window = new FixedWindow();
    const counted = [1, 2, 3].map(() => window.count("a", 2, startMs + 400));
    expect(counted.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 1],
      [true, 0],
      [false, 0],
    ]);
    expect(counted[0]?.resetAtMs).toBe(startMs + 1_000);
    expect(window.count("b", 2, startMs + 400).remaining).toBe(1);
    expect(window.count("a", 2, startMs + 1_000).remaining).toBe(1);
  });

  it("shows what is left without counting", () => {
    const window = new FixedWindow();
    window.count("a", 5, startMs);
    expect(window.peek("a", 5, startMs).remaining).toBe(4);
    expect(window.peek("a", 5, startMs).remaining).toBe(4);
  });

  it("stays bounded under a flood of addresses, which then share one count", () => {
    const window = new FixedWindow();
    for (let index = 0; index < 100_000; index += 1) window.count(`${index}`, 20, startMs);
    const late = Array.from({ length: 21 }, (_, index) => window.count(`x${index}`, 20, startMs));
    expect(late.at(-1)?.allowed).toBe(false);
    expect(window.count("7", 20, startMs).allowed).toBe(true);
  });
});

import { describe, expect, it } from "vitest";
import { ProgressBar, progressLine } from "./progress-bar.ts";

describe("Progress", () => {
  it("is a bar, the rate and the time left in one line", () => {
    expect(
      progressLine({ unit: "records", done: 250, doneBefore: 0, total: 1_000, elapsedMs: 500 }),
    ).toBe("[########......................] 25 % 250/1000 records, 500/s, 2 s left");
    expect(
      progressLine({ unit: "objects", done: 10, doneBefore: 0, total: 100_000, elapsedMs: 1_000 }),
    ).toContain("10/100000 objects, 10/s, 2 h 46 min left");
  });

  it("counts what was done before into the bar and not into the rate", () => {
    const line = progressLine({
      unit: "records",
      done: 900,
      doneBefore: 800,
      total: 1_000,
      elapsedMs: 1_000,
    });
    expect(line).toContain(" 90 % 900/1000 records, 100/s, 1 s left");
  });

  it("says nothing of the time left before anything was done, and is whole where there is nothing to do", () => {
    expect(
      progressLine({ unit: "records", done: 0, doneBefore: 0, total: 5, elapsedMs: 9 }),
    ).not.toContain("left");
    expect(
      progressLine({ unit: "records", done: 0, doneBefore: 0, total: 0, elapsedMs: 9 }),
    ).toContain("100 %");
  });

  it("is drawn over itself on a terminal, and told in lines elsewhere; its end once, unless there is more", () => {
    const written = (isTTY: boolean): string => {
      let text = "";
      const output = { write: (part: string) => void (text += part), isTTY };
      const bar = new ProgressBar(output, "records", () => 0);
      bar.show(0, 10);
      bar.show(1, 10);
      bar.show(10, 10);
      bar.show(10, 10);
      bar.show(11, 11);
      bar[Symbol.dispose]();
      return text;
    };
    expect(written(false).split("\n")).toHaveLength(4);
    expect(written(true).split("\r")).toHaveLength(4);
    expect(written(true)).not.toContain(" 1/10 ");
  });
});

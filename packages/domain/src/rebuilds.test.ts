import { describe, expect, it } from "vitest";
import type { ReadModelChanged, ReadModelRebuildStep } from "./operating-facts.ts";
import { rebuildsAfter, type Rebuild } from "./rebuilds.ts";

type Fact = ReadModelChanged | ReadModelRebuildStep;
const step = (step: ReadModelRebuildStep["step"], more: Partial<ReadModelRebuildStep> = {}) =>
  ({
    type: "read-model.rebuild-step",
    readModel: "read-state",
    version: 2,
    step,
    done: 0,
    total: 10,
    startedAtMs: 1,
    report: null,
    reason: "",
    actor: "me",
    atMs: 2,
    ...more,
  }) as const;
const change = (version: number, state: ReadModelChanged["state"], atMs: number) =>
  ({ type: "read-model.changed", readModel: "read-state", version, state, atMs }) as const;
const after = (...facts: readonly Fact[]) => facts.reduce<readonly Rebuild[]>(rebuildsAfter, []);

describe("The rebuilds of an installation", () => {
  it("are one each, however often it tells how far it is", () => {
    const told = after(
      step("building"),
      step("building", { done: 5 }),
      step("built", { done: 10 }),
    );
    expect(told).toMatchObject([{ version: 2, step: "built", done: 10 }]);
  });

  it("that are begun anew under the same number are two", () => {
    const again = step("building", { startedAtMs: 7 });
    expect(after(step("building"), again)).toMatchObject([{ startedAtMs: 1 }, { startedAtMs: 7 }]);
  });

  it("tell when their version became live, and which took its place", () => {
    const switched = after(step("built"), change(2, "kept", 3), change(2, "live", 4));
    expect(switched).toMatchObject([{ liveAtMs: 4 }]);
    const back = rebuildsAfter(switched, change(1, "live", 5));
    expect(back).toMatchObject([{ liveAtMs: 4, replaced: { atMs: 5, by: 1 } }]);
    const [again] = rebuildsAfter(back, change(2, "live", 6));
    expect(again).toMatchObject({ liveAtMs: 6 });
    expect(again).not.toHaveProperty("replaced");
  });

  it("tell when their version was dropped", () => {
    expect(after(step("built"), change(2, "dropped", 9))).toMatchObject([{ droppedAtMs: 9 }]);
  });

  it("of one read model say nothing of another", () => {
    const other = step("built", { readModel: "content-index" });
    expect(after(other, change(2, "live", 4))[0]).not.toHaveProperty("liveAtMs");
  });

  it("are the latest twenty", () => {
    const many = Array.from({ length: 21 }, (_, at) => step("built", { startedAtMs: at }));
    expect(after(...many).map(({ startedAtMs }) => startedAtMs)).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 1),
    );
  });
});

import type { ReadState } from "@feed/read-state/port";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ProjectionWait } from "./projection-wait.ts";

const TIMEOUT_MS = 2_000;
const PLACE = { topic: "users", partition: 0, offset: 7 } as const;

/** Waits for a projection that passes at the n-th look, where each look comes so long after the one before. */
async function waitedFor(passesAtLook: number, betweenLooksMs: number) {
  let nowMs = 0;
  let looks = 0;
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  const positions: ReadState["positions"] = () => {
    looks += 1;
    nowMs += betweenLooksMs;
    return Promise.resolve(new Map([[0, looks < passesAtLook ? PLACE.offset : PLACE.offset + 1]]));
  };
  const passed = await new ProjectionWait({ positions }, "users", TIMEOUT_MS).passed(PLACE);
  return { passed, looks };
}

describe("Waiting for a projection (architecture rule 1)", () => {
  afterEach(() => vi.restoreAllMocks());

  it("ends when it has passed the place", async () => {
    expect(await waitedFor(3, 2)).toEqual({ passed: true, looks: 3 });
  });

  it("ends when the time is over", async () => {
    expect(await waitedFor(Infinity, 50)).toEqual({ passed: false, looks: 41 });
  });

  it("takes no standstill of the process itself for a projection that is late", async () => {
    expect(await waitedFor(3, 2 * TIMEOUT_MS)).toEqual({ passed: true, looks: 3 });
  });
});

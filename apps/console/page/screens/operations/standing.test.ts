import { expect, it } from "vitest";
import { becameOf, isRunning, stateOf, type Rebuild } from "./standing.ts";

const consumer = (group: string, lag_records: number, lag_seconds = 0) => {
  return { group, topic: "users", end_records: 100, lag_records, lag_seconds };
};
const built: Rebuild = {
  read_model: "read-state",
  version: 2,
  state: "built",
  actor: "feedctl, me",
  started_at: "2026-01-01T00:00:00Z",
  ended_at: "2026-01-01T00:01:00Z",
  done_records: 9,
  total_records: 9,
  records_per_second: null,
  seconds_left: null,
  reason: null,
  report: null,
  live_at: null,
  replaced_at: null,
  replaced_by: null,
  dropped_at: null,
};
const SWITCHED_AT = "2026-01-01T00:02:00Z";
const LEFT_AT = "2026-01-01T00:03:00Z";
const whatBecame = (change: Partial<Rebuild>) =>
  becameOf({ ...built, ...change }).map(({ what }) => what);

it("has a consumer behind once a record has waited for more than a minute", () => {
  const states = [consumer("a", 0), consumer("a", 9, 60), consumer("a", 9, 61)].map(stateOf);
  expect(states).toEqual(["well", "working", "late"]);
});

it("has a rebuild running while it builds and compares", () => {
  const states = ["building", "comparing", "built", "failed", "interrupted"] as const;
  const running = states.filter((state) => isRunning({ ...built, state }));
  expect(running).toEqual(["building", "comparing"]);
});

it("says of a version that was built whether it was switched to", () => {
  expect(whatBecame({})).toEqual(["notSwitched"]);
  expect(whatBecame({ live_at: SWITCHED_AT })).toEqual(["switched"]);
  expect(whatBecame({ state: "failed" })).toEqual([]);
});

it("tells a way back from a switch to a later version", () => {
  const left = { live_at: SWITCHED_AT, replaced_at: LEFT_AT };
  expect(whatBecame({ ...left, replaced_by: 1 })).toEqual(["switched", "rolledBack"]);
  expect(whatBecame({ ...left, replaced_by: 3, dropped_at: LEFT_AT })).toEqual([
    "switched",
    "replaced",
    "dropped",
  ]);
});

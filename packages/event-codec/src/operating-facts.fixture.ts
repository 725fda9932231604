import type { OperatingFact } from "@feed/domain/operating-facts";
import { BUILT_AT_MS } from "@feed/test-kit";

const step = {
  type: "read-model.rebuild-step",
  readModel: "read-state",
  version: 2,
  done: 3,
  total: 5_000_000_000,
  startedAtMs: BUILT_AT_MS,
  actor: "feedctl",
  atMs: BUILT_AT_MS,
} as const;
const report = {
  agrees: false,
  totals: [{ name: "users", live: 1, next: 2, agrees: false }],
  samples: 3,
  differing: ["user a"],
  differingSamples: 1,
  comparable: true,
};

/** Facts about the installation itself. */
export const operatingFacts: readonly OperatingFact[] = [
  { type: "read-model.changed", readModel: "read-state", version: 2, state: "live", atMs: 5 },
  {
    type: "dead-letter",
    sourceTopic: "users",
    sourcePartition: 63,
    sourceOffset: 12,
    stage: "decode",
    reason: "schema 99 is not registered",
    original: Buffer.from("garbage"),
    atMs: BUILT_AT_MS,
  },
  {
    type: "dead-letter.settled",
    sourceTopic: "users",
    sourcePartition: 63,
    sourceOffset: 12,
    stage: "decode",
    outcome: "discarded",
    note: "written by a test",
    actor: "feedctl",
    atMs: BUILT_AT_MS,
  },
  {
    type: "dead-letter.replay-requested",
    sourceTopic: "users",
    sourcePartition: 63,
    sourceOffset: 12,
    stage: "decode",
    letterOffset: 3,
    actor: "feedctl",
    atMs: BUILT_AT_MS,
  },
  {
    type: "dead-letter.replay-answered",
    sourceTopic: "users",
    sourcePartition: 63,
    sourceOffset: 12,
    stage: "decode",
    requestOffset: 4,
    projection: "read-state.users",
    outcome: "refused",
    reason: "schema 99 is not registered",
    atMs: BUILT_AT_MS,
  },
  { ...step, step: "building", report: null, reason: "" },
  { ...step, step: "built", report, reason: "" },
  { ...step, step: "failed", report: null, reason: "interrupted" },
];

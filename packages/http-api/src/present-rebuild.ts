import { REBUILD_SILENT_MS_MAX, type Rebuild } from "@feed/domain/rebuilds";
import type { OperationsAnswer } from "./openapi.generated.ts";
import { isoTime } from "./present-time.ts";

type ShownRebuild = OperationsAnswer["data"]["rebuilds"][number];

/** A rebuild, with its rate and the time left from what it told last. */
export function presentRebuild(rebuild: Rebuild, nowMs: number): ShownRebuild {
  const { readModel, version, done, total, startedAtMs, atMs, report, reason, actor } = rebuild;
  const { liveAtMs, replaced, droppedAtMs } = rebuild;
  const state = stateOf(rebuild, nowMs);
  const perSecond = atMs > startedAtMs ? (done * 1_000) / (atMs - startedAtMs) : 0;
  const isOver = state === "built" || state === "failed";
  return {
    read_model: readModel,
    version,
    state,
    actor,
    started_at: isoTime(startedAtMs),
    ended_at: isOver ? isoTime(atMs) : null,
    done_records: done,
    total_records: total,
    records_per_second: state === "building" ? Math.round(perSecond) : null,
    seconds_left:
      state === "building" && perSecond > 0
        ? Math.ceil(Math.max(0, total - done) / perSecond)
        : null,
    reason: reason === "" ? null : reason,
    report: report === null ? null : presentReport(report),
    live_at: timeOrNull(liveAtMs),
    replaced_at: timeOrNull(replaced?.atMs),
    replaced_by: replaced?.by ?? null,
    dropped_at: timeOrNull(droppedAtMs),
  };
}

function stateOf({ step, atMs }: Rebuild, nowMs: number): ShownRebuild["state"] {
  const isRunning = step === "building" || step === "comparing";
  return isRunning && nowMs - atMs > REBUILD_SILENT_MS_MAX ? "interrupted" : step;
}

function presentReport(report: NonNullable<Rebuild["report"]>): ShownRebuild["report"] {
  const { agrees, comparable, totals, samples, differing, differingSamples } = report;
  return {
    agrees,
    comparable,
    totals: totals.map(({ name, live, next, agrees: same }) => ({
      name,
      live,
      next,
      agrees: same,
    })),
    samples,
    differing_samples: differingSamples,
    differing: [...differing],
  };
}

function timeOrNull(atMs: number | undefined): string | null {
  return atMs === undefined ? null : isoTime(atMs);
}

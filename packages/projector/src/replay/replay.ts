import type { EventLog } from "@feed/event-log";
import type { BatchServices } from "../batch-projection.ts";
import type { Failure } from "../dead-letters/burying.ts";
import { projectAgain } from "../project-again.ts";
import type { AnyTarget } from "../targets/all.ts";
import type { ReplayRange } from "./ranges.ts";

const RECORDS_PER_BATCH_MAX = 2_000;

export interface ReplayOptions extends BatchServices {
  readonly eventLog: Pick<EventLog, "read">;
  readonly ranges: readonly ReplayRange[];
  /** Counts the records and changes nothing. */
  readonly isDry: boolean;
  readonly signal: AbortSignal;
  /** Offsets passed. */
  readonly onProgress: (offsets: number) => void;
}

export interface ReplayedRange extends ReplayRange {
  /** Those that are still in the log. */
  readonly records: number;
}

export interface Replay {
  readonly ranges: readonly ReplayedRange[];
  /** What the projection can't take, now as then. */
  readonly failures: readonly Failure[];
}

/**
 * Reads a part of the log into its projection once more. What the read model has changes nothing, because every change
 * carries its place in the log; what it lost is put back as far as a record alone says it. Its positions stay.
 *
 * Errors: those of the log and the read model, and the signal's reason.
 */
export async function replayInto(target: AnyTarget, options: ReplayOptions): Promise<Replay> {
  const failures: Failure[] = [];
  const ranges: ReplayedRange[] = [];
  for (const range of options.ranges) {
    let records = 0;
    for (let next = range.from; next < range.to;) {
      options.signal.throwIfAborted();
      const batch = await readBelow(target, options.eventLog, { ...range, from: next });
      records += batch.records.length;
      if (!options.isDry && batch.records.length > 0)
        failures.push(...(await projectAgain(target, options, batch, options.signal)));
      options.onProgress(batch.nextOffset - next);
      next = batch.nextOffset;
    }
    ranges.push({ ...range, records });
  }
  return { ranges, failures };
}

async function readBelow(
  { topic, recordsMax }: AnyTarget,
  eventLog: Pick<EventLog, "read">,
  { partition, from, to }: ReplayRange,
) {
  const count = Math.min(recordsMax ?? RECORDS_PER_BATCH_MAX, to - from);
  const batch = await eventLog.read(topic, partition, from, count);
  const records = batch.records.filter(({ offset }) => offset < to);
  // Nothing more up to the end: compaction has removed what there was.
  const nextOffset = records.length === 0 ? to : Math.min(to, batch.nextOffset);
  return { ...batch, records, nextOffset };
}

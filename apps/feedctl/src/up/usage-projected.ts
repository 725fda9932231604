import type { EventLog } from "@feed/event-log";
import type { ReadState } from "@feed/read-state";
import { waitUntil } from "@feed/runtime";

const POLL_MS = 20;

interface ProgressLimits {
  /** Without a further record for this long, the projector is taken to stand still. */
  readonly stallTimeoutMs: number;
  readonly reportIntervalMs: number;
  /** Told how many records are left, while it takes long. */
  readonly onProgress: (recordsLeft: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Credits are counted from what has been projected: resolves when everything that was in `deliveries` at the call has
 * been, however long that takes, as long as it goes on.
 *
 * @throws when the projector stands still, or the signal's reason.
 */
export async function untilUsageIsProjected(
  eventLog: Pick<EventLog, "endOffsets">,
  readState: Pick<ReadState, "positions">,
  { stallTimeoutMs, reportIntervalMs, onProgress, signal }: ProgressLimits,
): Promise<void> {
  const ends = await eventLog.endOffsets("deliveries");
  const recordsLeft = async (): Promise<number> => {
    const positions = await readState.positions("deliveries");
    const left = ends.map((end, partition) => Math.max(0, end - (positions.get(partition) ?? 0)));
    return left.reduce((sum, records) => sum + records, 0);
  };
  let reportAtMs = performance.now() + reportIntervalMs;
  let left = await recordsLeft();
  while (left > 0) {
    const before = left;
    const hasMoved = async (): Promise<boolean> => (await recordsLeft()) < before;
    if (!(await waitUntil(hasMoved, { timeoutMs: stallTimeoutMs, pollMs: POLL_MS, signal })))
      throw new Error(
        `the projector stands still: ${left} records of deliveries left, none in ${stallTimeoutMs} ms`,
      );
    left = await recordsLeft();
    if (left === 0 || performance.now() < reportAtMs) continue;
    onProgress(left);
    reportAtMs = performance.now() + reportIntervalMs;
  }
}

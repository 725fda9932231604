import type { ActivityStore } from "@feed/activity-store";
import { PUSH_BARRIER_TIMEOUT_MS } from "@feed/domain/limits";
import type { PushJobState } from "@feed/domain/push";
import type { ReadState, ReadStateProjection } from "@feed/read-state";
import { waitUntil } from "@feed/runtime";
import type { PushDependencies } from "./dependencies.ts";
import { isPartAway, PushFailure } from "./failures.ts";

const POLL_MS = 20;

export interface BarrierOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/**
 * Waits until everything appended before the job's request has been projected (architecture section 4).
 *
 * @throws PushFailure `projection_unavailable` after PUSH_BARRIER_TIMEOUT_MS.
 */
export function waitForRequest(
  { readState, activityStore }: Pick<PushDependencies, "readState" | "activityStore">,
  { usersEnds, deliveriesEnds }: PushJobState["request"],
  options: BarrierOptions,
): Promise<void> {
  return waitForBarrier(
    async () =>
      hasPassed(await readState.positions("users"), usersEnds) &&
      hasPassed(await readState.positions("deliveries"), deliveriesEnds) &&
      hasPassed(await activityStore.positions("users"), usersEnds),
    options,
  );
}

/** Waits until the read state has projected the record at a position. Errors: as `waitForRequest`. */
export function waitForRecord(
  readState: Pick<ReadState, "positions">,
  projection: ReadStateProjection,
  { partition, offset }: { readonly partition: number; readonly offset: number },
  options: BarrierOptions,
): Promise<void> {
  return waitForBarrier(async () => {
    const positions = await readState.positions(projection);
    return (positions.get(partition) ?? 0) > offset;
  }, options);
}

function hasPassed(
  positions: Awaited<ReturnType<ActivityStore["positions"]>>,
  ends: readonly number[],
): boolean {
  return ends.every((end, partition) => (positions.get(partition) ?? 0) >= end);
}

async function waitForBarrier(
  condition: () => Promise<boolean>,
  { signal, timeoutMs = PUSH_BARRIER_TIMEOUT_MS }: BarrierOptions,
): Promise<void> {
  const holds = async (): Promise<boolean> => {
    try {
      return await condition();
    } catch (error) {
      if (isPartAway(error)) return false;
      throw error;
    }
  };
  if (await waitUntil(holds, { timeoutMs, pollMs: POLL_MS, signal })) return;
  throw new PushFailure(
    "projection_unavailable",
    "What was sent before the request could not be read in time.",
  );
}

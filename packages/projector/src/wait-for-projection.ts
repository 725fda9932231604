import type { LogPosition } from "@feed/domain/topics";
import type { ReadState, ReadStateProjection } from "@feed/read-state";
import { waitUntil } from "@feed/runtime";

const POLL_MS = 1;

/**
 * Waits until what was appended at a position is visible in the read state, for answers that read their own writes
 * (architecture rule 1). True when it is; false when it was not within `timeoutMs`
 * (READ_YOUR_WRITES_TIMEOUT_MS for the API).
 *
 * @throws the store's error, or the signal's reason when it is aborted.
 */
export function waitForProjection(
  readState: Pick<ReadState, "positions">,
  projection: ReadStateProjection,
  { partition, offset }: Pick<LogPosition, "partition" | "offset">,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const isVisible = async (): Promise<boolean> =>
    ((await readState.positions(projection)).get(partition) ?? 0) > offset;
  return waitUntil(isVisible, { timeoutMs, pollMs: POLL_MS, signal });
}

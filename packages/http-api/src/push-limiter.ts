import type { TenantId } from "@feed/domain/ids";
import { PUSH_REQUESTS_BURST, PUSH_REQUESTS_PER_SECOND } from "@feed/domain/limits";
import type { ReadState } from "@feed/read-state/port";
import { Problem } from "./problem.ts";

const BUCKET = { ratePerSecond: PUSH_REQUESTS_PER_SECOND, burst: PUSH_REQUESTS_BURST };
const SECOND_MS = 1_000;

/**
 * The limiter of POST /v1/push-candidates alone (spec 8): its own bucket, beside the tenant's window, whose headers
 * stay as they are.
 *
 * @throws Problem 429 with the `Retry-After` of this limiter.
 */
export async function takePushToken(
  readState: Pick<ReadState, "takeToken">,
  tenantId: TenantId,
  nowMs: number,
): Promise<void> {
  const { allowed, waitMs } = await readState.takeToken(`push:${tenantId}`, BUCKET, nowMs);
  if (allowed) return;
  const seconds = Math.max(1, Math.ceil(waitMs / SECOND_MS));
  throw new Problem(
    "rate-limit",
    `Push jobs may be requested once a second, and ${PUSH_REQUESTS_BURST} times at once.`,
    { headers: { "Retry-After": `${seconds}` }, members: { "violated-policies": ["push"] } },
  );
}

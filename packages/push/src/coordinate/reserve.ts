import { billingMonth, PUSH_USER_COST_TENTHS } from "@feed/domain/credits";
import type { CreditReservationStep } from "@feed/domain/facts";
import type { PushJobState } from "@feed/domain/push";
import { waitForRecord, type BarrierOptions } from "../barrier.ts";
import type { PushDependencies } from "../dependencies.ts";
import { appendReservationStep } from "../job-log.ts";

/**
 * Reserves 0.5 credits for each user of a job whose audience is known (decisions, "Push jobs"). One at a time for each
 * tenant: what was granted before is then part of the standing. Asking again gives the answer given before.
 */
export async function reserveCredits(
  deps: PushDependencies,
  job: PushJobState,
  barrier: BarrierOptions,
): Promise<"granted" | "refused"> {
  const { tenantId, jobId, atMs: postedAtMs } = job.request;
  const tenths = (job.audience?.targetUserCount ?? 0) * PUSH_USER_COST_TENTHS;
  const append = (step: CreditReservationStep["step"]) =>
    appendReservationStep(deps, reservationStep(job, deps.clock.nowMs(), step, tenths));
  const position = await append("asked");
  // Everything the tenant's partition said before has its part in the standing.
  await waitForRecord(deps.readState, "credits", position, barrier);
  const known = await deps.readState.reservation(tenantId, jobId);
  if (known?.step === "granted" || known?.step === "refused") return known.step;
  const month = billingMonth(postedAtMs);
  const standing = await deps.readState.creditStanding(tenantId, month);
  const needed = standing.usedTenths + standing.reservedTenths + tenths;
  const isGranted = standing.capTenths === null || needed <= standing.capTenths;
  const step = isGranted ? "granted" : "refused";
  await append(step);
  return step;
}

export function reservationStep(
  { request: { tenantId, jobId, atMs: postedAtMs } }: PushJobState,
  atMs: number,
  step: CreditReservationStep["step"],
  tenths: number,
): CreditReservationStep {
  const type = "credit-reservation.step";
  return { type, tenantId, reservationId: jobId, step, tenths, postedAtMs, atMs };
}

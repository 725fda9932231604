import { creditsFromTenths, nextCycleStartMs } from "@feed/domain/credits";
import type { Tenant } from "@feed/domain/tenant";
import type { HttpApiDependencies } from "./dependencies.ts";
import type { UsageAnswer } from "./openapi.generated.ts";
import { isoTime } from "./present-time.ts";

/** What a tenant has used in a billing month (`YYYY-MM`). Errors: ReadStateUnavailable, ActivityStoreUnavailable. */
export async function usageOf(
  { tenantId, plan }: Tenant,
  month: string,
  { readState, activityStore }: Pick<HttpApiDependencies, "readState" | "activityStore">,
): Promise<UsageAnswer["data"]> {
  const [standing, days] = await Promise.all([
    readState.creditStanding(tenantId, month),
    activityStore.usageByDay(tenantId, month),
  ]);
  return {
    month,
    used_credits: creditsFromTenths(standing.usedTenths),
    cap_credits: standing.capTenths === null ? null : creditsFromTenths(standing.capTenths),
    plan_credits: creditsFromTenths(plan.includedTenths),
    resets_at: isoTime(nextCycleStartMs(Date.parse(`${month}-15T00:00:00Z`))),
    days: days.map(({ day, endpoint, requests, creditsTenths }) => ({
      day,
      endpoint,
      requests,
      credits: creditsFromTenths(creditsTenths),
    })),
  };
}

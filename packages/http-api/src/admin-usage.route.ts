import { billingMonth, creditsFromTenths } from "@feed/domain/credits";
import type { TenantId } from "@feed/domain/ids";
import type { Tenant } from "@feed/domain/tenant";
import { TOPICS } from "@feed/domain/topics";
import { partitionOf } from "@feed/signing";
import type { TenantDirectory } from "@feed/tenant-directory";
import { requireTenantAccess, stampOf } from "./admin-access.ts";
import { recordAction } from "./admin-actions.ts";
import type { ApiContext, ApiRouter } from "./api-context.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import type { TenantUsageAnswer, UsageAnswer } from "./openapi.generated.ts";
import { isoTime } from "./present-time.ts";
import { unavailable } from "./problem.ts";
import { ProjectionWait } from "./projection-wait.ts";
import type { RequestReader } from "./route-tools.ts";
import { usageOf } from "./usage.ts";

const TENTHS = 10;

/** What a tenant uses, what that costs, and its cap. */
export function adminUsageRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
): void {
  const { readState, settings } = deps;
  const capsVisible = new ProjectionWait(readState, "credits", settings.readYourWritesMs);

  router.get("/admin/v1/tenants/:tenant_id/usage", async (ctx) => {
    const { tenant_id, month: asked } = reader.parameters("adminGetUsage", ctx);
    const tenant = requireTenantAccess(ctx, deps, "read", tenant_id);
    const month = asked ?? billingMonth(ctx.state.receivedAtMs);
    const usage = await usageOf(tenant, month, deps);
    const body: TenantUsageAnswer = {
      data: { ...usage, ...billOf(tenant, usage), alerts: alertsOf(tenant, month, deps.directory) },
    };
    ctx.body = body;
  });

  router.put("/admin/v1/tenants/:tenant_id/usage-cap", async (ctx) => {
    const { tenant_id } = reader.parameters("adminPutUsageCap", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "settings", tenant_id);
    const { credits } = await reader.body("adminPutUsageCap", ctx);
    await recordAction(ctx, deps, { action: "usage-cap.set", tenantId, details: { credits } });
    const position = await appendCap(ctx, tenantId, credits, deps);
    if (position === undefined || !(await capsVisible.passed(position)))
      throw unavailable("The cap is accepted, but not yet in force.", 1);
    ctx.body = { data: { credits } };
  });
}

async function appendCap(
  ctx: ApiContext,
  tenantId: TenantId,
  credits: number | null,
  { codec, eventLog, clock }: HttpApiDependencies,
) {
  const capTenths = credits === null ? null : Math.round(credits * TENTHS);
  const value = codec.encode({ type: "usage-cap.set", tenantId, capTenths, ...stampOf(ctx) });
  const partition = partitionOf(tenantId, TOPICS.credits.partitions);
  const [position] = await eventLog.append([
    { topic: "credits", partition, key: tenantId, value, timestampMs: clock.nowMs() },
  ]);
  return position;
}

/** Credits beyond the plan are billed at its unit price (spec 8, "Credits"). */
function billOf({ plan, rateLimitPerSecond }: Tenant, { used_credits }: UsageAnswer["data"]) {
  const usedTenths = Math.round(used_credits * TENTHS);
  const overPlan = creditsFromTenths(Math.max(0, usedTenths - plan.includedTenths));
  return {
    unit_price: plan.unitPrice,
    currency: plan.currency,
    over_plan_credits: overPlan,
    over_plan_cost: Math.round(overPlan * plan.unitPrice * 1e6) / 1e6,
    rate_limit_per_second: rateLimitPerSecond,
  };
}

function alertsOf({ tenantId }: Tenant, month: string, directory: TenantDirectory) {
  return directory
    .usageAlerts(tenantId)
    .filter((alert) => alert.month === month)
    .map(({ thresholdPercent, usedTenths, capTenths, atMs }) => ({
      threshold_percent: thresholdPercent,
      used_credits: creditsFromTenths(usedTenths),
      cap_credits: creditsFromTenths(capTenths),
      reached_at: isoTime(atMs),
    }));
}

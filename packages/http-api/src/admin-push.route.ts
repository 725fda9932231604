import { requireTenantAccess } from "./admin-access.ts";
import { recordAction } from "./admin-actions.ts";
import type { ApiRouter } from "./api-context.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import { cancelPushJob, pushJobOf, pushJobsPage } from "./push-jobs.ts";
import type { RequestReader } from "./route-tools.ts";

/** `/admin/v1/tenants/{tenant_id}/push-candidates`: a tenant's push jobs, as the tenant's backend sees them. */
export function adminPushRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
): void {
  const path = "/admin/v1/tenants/:tenant_id/push-candidates";

  router.get(path, async (ctx) => {
    const { tenant_id, ...page } = reader.parameters("adminListPushJobs", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "read", tenant_id);
    ctx.body = await pushJobsPage(deps, tenantId, page, ctx.state.receivedAtMs);
  });

  router.get(`${path}/:job_id`, async (ctx) => {
    const { tenant_id, job_id } = reader.parameters("adminGetPushJob", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "read", tenant_id);
    ctx.body = await pushJobOf(deps, tenantId, job_id, ctx.state.receivedAtMs);
  });

  router.post(`${path}/:job_id/cancel`, async (ctx) => {
    const { tenant_id, job_id } = reader.parameters("adminCancelPushJob", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "settings", tenant_id);
    const nowMs = ctx.state.receivedAtMs;
    await pushJobOf(deps, tenantId, job_id, nowMs);
    await recordAction(ctx, deps, { action: "push-job.cancelled", tenantId, subject: job_id });
    ctx.body = await cancelPushJob(deps, tenantId, job_id, nowMs);
  });
}

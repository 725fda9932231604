import { Readable } from "node:stream";
import { requireTenantAccess } from "./admin-access.ts";
import { recordAction } from "./admin-actions.ts";
import type { ApiRouter } from "./api-context.ts";
import { streamBody } from "./body-reader.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import type { HttpMetrics } from "./http-metrics.ts";
import type { UserImportAnswer } from "./openapi.generated.ts";
import { presentUser } from "./present-user.ts";
import { notFound } from "./problem.ts";
import { asUserId } from "./route-tools.ts";
import type { RequestReader } from "./route-tools.ts";
import { UserChanges } from "./user-changes.ts";
import { usersPage } from "./user-list.ts";
import { exportUsers } from "./users-transfer/export-users.ts";
import { importUsers } from "./users-transfer/import-users.ts";
import type { RequestValidation } from "./validation.ts";

const NDJSON = "application/x-ndjson; charset=utf-8";

interface UsersParts {
  readonly validation: RequestValidation;
  readonly metrics: HttpMetrics;
}

/** `/admin/v1/tenants/{tenant_id}/users`: users of a tenant, one by one, and all in and out as JSON Lines. */
export function adminUsersRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
  { validation, metrics }: UsersParts,
): void {
  const path = "/admin/v1/tenants/:tenant_id/users";
  const changes = new UserChanges(deps, metrics);

  router.get(path, async (ctx) => {
    const { tenant_id, ...page } = reader.parameters("adminListUsers", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "read", tenant_id);
    ctx.body = await usersPage(deps, tenantId, page);
  });

  router.post(`${path}/import`, async (ctx) => {
    const { tenant_id } = reader.parameters("adminImportUsers", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "settings", tenant_id);
    const onBegin = () => recordAction(ctx, deps, { action: "users.imported", tenantId });
    const data = await streamBody(ctx.req, "ndjson", (body) =>
      importUsers(body, deps, { tenantId, validation, onBegin }),
    );
    const answer: UserImportAnswer = { data };
    ctx.body = answer;
  });

  router.get(`${path}/export`, async (ctx) => {
    const { tenant_id } = reader.parameters("adminExportUsers", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "settings", tenant_id);
    const lines = await exportUsers(deps, tenantId);
    await recordAction(ctx, deps, { action: "users.exported", tenantId });
    ctx.type = NDJSON;
    ctx.body = Readable.from(lines);
  });

  router.get(`${path}/by-id/:user_id`, async (ctx) => {
    const { tenant_id, user_id } = reader.parameters("adminGetUser", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "read", tenant_id);
    const user = await changes.find({ tenantId, userId: asUserId(user_id) });
    if (user === undefined) throw notFound("user");
    ctx.body = { data: presentUser(user) };
  });

  router.delete(`${path}/by-id/:user_id`, async (ctx) => {
    const { tenant_id, user_id } = reader.parameters("adminDeleteUser", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "settings", tenant_id);
    // Not by name: the user is to be forgotten.
    await recordAction(ctx, deps, { action: "user.deleted", tenantId });
    await changes.delete({ tenantId, userId: asUserId(user_id) });
    ctx.status = 204;
  });
}

import { asId } from "@feed/domain/ids";
import type { AreaId, TenantId } from "@feed/domain/ids";
import { mayDo } from "@feed/domain/people";
import type { Tenant } from "@feed/domain/tenant";
import {
  forbidden,
  requireAccess,
  requireSignedIn,
  requireTenantAccess,
  stampOf,
} from "./admin-access.ts";
import { checkTenant } from "./admin-checks.ts";
import type { ApiRouter } from "./api-context.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import { openNameCursor, sealNameCursor } from "./list-cursor.ts";
import type { TenantChange, TenantListAnswer, TenantWrite } from "./openapi.generated.ts";
import { presentTenant, presentTenantSummary } from "./present-tenant.ts";
import type { RequestReader } from "./route-tools.ts";

const RATE_LIMIT_PER_SECOND_DEFAULT = 100;
const TENTHS = 10;
/** What a contract says, and an operator alone changes. */
const OF_CONTRACT = ["slug", "status", "rate_limit_per_second", "plan"] as const;

/** `/admin/v1/tenants`: who uses the installation, and on what terms. */
export function adminTenantsRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
): void {
  const { directory } = deps;
  const path = "/admin/v1/tenants/:tenant_id";

  router.get("/admin/v1/tenants", (ctx) => {
    const { tenantId } = requireSignedIn(ctx);
    const { limit, cursor } = reader.parameters("adminListTenants", ctx);
    const after = cursor === undefined ? "" : openNameCursor(deps.keyring, "tenants", cursor);
    const seen = directory
      .tenants()
      .filter((tenant) => tenantId === null || tenant.tenantId === tenantId)
      .filter((tenant) => tenant.tenantId > after)
      .toSorted((left, right) => (left.tenantId < right.tenantId ? -1 : 1));
    const page = seen.slice(0, limit);
    const last = seen.length > limit ? page.at(-1) : undefined;
    const next = last && sealNameCursor(deps.keyring, "tenants", last.tenantId);
    const body: TenantListAnswer = {
      data: page.map(presentTenantSummary),
      meta: { next_cursor: next ?? null },
    };
    ctx.body = body;
  });

  router.get(path, (ctx) => {
    const { tenant_id } = reader.parameters("adminGetTenant", ctx);
    const tenant = requireTenantAccess(ctx, deps, "read", tenant_id);
    ctx.body = { data: presentTenant(tenant, directory) };
  });

  router.put(path, async (ctx) => {
    const { tenant_id } = reader.parameters("adminPutTenant", ctx);
    requireAccess(ctx, "contract", asId<TenantId>(tenant_id));
    const tenant = tenantFrom(tenant_id, await reader.body("adminPutTenant", ctx));
    checkTenant(tenant, directory);
    const isNew = directory.tenant(tenant.tenantId) === undefined;
    await directory.change([{ type: "tenant.saved", tenant, ...stampOf(ctx) }]);
    ctx.status = isNew ? 201 : 200;
    ctx.body = { data: presentTenant(tenant, directory) };
  });

  router.patch(path, async (ctx) => {
    const { tenant_id } = reader.parameters("adminChangeTenant", ctx);
    const caller = requireAccess(ctx, "settings", asId<TenantId>(tenant_id));
    const written = await reader.body("adminChangeTenant", ctx);
    const before = requireTenantAccess(ctx, deps, "settings", tenant_id);
    const isOfContract = OF_CONTRACT.some((field) => written[field] !== undefined);
    if (isOfContract && mayDo(caller, "contract", before.tenantId) !== "yes")
      throw forbidden("contract");
    const tenant = changedTenant(before, written);
    checkTenant(tenant, directory);
    await directory.change([{ type: "tenant.saved", tenant, ...stampOf(ctx) }]);
    ctx.body = { data: presentTenant(tenant, directory) };
  });

  router.put(`${path}/default-scenarios`, async (ctx) => {
    const { tenant_id } = reader.parameters("adminPutDefaultScenarios", ctx);
    requireAccess(ctx, "scenarios", asId<TenantId>(tenant_id));
    const defaultScenarios = { ...(await reader.body("adminPutDefaultScenarios", ctx)) };
    const before = requireTenantAccess(ctx, deps, "scenarios", tenant_id);
    const tenant = { ...before, defaultScenarios };
    checkTenant(tenant, directory, "");
    await directory.change([{ type: "tenant.saved", tenant, ...stampOf(ctx) }]);
    ctx.body = { data: defaultScenarios };
  });
}

/** What is left out takes its default. */
function tenantFrom(tenantId: string, written: TenantWrite): Tenant {
  const blank: Tenant = {
    tenantId: asId<TenantId>(tenantId),
    slug: tenantId.toLowerCase().replaceAll("_", "-"),
    name: written.name,
    status: "active",
    rateLimitPerSecond: RATE_LIMIT_PER_SECOND_DEFAULT,
    plan: { includedTenths: 0, unitPrice: 0, currency: "JPY" },
    defaultLicence: "none",
    areaScope: [],
    explainAllowed: false,
    defaultScenarios: {},
  };
  return changedTenant(blank, written);
}

/** What is left out stays. */
function changedTenant(before: Tenant, written: TenantChange): Tenant {
  const { plan, area_scope: areaScope, default_scenarios: scenarios } = written;
  return {
    ...before,
    slug: written.slug ?? before.slug,
    name: written.name ?? before.name,
    status: written.status ?? before.status,
    rateLimitPerSecond: written.rate_limit_per_second ?? before.rateLimitPerSecond,
    plan:
      plan === undefined
        ? before.plan
        : {
            includedTenths: Math.round(plan.included_credits * TENTHS),
            unitPrice: plan.unit_price,
            currency: plan.currency,
          },
    defaultLicence: written.default_licence ?? before.defaultLicence,
    areaScope: areaScope?.map((areaId) => asId<AreaId>(areaId)) ?? before.areaScope,
    explainAllowed: written.explain_allowed ?? before.explainAllowed,
    defaultScenarios: scenarios === undefined ? before.defaultScenarios : { ...scenarios },
  };
}

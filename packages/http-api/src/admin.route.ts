import type { DirectoryFact } from "@feed/domain/facts";
import { asId } from "@feed/domain/ids";
import type { AreaId, SourceId, TenantId } from "@feed/domain/ids";
import type { Tenant } from "@feed/domain/tenant";
import { TOPICS } from "@feed/domain/topics";
import { partitionOf } from "@feed/signing";
import { issueApiKey } from "@feed/tenant-directory";
import { checkExpiry, checkSettings, checkTenant } from "./admin-checks.ts";
import type { ApiContext, ApiRouter } from "./api-context.ts";
import { requireAdmin } from "./authenticate.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import type { TenantWrite } from "./openapi.generated.ts";
import { presentKey, presentScenario, presentTenant } from "./present-tenant.ts";
import { notFound, Problem, unavailable } from "./problem.ts";
import { ProjectionWait } from "./projection-wait.ts";
import type { RequestReader } from "./route-tools.ts";
import { settingsFrom } from "./scenario-settings.ts";

/** Who changes are recorded under: the admin token names nobody. */
const ACTOR = "admin-api";
const RATE_LIMIT_PER_SECOND_DEFAULT = 100;
const TENTHS = 10;

/**
 * `/admin/v1`: tenants, keys, licences, scenarios, and caps, for operators with the admin token.
 */
export function adminRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
): void {
  const { directory } = deps;

  router.get("/admin/v1/tenants/:tenant_id", (ctx) => {
    requireAdmin(ctx);
    const { tenant_id } = reader.parameters("adminGetTenant", ctx);
    ctx.body = { data: presentTenant(knownTenant(deps, tenant_id), directory) };
  });

  router.put("/admin/v1/tenants/:tenant_id", async (ctx) => {
    requireAdmin(ctx);
    const { tenant_id } = reader.parameters("adminPutTenant", ctx);
    const tenant = tenantFrom(tenant_id, await reader.body("adminPutTenant", ctx));
    checkTenant(tenant, directory);
    const isNew = directory.tenant(tenant.tenantId) === undefined;
    await directory.change([{ type: "tenant.saved", tenant, ...stamp(ctx) }]);
    ctx.status = isNew ? 201 : 200;
    ctx.body = { data: presentTenant(tenant, directory) };
  });

  keyRoutes(router, reader, deps);
  settingRoutes(router, reader, deps);
}

function keyRoutes(router: ApiRouter, reader: RequestReader, deps: HttpApiDependencies): void {
  const { directory } = deps;

  router.post("/admin/v1/tenants/:tenant_id/keys", async (ctx) => {
    requireAdmin(ctx);
    const { tenant_id } = reader.parameters("adminIssueKey", ctx);
    const { tenantId } = knownTenant(deps, tenant_id);
    const { scopes, expires_at } = await reader.body("adminIssueKey", ctx);
    const expiresAtMs = typeof expires_at === "string" ? Date.parse(expires_at) : null;
    checkExpiry(expiresAtMs, ctx.state.receivedAtMs);
    const { secret, key } = issueApiKey(tenantId, {
      ...(scopes !== undefined && { scopes }),
      expiresAtMs,
    });
    await directory.change([{ type: "api-key.issued", key, ...stamp(ctx) }]);
    ctx.status = 201;
    ctx.body = { data: { api_key: secret, ...presentKey(key) } };
  });

  router.delete("/admin/v1/tenants/:tenant_id/keys/:key_id", async (ctx) => {
    requireAdmin(ctx);
    const { tenant_id, key_id: keyId } = reader.parameters("adminRevokeKey", ctx);
    const { tenantId } = knownTenant(deps, tenant_id);
    if (!directory.apiKeys(tenantId).some((key) => key.keyId === keyId)) throw notFound("key");
    await directory.change([{ type: "api-key.revoked", tenantId, keyId, ...stamp(ctx) }]);
    ctx.status = 204;
  });
}

function settingRoutes(router: ApiRouter, reader: RequestReader, deps: HttpApiDependencies): void {
  const { directory, clock } = deps;

  router.put("/admin/v1/tenants/:tenant_id/licences/:source_id", async (ctx) => {
    requireAdmin(ctx);
    const { tenant_id, source_id } = reader.parameters("adminPutLicence", ctx);
    const { tenantId } = knownTenant(deps, tenant_id);
    const sourceId = asId<SourceId>(source_id);
    if (directory.source(sourceId) === undefined) throw notFound("source");
    const { licence } = await reader.body("adminPutLicence", ctx);
    const fact = { type: "licence.set", licence: { tenantId, sourceId, licence } } as const;
    await directory.change([{ ...fact, ...stamp(ctx) }]);
    ctx.body = { data: { source_id, licence } };
  });

  router.put("/admin/v1/tenants/:tenant_id/scenarios/:name", async (ctx) => {
    requireAdmin(ctx);
    const { tenant_id, name } = reader.parameters("adminPutScenario", ctx);
    const { tenantId } = knownTenant(deps, tenant_id);
    const { type, settings: written = {} } = await reader.body("adminPutScenario", ctx);
    const settings = settingsFrom(written);
    checkSettings(settings);
    const before = directory.scenario(tenantId, name);
    if (before !== undefined && before.type !== type) {
      throw new Problem("conflict", `The scenario "${name}" has the type "${before.type}".`);
    }
    const fact: DirectoryFact = {
      type: "scenario.saved",
      tenantId,
      name,
      scenarioType: type,
      version: (before?.version ?? 0) + 1,
      settings,
      ...stamp(ctx),
    };
    await directory.change([fact]);
    ctx.body = { data: presentScenario({ ...fact, type }) };
  });

  const capsVisible = new ProjectionWait(deps.readState, "credits");
  router.put("/admin/v1/tenants/:tenant_id/usage-cap", async (ctx) => {
    requireAdmin(ctx);
    const { tenant_id } = reader.parameters("adminPutUsageCap", ctx);
    const { tenantId } = knownTenant(deps, tenant_id);
    const { credits } = await reader.body("adminPutUsageCap", ctx);
    const capTenths = credits === null ? null : Math.round(credits * TENTHS);
    const value = deps.codec.encode({ type: "usage-cap.set", tenantId, capTenths, ...stamp(ctx) });
    const partition = partitionOf(tenantId, TOPICS.credits.partitions);
    const [position] = await deps.eventLog.append([
      { topic: "credits", partition, key: tenantId, value, timestampMs: clock.nowMs() },
    ]);
    if (position === undefined || !(await capsVisible.passed(position))) {
      throw unavailable("The cap is accepted, but not yet in force.", 1);
    }
    ctx.body = { data: { credits } };
  });
}

function stamp(ctx: ApiContext): { readonly actor: string; readonly atMs: number } {
  return { actor: ACTOR, atMs: ctx.state.receivedAtMs };
}

function knownTenant({ directory }: HttpApiDependencies, tenantId: string): Tenant {
  const tenant = directory.tenant(asId<TenantId>(tenantId));
  if (tenant === undefined) throw notFound("tenant");
  return tenant;
}

function tenantFrom(tenantId: string, written: TenantWrite): Tenant {
  const { plan, default_scenarios: scenarios } = written;
  return {
    tenantId: asId<TenantId>(tenantId),
    slug: written.slug ?? tenantId.toLowerCase().replaceAll("_", "-"),
    name: written.name,
    status: written.status ?? "active",
    rateLimitPerSecond: written.rate_limit_per_second ?? RATE_LIMIT_PER_SECOND_DEFAULT,
    plan: {
      includedTenths: Math.round((plan?.included_credits ?? 0) * TENTHS),
      unitPrice: plan?.unit_price ?? 0,
      currency: plan?.currency ?? "JPY",
    },
    defaultLicence: written.default_licence ?? "none",
    areaScope: (written.area_scope ?? []).map((areaId) => asId<AreaId>(areaId)),
    explainAllowed: written.explain_allowed ?? false,
    defaultScenarios: { ...scenarios },
  };
}

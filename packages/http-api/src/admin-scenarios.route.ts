import type { TenantId } from "@feed/domain/ids";
import type { ScenarioSettings, ScenarioType } from "@feed/domain/scenario";
import type { ScenarioVersion } from "@feed/tenant-directory";
import { requireTenantAccess, stampOf } from "./admin-access.ts";
import { respondCreated } from "./admin-once.ts";
import { checkSettings } from "./admin-checks.ts";
import type { ApiContext, ApiRouter } from "./api-context.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import { presentScenario } from "./present-tenant.ts";
import { notFound, Problem } from "./problem.ts";
import type { RequestReader } from "./route-tools.ts";
import { settingsFrom } from "./scenario-settings.ts";
import { findVersion, latestVersionOf } from "./scenario-versions.ts";

const PATH = "/admin/v1/tenants/:tenant_id/scenarios";

/** `/admin/v1/tenants/{tenant_id}/scenarios`: how a tenant's feeds and pushes rank, version by version. */
export function adminScenariosRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
): void {
  const { directory } = deps;

  router.get(PATH, (ctx) => {
    const { tenant_id } = reader.parameters("adminListScenarios", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "read", tenant_id);
    ctx.body = {
      data: directory.scenarios(tenantId).flatMap(({ name }) => {
        const latest = directory.scenarioVersions(tenantId, name).at(-1);
        return latest === undefined ? [] : [presentScenario(latest)];
      }),
    };
  });

  router.get(`${PATH}/:name`, (ctx) => {
    const { tenant_id, name } = reader.parameters("adminGetScenario", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "read", tenant_id);
    ctx.body = { data: presentScenario(latestVersionOf(deps, tenantId, name)) };
  });

  router.put(`${PATH}/:name`, async (ctx) => {
    const { tenant_id, name } = reader.parameters("adminPutScenario", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "scenarios", tenant_id);
    const written = await reader.body("adminPutScenario", ctx);
    const { type, settings: given = {}, expected_version } = written;
    const settings = settingsFrom(given);
    checkSettings(settings);
    const version = directory.scenario(tenantId, name)?.version ?? 0;
    if (expected_version !== undefined && expected_version !== version)
      throw new Problem("conflict", `The scenario has version ${version} by now.`);
    const saved = await save(ctx, deps, { tenantId, name, type, settings });
    ctx.body = { data: presentScenario(saved) };
  });

  versionRoutes(router, reader, deps);
}

function versionRoutes(router: ApiRouter, reader: RequestReader, deps: HttpApiDependencies): void {
  const { directory } = deps;

  router.get(`${PATH}/:name/versions`, (ctx) => {
    const { tenant_id, name } = reader.parameters("adminListScenarioVersions", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "read", tenant_id);
    latestVersionOf(deps, tenantId, name);
    const versions = directory.scenarioVersions(tenantId, name);
    ctx.body = { data: versions.toReversed().map(presentScenario) };
  });

  router.post(`${PATH}/:name/restore`, async (ctx) => {
    const { tenant_id, name } = reader.parameters("adminRestoreScenario", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "scenarios", tenant_id);
    const { version } = await reader.body("adminRestoreScenario", ctx);
    const former = findVersion(deps, tenantId, name, version);
    if (former === undefined) throw notFound("version");
    const { type, settings } = former;
    const saved = await save(ctx, deps, { tenantId, name, type, settings });
    ctx.body = { data: presentScenario(saved) };
  });

  router.post(`${PATH}/:name/duplicate`, async (ctx) => {
    const parameters = reader.parameters("adminDuplicateScenario", ctx);
    const { tenant_id, name, "Idempotency-Key": key } = parameters;
    const { tenantId } = requireTenantAccess(ctx, deps, "scenarios", tenant_id);
    const { name: copy } = await reader.body("adminDuplicateScenario", ctx);
    await respondCreated(ctx, deps, { key, tenantId, request: copy }, async () => {
      const { type, settings } = latestVersionOf(deps, tenantId, name);
      if (directory.scenario(tenantId, copy) !== undefined)
        throw new Problem("conflict", `There is a scenario "${copy}" already.`);
      return presentScenario(await save(ctx, deps, { tenantId, name: copy, type, settings }));
    });
  });
}

interface ToSave {
  readonly tenantId: TenantId;
  readonly name: string;
  readonly type: ScenarioType;
  readonly settings: ScenarioSettings;
}

/** @throws Problem 409 where the scenario is of the other type or compared with a variant, or somebody else was first. */
async function save(
  ctx: ApiContext,
  deps: HttpApiDependencies,
  { tenantId, name, type, settings }: ToSave,
): Promise<ScenarioVersion> {
  const { directory } = deps;
  const before = directory.scenario(tenantId, name);
  if (before !== undefined && before.type !== type)
    throw new Problem("conflict", `The scenario "${name}" has the type "${before.type}".`);
  if (directory.runningExperiment(tenantId, name) !== undefined)
    throw new Problem("conflict", `An experiment compares "${name}" with a variant: end it first.`);
  const version = (before?.version ?? 0) + 1;
  const stamp = stampOf(ctx);
  const what = { tenantId, name, version, settings };
  await directory.change([{ type: "scenario.saved", scenarioType: type, ...what, ...stamp }]);
  const saved = findVersion(deps, tenantId, name, version);
  // The first of a version in the log stands.
  const isOurs =
    saved?.savedBy === stamp.actor &&
    saved.savedAtMs === stamp.atMs &&
    JSON.stringify(saved.settings) === JSON.stringify(settings);
  if (!isOurs) throw new Problem("conflict", "Somebody else saved the scenario at the same time.");
  return saved;
}

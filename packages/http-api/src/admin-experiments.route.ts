import { randomBytes } from "node:crypto";
import type { Experiment } from "@feed/domain/experiment";
import type { TenantId } from "@feed/domain/ids";
import type { ScenarioSettings } from "@feed/domain/scenario";
import type { ScenarioVersion } from "@feed/tenant-directory";
import { requireTenantAccess, stampOf } from "./admin-access.ts";
import { checkSettings } from "./admin-checks.ts";
import { respondCreated } from "./admin-once.ts";
import type { ApiContext, ApiRouter } from "./api-context.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import type { ExperimentStart } from "./openapi.generated.ts";
import { presentExperiment, presentReport } from "./present-experiment.ts";
import { notFound, Problem, validationProblem } from "./problem.ts";
import type { RequestReader } from "./route-tools.ts";
import { settingsFrom } from "./scenario-settings.ts";
import { findVersion, latestVersionOf } from "./scenario-versions.ts";

const PATH = "/admin/v1/tenants/:tenant_id/scenarios/:name/experiments";

/** `…/scenarios/{name}/experiments`: a feed scenario compared with a variant of it, and what users did with both. */
export function adminExperimentsRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
): void {
  const { directory } = deps;

  router.get(PATH, (ctx) => {
    const { tenant_id, name } = reader.parameters("adminListExperiments", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "read", tenant_id);
    latestVersionOf(deps, tenantId, name);
    const experiments = directory.experiments(tenantId, name);
    ctx.body = { data: experiments.toReversed().map(presentExperiment) };
  });

  router.post(PATH, async (ctx) => {
    const parameters = reader.parameters("adminStartExperiment", ctx);
    const { tenant_id, name, "Idempotency-Key": key } = parameters;
    const { tenantId } = requireTenantAccess(ctx, deps, "scenarios", tenant_id);
    const request = await reader.body("adminStartExperiment", ctx);
    await respondCreated(ctx, deps, { key, tenantId, request }, async () =>
      presentExperiment(await start(ctx, deps, latestVersionOf(deps, tenantId, name), request)),
    );
  });

  router.get(`${PATH}/:experiment_id`, (ctx) => {
    const { tenant_id, name, experiment_id } = reader.parameters("adminGetExperiment", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "read", tenant_id);
    ctx.body = { data: presentExperiment(experimentOf(deps, tenantId, name, experiment_id)) };
  });

  router.get(`${PATH}/:experiment_id/report`, async (ctx) => {
    const { tenant_id, name, experiment_id } = reader.parameters("adminReportExperiment", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "read", tenant_id);
    const experiment = experimentOf(deps, tenantId, name, experiment_id);
    const { experimentId, shareSetAtMs } = experiment;
    const arms = await deps.activityStore.experimentArms(tenantId, experimentId, shareSetAtMs);
    ctx.body = { data: presentReport(experiment, arms) };
  });

  changeRoutes(router, reader, deps);
}

function changeRoutes(router: ApiRouter, reader: RequestReader, deps: HttpApiDependencies): void {
  const { directory } = deps;

  router.patch(`${PATH}/:experiment_id`, async (ctx) => {
    const { tenant_id, name, experiment_id } = reader.parameters("adminChangeExperiment", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "scenarios", tenant_id);
    const { variant_share: variantShare } = await reader.body("adminChangeExperiment", ctx);
    const running = runningOf(deps, tenantId, name, experiment_id);
    // The report begins anew with every change: one that changes nothing is none.
    if (variantShare !== running.variantShare) {
      const { experimentId, scenario } = running;
      const of = { tenantId, experimentId, scenario, ...stampOf(ctx) };
      await directory.change([{ type: "experiment.share-set", ...of, variantShare }]);
    }
    const changed = experimentOf(deps, tenantId, name, experiment_id);
    if (changed.end !== null) throw hasEnded();
    ctx.body = { data: presentExperiment(changed) };
  });

  router.post(`${PATH}/:experiment_id/end`, async (ctx) => {
    const { tenant_id, name, experiment_id } = reader.parameters("adminEndExperiment", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "scenarios", tenant_id);
    const { outcome } = await reader.body("adminEndExperiment", ctx);
    const { experimentId, scenario } = runningOf(deps, tenantId, name, experiment_id);
    const stamp = stampOf(ctx);
    const of = { tenantId, experimentId, scenario, ...stamp };
    await directory.change([{ type: "experiment.ended", ...of, outcome }]);
    const ended = experimentOf(deps, tenantId, name, experiment_id);
    // The first end in the log stands.
    if (ended.end?.outcome !== outcome || ended.end.endedBy !== stamp.actor) throw hasEnded();
    ctx.body = { data: presentExperiment(ended) };
  });
}

/** @throws Problem 400 for a push scenario or a variant that is none; 409 where another experiment runs. */
async function start(
  ctx: ApiContext,
  deps: HttpApiDependencies,
  live: ScenarioVersion,
  { name, variant, variant_share: variantShare, expected_version }: ExperimentStart,
): Promise<Experiment> {
  const { directory } = deps;
  const { tenantId, name: scenario, version: controlVersion } = live;
  if (live.type !== "feed") {
    const detail = `"${scenario}" is a push scenario; feed scenarios alone are compared`;
    throw validationProblem([{ pointer: "path:name", detail }]);
  }
  const variantSettings = variantOf(deps, live, variant);
  if (JSON.stringify(variantSettings) === JSON.stringify(live.settings))
    throw validationProblem([{ pointer: "/variant", detail: "is what is live already" }]);
  if (expected_version !== undefined && expected_version !== controlVersion)
    throw new Problem("conflict", `The scenario has version ${controlVersion} by now.`);
  const experimentId = `exp_${randomBytes(9).toString("base64url")}`;
  const versions = { controlVersion, variantVersion: variant.version ?? null };
  const said = { name, ...versions, variantSettings, variantShare };
  const of = { tenantId, experimentId, scenario };
  await directory.change([{ type: "experiment.started", ...of, ...said, ...stampOf(ctx) }]);
  const running = directory.runningExperiment(tenantId, scenario);
  if (running?.experimentId !== experimentId)
    throw new Problem("conflict", "An experiment of the scenario runs, or it was saved just now.");
  return running;
}

/** @throws Problem 400 for settings that are none, and a version that is not kept. */
function variantOf(
  deps: HttpApiDependencies,
  { tenantId, name }: ScenarioVersion,
  { version, settings }: ExperimentStart["variant"],
): ScenarioSettings {
  if (version === undefined) {
    const written = settingsFrom(settings ?? {});
    checkSettings(written, "/variant/settings");
    return written;
  }
  const saved = findVersion(deps, tenantId, name, version);
  if (saved === undefined)
    throw validationProblem([{ pointer: "/variant/version", detail: "is no version of it" }]);
  return saved.settings;
}

function experimentOf(
  { directory }: HttpApiDependencies,
  tenantId: TenantId,
  scenario: string,
  id: string,
): Experiment {
  const experiments = directory.experiments(tenantId, scenario);
  const found = experiments.find(({ experimentId }) => experimentId === id);
  if (found === undefined) throw notFound("experiment");
  return found;
}

/** @throws Problem 404, 409. */
function runningOf(
  deps: HttpApiDependencies,
  tenantId: TenantId,
  scenario: string,
  id: string,
): Experiment {
  const experiment = experimentOf(deps, tenantId, scenario, id);
  if (experiment.end !== null) throw hasEnded();
  return experiment;
}

function hasEnded(): Problem {
  return new Problem("conflict", "The experiment has ended.");
}

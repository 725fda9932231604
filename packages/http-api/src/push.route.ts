import type { PushAcceptance, PushRequest } from "@feed/push";
import type { ApiContext, ApiRouter } from "./api-context.ts";
import { requireTenant } from "./authenticate.ts";
import { setCreditsUsed, usageLimitExceeded } from "./credits.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import { answerOnce, type KeptAnswer } from "./idempotency.ts";
import type { PushJobAccepted } from "./openapi.generated.ts";
import { presentDryRun } from "./present-push.ts";
import { cancelPushJob, pushJobOf, pushJobsPage } from "./push-jobs.ts";
import { takePushToken } from "./push-limiter.ts";
import { readPushBody, readPushRequest } from "./push-request.ts";
import type { RequestReader } from "./route-tools.ts";
import type { RequestValidation } from "./validation.ts";

const JSON_HEADERS = { "Content-Type": "application/json; charset=utf-8" };

/** Push jobs (spec 4.5, 4.6; decisions, "Push jobs"). */
export function pushRoutes(
  router: ApiRouter,
  deps: HttpApiDependencies,
  {
    reader,
    validation,
  }: { readonly reader: RequestReader; readonly validation: RequestValidation },
): void {
  router.post("/v1/push-candidates", async (ctx) => {
    const tenant = requireTenant(ctx, "push");
    const parameters = reader.parameters("postPushCandidates", ctx);
    const { "Idempotency-Key": key, dry_run: isDryRun } = parameters;
    const body = await readPushBody(ctx);
    const request = readPushRequest(body, { ctx, tenant, validation, deps, key });
    await takePushToken(deps.readState, tenant.tenantId, ctx.state.receivedAtMs);
    const answer = await answerOnce(
      {
        readState: deps.readState,
        clock: deps.clock,
        log: deps.log,
        tenantId: tenant.tenantId,
        key: key === undefined ? undefined : `push:${key}`,
        fingerprint: [`${isDryRun}`, body.bytes],
      },
      () => (isDryRun ? dryRun(deps, request) : accept(deps, request)),
    );
    if (answer.replayed) ctx.set("Idempotent-Replayed", "true");
    respond(ctx, answer);
  });

  router.get("/v1/push-candidates", async (ctx) => {
    const { tenantId } = requireTenant(ctx, "push");
    const { limit, cursor } = reader.parameters("listPushJobs", ctx);
    ctx.body = await pushJobsPage(deps, tenantId, { limit, cursor }, ctx.state.receivedAtMs);
  });

  router.get("/v1/push-candidates/:job_id", async (ctx) => {
    const { tenantId } = requireTenant(ctx, "push");
    const { job_id } = reader.parameters("getPushJob", ctx);
    ctx.body = await pushJobOf(deps, tenantId, job_id, ctx.state.receivedAtMs);
  });

  router.post("/v1/push-candidates/:job_id/cancel", async (ctx) => {
    const { tenantId } = requireTenant(ctx, "push");
    const { job_id } = reader.parameters("cancelPushJob", ctx);
    ctx.body = await cancelPushJob(deps, tenantId, job_id, ctx.state.receivedAtMs);
  });
}

async function accept(deps: HttpApiDependencies, request: PushRequest): Promise<KeptAnswer> {
  const answer: PushAcceptance = await deps.push.request(request);
  if (answer.kind === "usage-limit-exceeded") throw usageLimitExceeded(answer.capTenths);
  const body: PushJobAccepted = { job_id: answer.jobId, status: "queued" };
  const headers = { ...JSON_HEADERS, Location: `/v1/push-candidates/${answer.jobId}` };
  return { status: 202, body: JSON.stringify(body), headers };
}

async function dryRun(deps: HttpApiDependencies, request: PushRequest): Promise<KeptAnswer> {
  const body = presentDryRun(await deps.push.dryRun(request));
  return { status: 200, body: JSON.stringify(body), headers: JSON_HEADERS };
}

function respond(ctx: ApiContext, { status, headers, body }: KeptAnswer): void {
  setCreditsUsed(ctx, 0);
  ctx.status = status;
  ctx.set(headers);
  ctx.body = body;
}

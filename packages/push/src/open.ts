import { createHash } from "node:crypto";
import { billingMonth } from "@feed/domain/credits";
import type { TenantId } from "@feed/domain/ids";
import { IDEMPOTENCY_TTL_MS, READ_YOUR_WRITES_TIMEOUT_MS } from "@feed/domain/limits";
import { hasEnded } from "@feed/domain/push";
import type { PushJobFact } from "@feed/domain/push-facts";
import { waitForRecord } from "./barrier.ts";
import type { PushDependencies } from "./dependencies.ts";
import { dryRunOf } from "./dry-run.ts";
import { PushFailure } from "./failures.ts";
import { appendJobFact } from "./job-log.ts";
import { putUserIds, userIdsKey } from "./objects.ts";
import { JobViews } from "./job-views.ts";
import { previewOf } from "./preview.ts";
import type { CancelAnswer, PushAcceptance, PushRequest, PushService } from "./service.ts";

const JOB_PREFIX = "job_";
const NAME_CHARS = 26;

/** The push service over opened ports. */
export function createPushService(deps: PushDependencies): PushService {
  const views = new JobViews(deps.objectStore);
  return {
    request: (request) => accept(deps, request),
    find: async (tenantId, jobId, nowMs) => {
      const record = await deps.readState.pushJob(tenantId, jobId);
      return record && views.of(record.state, nowMs);
    },
    list: async (tenantId, after, limit, nowMs) => {
      const records = await deps.readState.pushJobs(tenantId, after, limit);
      return Promise.all(records.map(({ state }) => views.of(state, nowMs)));
    },
    cancel: (tenantId, jobId, nowMs) => cancel(deps, views, { tenantId, jobId, nowMs }),
    preview: (request) => previewOf(deps, request),
    dryRun: (request) => dryRunOf(deps, request),
  };
}

async function accept(deps: PushDependencies, request: PushRequest): Promise<PushAcceptance> {
  const { tenant, nowMs, targetMode, keyKind } = request;
  const { tenantId } = tenant;
  const standing = await deps.readState.creditStanding(tenantId, billingMonth(nowMs));
  const { capTenths } = standing;
  if (keyKind === "live" && capTenths !== null) {
    const used = standing.usedTenths + standing.reservedTenths;
    if (used >= capTenths) return { kind: "usage-limit-exceeded", capTenths };
  }
  const name = await nameOf(deps, request);
  if (name.isKnown) return { kind: "accepted", jobId: name.jobId };
  const { jobId } = name;
  const fact: PushJobFact = {
    type: "push-job.requested",
    tenantId,
    jobId,
    atMs: nowMs,
    scenario: request.scenario.name,
    candidatesPerUser: request.candidatesPerUser,
    targetMode,
    conditions: request.conditions,
    userIds: targetMode === "manual" ? await storeUserIds(deps, jobId, request) : null,
    usersEnds: await deps.eventLog.endOffsets("users"),
    deliveriesEnds: await deps.eventLog.endOffsets("deliveries"),
    keyKind,
  };
  await isVisible(deps, fact);
  return { kind: "accepted", jobId };
}

async function storeUserIds(
  { objectStore }: PushDependencies,
  jobId: string,
  { userIds }: PushRequest,
) {
  const objectKey = userIdsKey(jobId);
  const sha256 = await putUserIds(objectStore, objectKey, userIds);
  return { objectKey, sha256, count: userIds.length };
}

/**
 * With an Idempotency-Key the job is named by tenant and key, so that a repeat meets the same job even when its answer
 * was lost (decisions, "HTTP in general"). A key is kept for 24 h: after that it names the next job.
 */
async function nameOf(
  { readState }: PushDependencies,
  { tenant: { tenantId }, idempotencyKey, requestId, nowMs }: PushRequest,
): Promise<{ readonly jobId: string; readonly isKnown: boolean }> {
  if (idempotencyKey === undefined) return { jobId: `${JOB_PREFIX}${requestId}`, isKnown: false };
  for (let use = 0; ; use += 1) {
    const jobId = `${JOB_PREFIX}${hashOf(tenantId, idempotencyKey, use)}`;
    const known = await readState.pushJob(tenantId, jobId);
    if (known === undefined) return { jobId, isKnown: false };
    if (known.state.request.atMs > nowMs - IDEMPOTENCY_TTL_MS) return { jobId, isKnown: true };
  }
}

function hashOf(tenantId: TenantId, key: string, use: number): string {
  const input = `${tenantId.length}:${tenantId}${key.length}:${key}${use}`;
  return createHash("sha256").update(input).digest("hex").slice(0, NAME_CHARS);
}

async function cancel(
  deps: PushDependencies,
  views: JobViews,
  { tenantId, jobId, nowMs }: { tenantId: TenantId; jobId: string; nowMs: number },
): Promise<CancelAnswer> {
  const before = (await deps.readState.pushJob(tenantId, jobId))?.state;
  if (before === undefined) return { kind: "not-found" };
  if (!hasEnded(before)) {
    const fact = { type: "push-job.cancelled", tenantId, jobId, atMs: nowMs } as const;
    if (!(await isVisible(deps, fact))) return { kind: "not-yet-visible" };
  }
  const state = (await deps.readState.pushJob(tenantId, jobId))?.state ?? before;
  const view = await views.of(state, nowMs);
  return { kind: state.failure?.code === "cancelled" ? "cancelled" : "has-ended", view };
}

/** Appends, then waits until a GET would see it: false when that takes too long, though it is durable. */
async function isVisible(deps: PushDependencies, fact: PushJobFact): Promise<boolean> {
  const position = await appendJobFact(deps, fact);
  const { signal } = new AbortController();
  const timeoutMs = deps.readYourWritesMs ?? READ_YOUR_WRITES_TIMEOUT_MS;
  try {
    await waitForRecord(deps.readState, "push-jobs", position, { signal, timeoutMs });
    return true;
  } catch (error) {
    if (error instanceof PushFailure) return false;
    throw error;
  }
}

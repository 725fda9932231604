import type { TenantId } from "@feed/domain/ids";
import { PUSH_JOB_LIST_LIMIT_MAX } from "@feed/domain/limits";
import type { HttpApiDependencies } from "./dependencies.ts";
import { openListCursor, sealListCursor } from "./list-cursor.ts";
import type { PushJob, PushJobListAnswer } from "./openapi.generated.ts";
import { presentPushJob } from "./present-push.ts";
import { notFound, Problem, unavailable } from "./problem.ts";

const RETRY_AFTER_SECONDS = 2;

type PushJobDependencies = Pick<HttpApiDependencies, "push" | "keyring">;

/** @throws Problem 400 `invalid-cursor`. */
export async function pushJobsPage(
  { push, keyring }: PushJobDependencies,
  tenantId: TenantId,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  nowMs: number,
): Promise<PushJobListAnswer> {
  const place =
    cursor === undefined ? undefined : openListCursor(keyring, "push-jobs", tenantId, cursor);
  const after = place === undefined ? null : { requestedAtMs: place.atMs, jobId: place.id };
  const wanted = Math.min(limit, PUSH_JOB_LIST_LIMIT_MAX);
  const views = await push.list(tenantId, after, wanted, nowMs);
  const last = views.length < wanted ? undefined : views.at(-1)?.state.request;
  const next =
    last && sealListCursor(keyring, "push-jobs", tenantId, { atMs: last.atMs, id: last.jobId });
  return { data: views.map(presentPushJob), meta: { next_cursor: next ?? null } };
}

/** @throws Problem 404. */
export async function pushJobOf(
  { push }: PushJobDependencies,
  tenantId: TenantId,
  jobId: string,
  nowMs: number,
): Promise<PushJob> {
  const view = await push.find(tenantId, jobId, nowMs);
  if (view === undefined) throw notFound("push job");
  return presentPushJob(view);
}

/** @throws Problem 404; 409 for a job that has ended otherwise; 503 while it can't be seen. */
export async function cancelPushJob(
  { push }: PushJobDependencies,
  tenantId: TenantId,
  jobId: string,
  nowMs: number,
): Promise<PushJob> {
  const answer = await push.cancel(tenantId, jobId, nowMs);
  switch (answer.kind) {
    case "not-found":
      throw notFound("push job");
    case "has-ended":
      throw new Problem("conflict", `The job is ${answer.view.state.status} already.`);
    case "not-yet-visible":
      throw unavailable("The job is being cancelled, but not yet visibly.", RETRY_AFTER_SECONDS);
    case "cancelled":
      return presentPushJob(answer.view);
  }
}

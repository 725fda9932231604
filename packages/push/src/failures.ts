import { ActivityStoreUnavailable } from "@feed/activity-store";
import { ContentIndexUnavailable } from "@feed/content-index";
import type { PushFailureCode, PushJobFailed } from "@feed/domain/push-facts";
import { EmbedderUnavailable } from "@feed/embedder";
import { LogUnavailable } from "@feed/event-log";
import { ObjectStoreUnavailable } from "@feed/object-store";
import { ReadStateUnavailable } from "@feed/read-state";
import type { RetryLimits } from "@feed/runtime";

/** What ends a job, for its tenant to read. */
export class PushFailure extends Error {
  override readonly name = "PushFailure";
  readonly code: PushFailureCode;

  constructor(code: PushFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** About a minute: a part that is away for longer fails the job (architecture section 2, table). */
export const STEP_RETRY: RetryLimits = { attemptsMax: 30, firstDelayMs: 200, delayMsMax: 5_000 };
/** For what must be said in the end, however long the log is away. */
export const APPEND_RETRY: RetryLimits = {
  attemptsMax: Infinity,
  firstDelayMs: 200,
  delayMsMax: 5_000,
};

/** Whether the same call can succeed later. */
export function isPartAway(error: unknown): boolean {
  return codeOfPart(error) !== undefined;
}

/** What a job fails with when an error has not been cured by retries. */
export function failureFrom(error: unknown): PushFailure {
  if (error instanceof PushFailure) return error;
  const away = codeOfPart(error);
  if (away === undefined) {
    return new PushFailure("internal", "The job failed by a fault of the service.", {
      cause: error,
    });
  }
  return new PushFailure(away, MESSAGES[away], { cause: error });
}

/** The fact that ends a job for this reason. */
export function failedFact(
  job: Pick<PushJobFailed, "tenantId" | "jobId" | "scenario">,
  { code, message }: PushFailure,
  atMs: number,
): PushJobFailed {
  const { tenantId, jobId, scenario } = job;
  return { type: "push-job.failed", tenantId, jobId, atMs, scenario, code, message };
}

type AwayCode = "storage_unavailable" | "projection_unavailable" | "log_unavailable";

const MESSAGES: Readonly<Record<AwayCode, string>> = {
  storage_unavailable: "The store of result files could not be reached.",
  projection_unavailable: "What was sent before the request could not be read in time.",
  log_unavailable: "The event log could not be reached.",
};

function codeOfPart(error: unknown): AwayCode | undefined {
  if (error instanceof ObjectStoreUnavailable) return "storage_unavailable";
  if (error instanceof LogUnavailable) return "log_unavailable";
  const isReadModel =
    error instanceof ReadStateUnavailable ||
    error instanceof ActivityStoreUnavailable ||
    error instanceof ContentIndexUnavailable ||
    error instanceof EmbedderUnavailable;
  return isReadModel ? "projection_unavailable" : undefined;
}

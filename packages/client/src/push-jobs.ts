import { PushJobFailedError } from "./errors.ts";
import { entriesOf, pagesOf } from "./paging.ts";
import type {
  Operations,
  PushDryRun,
  PushJob,
  PushJobAccepted,
  PushRequest,
  PushRow,
} from "./openapi.generated.ts";
import { rowsOf } from "./result-rows.ts";
import { isPassing } from "./retry.ts";
import type { Answer, CallOptions, PostOptions, Transport } from "./transport.ts";

const POLL_MS_MIN = 1_000;
const POLL_MS_MAX = 10_000;
const POLL_GROWTH = 1.5;
/** In a row; each has been retried as every call is. */
const FAILED_POLLS_MAX = 10;

/** A job whose counters are final. */
export interface CompletedPushJob extends PushJob {
  status: "completed";
  target_user_count: number;
  failed_user_count: number;
  candidates_generated: number;
  completed_at: string;
}

export interface WaitOptions extends CallOptions {
  /** Told of the job each time it is looked at. */
  readonly onProgress?: (job: PushJob) => void;
}

/** Jobs that choose articles for push notifications. */
export class PushJobs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Starts a job. 0.5 credits are charged for each user with candidates when it is completed. */
  async start(request: PushRequest, options?: PostOptions): Promise<PushJobAccepted> {
    const call = { parameters: {}, body: request };
    return (await this.#transport.call("postPushCandidates", call, options)) as PushJobAccepted;
  }

  /** Audience and sample rows of a job that is not started. */
  async dryRun(request: PushRequest, options?: CallOptions): Promise<PushDryRun> {
    const call = { parameters: { dry_run: true }, body: request };
    return (await this.#transport.call("postPushCandidates", call, options)) as PushDryRun;
  }

  get(jobId: string, options?: CallOptions): Promise<PushJob> {
    return this.#transport.call("getPushJob", { parameters: { job_id: jobId } }, options);
  }

  /** One page, newest first. */
  list(
    parameters: Operations["parameters"]["listPushJobs"] = {},
    options?: CallOptions,
  ): Promise<Answer<"listPushJobs">> {
    return this.#transport.call("listPushJobs", { parameters }, options);
  }

  /** Every job, newest first. */
  all(options?: CallOptions): AsyncGenerator<PushJob, void, undefined> {
    return entriesOf(pagesOf((cursor) => this.list(cursor, options), undefined));
  }

  /** Ends a job: nothing is charged. */
  cancel(jobId: string, options?: CallOptions): Promise<PushJob> {
    return this.#transport.call("cancelPushJob", { parameters: { job_id: jobId } }, options);
  }

  /**
   * Looks at the job until it has ended, every second at first and every ten later. Goes on through a minute or two
   * without an answer. How long to wait is the signal's: `AbortSignal.timeout(ms)`.
   *
   * @throws PushJobFailedError when the job failed; the signal's reason.
   */
  async waitForCompletion(
    jobId: string,
    { onProgress, ...options }: WaitOptions = {},
  ): Promise<CompletedPushJob> {
    let failures = 0;
    for (let delayMs = POLL_MS_MIN; ; delayMs = Math.min(POLL_MS_MAX, delayMs * POLL_GROWTH)) {
      try {
        const job = await this.get(jobId, options);
        failures = 0;
        onProgress?.(job);
        if (job.status === "completed") return job as CompletedPushJob;
        if (job.status === "failed")
          throw new PushJobFailedError(jobId, job.error ?? { code: "internal", message: "" });
      } catch (error) {
        failures += 1;
        if (!isPassing(error) || failures > FAILED_POLLS_MAX) throw error;
      }
      await this.#transport.effects.sleep(delayMs, options.signal);
    }
  }

  /** The rows of a completed job, one for each user of its audience, streamed. */
  rows(jobId: string, options: CallOptions = {}): AsyncGenerator<PushRow, void, undefined> {
    return rowsOf(this.#transport, jobId, options);
  }
}

import type { PushJobFact } from "@feed/domain/push-facts";
import { retry, type RetryLimits } from "@feed/runtime";
import type { PushDependencies } from "../dependencies.ts";
import {
  APPEND_RETRY,
  failedFact,
  failureFrom,
  isPartAway,
  PushFailure,
  STEP_RETRY,
} from "../failures.ts";
import { appendChunks, appendJobFact, jobPartitionOf } from "../job-log.ts";
import { closeReservation, joinParts, workKeys } from "./finish.ts";
import { reserveCredits } from "./reserve.ts";
import { resolveAudience } from "./resolve-audience.ts";
import type { NextStep, TrackedJob } from "./tracked-job.ts";

export interface StepOptions {
  /** Users of one chunk: the grain of progress, of repeats, and of turns between jobs. */
  readonly chunkUsers: number;
  /** Absent: PUSH_BARRIER_TIMEOUT_MS. */
  readonly barrierTimeoutMs?: number;
  /** Absent: about a minute. */
  readonly stepRetry?: RetryLimits;
}

/** The steps of a job. Each ends with a fact, and may be done again by whoever did not see that fact. */
export class JobSteps {
  readonly #deps: PushDependencies;
  readonly #options: StepOptions;
  readonly #signal: AbortSignal;

  constructor(deps: PushDependencies, options: StepOptions, signal: AbortSignal) {
    this.#deps = deps;
    this.#options = options;
    this.#signal = signal;
  }

  async run(job: TrackedJob, step: Exclude<NextStep, "dispatch">): Promise<void> {
    if (step === "close") return this.#close(job);
    await this.#orFail(job, () => this.#do(job, step));
  }

  async dispatch(job: TrackedJob, chunks: readonly number[]): Promise<void> {
    const { audience, request } = job.state;
    if (audience === null) throw new Error("a job without an audience has no chunks");
    const { tenantId, jobId } = request;
    const facts = chunks.map((chunk) => ({
      type: "push-chunk.queued" as const,
      tenantId,
      jobId,
      atMs: this.#deps.clock.nowMs(),
      chunk,
      jobPartition: jobPartitionOf(tenantId),
      audienceOffset: audience.offset,
    }));
    await this.#orFail(job, () => appendChunks(this.#deps, facts));
  }

  async #do(job: TrackedJob, step: Exclude<NextStep, "dispatch" | "close">): Promise<void> {
    const { state } = job;
    const { tenantId, jobId } = state.request;
    const { chunkUsers } = this.#options;
    switch (step) {
      case "start": {
        const atMs = this.#deps.clock.nowMs();
        return this.#append(job, { type: "push-job.started", tenantId, jobId, atMs });
      }
      case "resolve": {
        const barrier = this.#barrier();
        const options = { chunkUsers, attempt: job.attempt };
        return this.#append(job, await resolveAudience(this.#deps, state, options, barrier));
      }
      case "reserve": {
        const answer = await reserveCredits(this.#deps, state, this.#barrier());
        if (answer === "granted") {
          job.isReserved = true;
          return;
        }
        throw new PushFailure(
          "usage_limit_exceeded",
          "The job's credits would exceed the usage cap of the billing cycle.",
        );
      }
      case "finish":
        return this.#append(job, await joinParts(this.#deps, state, job.sent));
      default:
        return step satisfies never;
    }
  }

  /** After the end: credits first, because they count; what can't be removed is left lying. */
  async #close(job: TrackedJob): Promise<void> {
    const { state } = job;
    const { tenantId, jobId } = state.request;
    await this.#persistently(() => closeReservation(this.#deps, state));
    try {
      const { objectStore } = this.#deps;
      for (const key of workKeys(state)) await this.#retried(() => objectStore.delete(key));
    } catch (error) {
      this.#signal.throwIfAborted();
      this.#deps.log.warn({ err: error, jobId }, "objects of an ended job were not removed");
    }
    const atMs = this.#deps.clock.nowMs();
    const closed = { type: "push-job.closed", tenantId, jobId, atMs } as const;
    await this.#persistently(() => this.#append(job, closed));
  }

  /** An error that retries don't cure fails the job. */
  async #orFail(job: TrackedJob, call: () => Promise<void>): Promise<void> {
    try {
      await this.#retried(call);
    } catch (error) {
      this.#signal.throwIfAborted();
      await this.#fail(job, error);
    }
  }

  async #fail(job: TrackedJob, error: unknown): Promise<void> {
    const { request } = job.state;
    const failure = failureFrom(error);
    const { code } = failure;
    if (code !== "usage_limit_exceeded") {
      const { jobId } = request;
      this.#deps.log.error({ err: error, jobId, code }, "a push job failed");
    }
    const fact = failedFact(request, failure, this.#deps.clock.nowMs());
    await this.#persistently(() => this.#append(job, fact));
  }

  async #append(job: TrackedJob, fact: PushJobFact): Promise<void> {
    job.awaitedOffset = (await appendJobFact(this.#deps, fact)).offset;
  }

  #barrier() {
    const { barrierTimeoutMs: timeoutMs } = this.#options;
    return { signal: this.#signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
  }

  #retried<Result>(call: () => Promise<Result>): Promise<Result> {
    const limits = this.#options.stepRetry ?? STEP_RETRY;
    return retry(call, { ...limits, isTransient: isPartAway, signal: this.#signal });
  }

  #persistently<Result>(call: () => Promise<Result>): Promise<Result> {
    return retry(call, { ...APPEND_RETRY, isTransient: isPartAway, signal: this.#signal });
  }
}

import { PUSH_JOBS_RUNNING_MAX } from "@feed/domain/limits";
import type { TenantId } from "@feed/domain/ids";
import { evolveJob, hasEnded } from "@feed/domain/push";
import type { PushJobFact } from "@feed/domain/push-facts";
import { UnreadableRecord } from "@feed/event-codec";
import type { LogConsumer, PartitionBatch } from "@feed/event-log";
import type { PushDependencies } from "../dependencies.ts";
import { PUSH_GROUPS } from "../groups.ts";
import { JobSteps, type StepOptions } from "./job-steps.ts";
import { TrackedJob } from "./tracked-job.ts";

const RECORDS_PER_CALL_MAX = 200;

export interface CoordinatorOptions extends StepOptions {
  /** Chunks of one tenant that are with workers at a time: how long another tenant's may have to wait. */
  readonly tenantChunksMax: number;
}

/** What is known of one partition of `push-jobs`. */
interface PartitionJobs {
  /** Everything below it has been folded. */
  position: number;
  /** Nothing is decided before this position: the facts up to it were there when the partition was taken over. */
  readonly catchUpTo: number;
  /** In the order of their requests. */
  readonly jobs: Map<string, TrackedJob>;
}

/** A running coordinator. Disposing lets the steps under way go; another one takes them up. */
export interface Coordinator extends AsyncDisposable {
  readonly failed: Promise<void>;
}

/**
 * Drives push jobs through their states. Each partition of `push-jobs` is with one coordinator, and with it all jobs of
 * its tenants, so that who runs and who waits is decided in one place. Whatever it holds can be read from the facts
 * again: a killed coordinator's jobs go on where they were.
 */
export async function runCoordinator(
  deps: PushDependencies,
  options: CoordinatorOptions,
): Promise<Coordinator> {
  const coordinator = new JobCoordinator(deps, options);
  const consumer = await deps.eventLog.consume({
    group: PUSH_GROUPS.coordinators.group,
    topics: [PUSH_GROUPS.coordinators.topic],
    startAt: (_topic, partition) => coordinator.takeOver(partition),
    recordsMax: RECORDS_PER_CALL_MAX,
    lingerMs: 0,
    onBatches: (batches) => coordinator.fold(batches),
  });
  return {
    failed: firstFailure(consumer, coordinator),
    [Symbol.asyncDispose]: async () => {
      await coordinator.stop();
      await consumer[Symbol.asyncDispose]();
    },
  };
}

async function firstFailure(consumer: LogConsumer, coordinator: JobCoordinator): Promise<void> {
  await Promise.race([consumer.failed, coordinator.failed]);
}

class JobCoordinator {
  /** Rejects when a step broke in a way that no job can be blamed for. */
  readonly failed: Promise<never>;
  readonly #deps: PushDependencies;
  readonly #options: CoordinatorOptions;
  readonly #partitions = new Map<number, PartitionJobs>();
  readonly #stop = new AbortController();
  readonly #steps: JobSteps;
  readonly #running = new Set<Promise<void>>();
  readonly #reportFailure: (error: unknown) => void;

  constructor(deps: PushDependencies, options: CoordinatorOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#steps = new JobSteps(deps, options, this.#stop.signal);
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => undefined);
    this.failed = promise;
    this.#reportFailure = reject;
  }

  /** Where to begin in a partition: the oldest request that is not closed. */
  async takeOver(partition: number): Promise<number> {
    const { readState, eventLog } = this.#deps;
    // The position first: what is requested after it is read anyway.
    const projected = (await readState.positions("push-jobs")).get(partition) ?? 0;
    const open = (await readState.openPushJobs()).filter((job) => job.partition === partition);
    const position = Math.min(projected, ...open.map(({ requestedOffset }) => requestedOffset));
    const catchUpTo = (await eventLog.endOffsets("push-jobs"))[partition] ?? 0;
    this.#partitions.set(partition, { position, catchUpTo, jobs: new Map() });
    return position;
  }

  async fold(batches: readonly PartitionBatch[]): Promise<void> {
    for (const batch of batches) {
      const known = this.#partitions.get(batch.partition);
      if (known === undefined) throw new Error(`partition ${batch.partition} was not taken over`);
      for (const { value, offset } of batch.records) {
        const fact = value === null ? undefined : this.#read(value);
        if (fact !== undefined) foldInto(known.jobs, fact, offset);
      }
      known.position = batch.nextOffset;
      this.#drive(known);
    }
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled(this.#running);
  }

  /** What nobody can read is reported by the projector. */
  #read(value: Uint8Array): PushJobFact | undefined {
    try {
      const fact = this.#deps.codec.decode(value);
      return fact.type.startsWith("push-job.") ? (fact as PushJobFact) : undefined;
    } catch (error) {
      if (error instanceof UnreadableRecord) return undefined;
      throw error;
    }
  }

  #drive(partition: PartitionJobs): void {
    if (partition.position < partition.catchUpTo || this.#stop.signal.aborted) return;
    const tenants = new Map<TenantId, TrackedJob[]>();
    for (const job of partition.jobs.values()) {
      const { tenantId } = job.state.request;
      const jobs = tenants.get(tenantId);
      if (jobs === undefined) tenants.set(tenantId, [job]);
      else jobs.push(job);
    }
    for (const jobs of tenants.values()) this.#driveTenant(partition, jobs);
  }

  #driveTenant(partition: PartitionJobs, jobs: readonly TrackedJob[]): void {
    const isRunning = ({ state, busy, awaitedOffset }: TrackedJob): boolean =>
      state.status === "processing" ||
      (state.status === "queued" && (busy === "start" || awaitedOffset >= partition.position));
    let slots = PUSH_JOBS_RUNNING_MAX - jobs.filter(isRunning).length;
    const sharing = jobs.filter(({ nextStep }) => nextStep === "dispatch").length;
    for (const job of jobs) {
      const step = job.nextStep;
      if (step === undefined || job.busy !== undefined) continue;
      if (job.awaitedOffset >= partition.position) continue;
      if (step === "start" && slots <= 0) continue;
      // One reservation after the other: each is decided with the ones before in the standing.
      if (step === "reserve" && jobs.some(({ busy }) => busy === "reserve")) continue;
      if (step === "start") slots -= 1;
      if (step === "dispatch") this.#dispatch(partition, job, sharing);
      else this.#run(partition, job, () => this.#steps.run(job, step));
    }
  }

  #dispatch(partition: PartitionJobs, job: TrackedJob, sharing: number): void {
    const share = Math.max(1, Math.floor(this.#options.tenantChunksMax / sharing));
    const chunks = job.waitingChunks().slice(0, Math.max(0, share - job.dispatched.size));
    if (chunks.length === 0) return;
    for (const chunk of chunks) job.dispatched.add(chunk);
    this.#run(partition, job, () => this.#steps.dispatch(job, chunks));
  }

  #run(partition: PartitionJobs, job: TrackedJob, step: () => Promise<void>): void {
    job.busy = job.nextStep;
    const running = step()
      .catch((error: unknown) => {
        if (!this.#stop.signal.aborted) this.#reportFailure(error);
      })
      .finally(() => {
        job.busy = undefined;
        this.#running.delete(running);
        this.#drive(partition);
      });
    this.#running.add(running);
  }
}

/** A job that is closed needs nobody any more. */
function foldInto(jobs: Map<string, TrackedJob>, fact: PushJobFact, offset: number): void {
  const name = `${fact.tenantId}\n${fact.jobId}`;
  const known = jobs.get(name);
  if (known === undefined) {
    const state = evolveJob(undefined, fact, offset);
    if (state !== undefined) jobs.set(name, new TrackedJob(state));
    return;
  }
  known.fold(fact, offset);
  if (known.state.closed && hasEnded(known.state)) jobs.delete(name);
}

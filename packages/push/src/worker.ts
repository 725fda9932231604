import { BoundedCache } from "@feed/domain/bounded-cache";
import { hasEnded, type PushJobState } from "@feed/domain/push";
import type { PushChunkQueued } from "@feed/domain/push-facts";
import { UnreadableRecord } from "@feed/event-codec";
import type { LogConsumer, PartitionBatch } from "@feed/event-log";
import { retry } from "@feed/runtime";
import { waitForRecord } from "./barrier.ts";
import type { PushDependencies } from "./dependencies.ts";
import { APPEND_RETRY, failureFrom, isPartAway, PushFailure, STEP_RETRY } from "./failures.ts";
import { Generation } from "./generate/generate-chunk.ts";
import { appendJobFact } from "./job-log.ts";
import { audienceChunkKey, getMembers, partKey, RESULT_MEDIA_TYPE } from "./objects.ts";

const GROUP = "push.workers";
/** Pools held: those of the jobs that are interleaved at a time; about 10 MB each. */
const GENERATIONS_MAX = 10;

/**
 * Takes chunks as a member of the group of push workers, one at a time: each becomes a part of the result and one
 * fact. A chunk is committed after its fact; done twice it changes nothing, because the first fact stands.
 */
export function runPushWorker(deps: PushDependencies): Promise<LogConsumer> {
  const worker = new PushWorker(deps);
  return deps.eventLog.consume({
    group: GROUP,
    topics: ["push-chunks"],
    // One at a time and partition after partition: the chunks of several jobs take turns.
    recordsMax: 1,
    lingerMs: 0,
    onBatches: (batches, signal) => worker.work(batches, signal),
  });
}

class PushWorker {
  readonly #deps: PushDependencies;
  /** By job. */
  readonly #generations = new BoundedCache<string, Promise<Generation>>(GENERATIONS_MAX);

  constructor(deps: PushDependencies) {
    this.#deps = deps;
  }

  async work(batches: readonly PartitionBatch[], signal: AbortSignal): Promise<void> {
    for (const { records } of batches) {
      for (const { value } of records) {
        const chunk = value === null ? undefined : this.#read(value);
        if (chunk !== undefined) await this.#workOn(chunk, signal);
      }
    }
  }

  #read(value: Uint8Array): PushChunkQueued | undefined {
    try {
      const fact = this.#deps.codec.decode(value);
      return fact.type === "push-chunk.queued" ? fact : undefined;
    } catch (error) {
      if (!(error instanceof UnreadableRecord)) throw error;
      // Its job sends the chunk again when a coordinator takes over, or fails by its deadline.
      this.#deps.log.error({ err: error }, "unreadable record in push-chunks");
      return undefined;
    }
  }

  async #workOn(chunk: PushChunkQueued, signal: AbortSignal): Promise<void> {
    try {
      await retry(() => this.#do(chunk, signal), {
        ...STEP_RETRY,
        isTransient: isPartAway,
        signal,
      });
    } catch (error) {
      signal.throwIfAborted();
      await this.#fail(chunk, error, signal);
    }
  }

  async #do(chunk: PushChunkQueued, signal: AbortSignal): Promise<void> {
    const { readState, objectStore } = this.#deps;
    const { tenantId, jobId, jobPartition: partition, audienceOffset: offset } = chunk;
    await waitForRecord(readState, "push-jobs", { partition, offset }, { signal });
    const job = (await readState.pushJob(tenantId, jobId))?.state;
    if (job === undefined || !isToDo(job, chunk)) return;
    const { audience } = job;
    if (audience === null) return;
    const members = await getMembers(
      objectStore,
      audienceChunkKey(audience.audienceKey, chunk.chunk),
    );
    if (members === undefined) {
      // A job that ended while this was on its way has taken its audience with it.
      const now = (await readState.pushJob(tenantId, jobId))?.state;
      if (now === undefined || hasEnded(now)) return;
      throw new PushFailure("storage_unavailable", "The job's audience is gone.");
    }
    const generation = await this.#generationOf(job, chunk);
    const { content, ...counts } = await generation.chunk(members);
    const key = partKey(jobId, chunk.chunk, content);
    await objectStore.put(key, content, RESULT_MEDIA_TYPE);
    const { chunk: number } = chunk;
    await appendJobFact(this.#deps, {
      type: "push-job.chunk-done",
      tenantId,
      jobId,
      atMs: this.#deps.clock.nowMs(),
      chunk: number,
      partKey: key,
      ...counts,
    });
  }

  #generationOf(job: PushJobState, chunk: PushChunkQueued): Promise<Generation> {
    const { tenantId, jobId } = chunk;
    const name = `${tenantId}\n${jobId}`;
    const known = this.#generations.get(name);
    if (known !== undefined) return known;
    const opening = Generation.open(this.#deps, {
      tenantId,
      jobId,
      scenario: job.request.scenario,
      candidatesPerUser: job.request.candidatesPerUser,
      nowMs: job.audience?.atMs ?? job.request.atMs,
      audienceOffset: chunk.audienceOffset,
    });
    this.#generations.set(name, opening);
    opening.catch(() => this.#generations.delete(name));
    return opening;
  }

  async #fail(chunk: PushChunkQueued, error: unknown, signal: AbortSignal): Promise<void> {
    const { tenantId, jobId } = chunk;
    const { code, message } = failureFrom(error);
    this.#deps.log.error({ err: error, jobId, chunk: chunk.chunk }, "a chunk failed its job");
    const job = await this.#deps.readState.pushJob(tenantId, jobId).catch(() => undefined);
    const scenario = job?.state.request.scenario ?? "";
    const atMs = this.#deps.clock.nowMs();
    const fact = {
      type: "push-job.failed",
      tenantId,
      jobId,
      atMs,
      scenario,
      code,
      message,
    } as const;
    await retry(() => appendJobFact(this.#deps, fact), {
      ...APPEND_RETRY,
      isTransient: isPartAway,
      signal,
    });
  }
}

function isToDo(job: PushJobState, { chunk }: PushChunkQueued): boolean {
  return !hasEnded(job) && job.chunks[chunk] === null;
}

import { BoundedCache } from "@feed/domain/bounded-cache";
import { hasEnded, type PushJobState } from "@feed/domain/push";
import type { PushChunkQueued } from "@feed/domain/push-facts";
import { UnreadableRecord } from "@feed/event-codec";
import type { LogConsumer, PartitionBatch } from "@feed/event-log";
import { retry } from "@feed/runtime";
import { waitForRecord } from "./barrier.ts";
import type { PushDependencies } from "./dependencies.ts";
import {
  APPEND_RETRY,
  failedFact,
  failureFrom,
  isPartAway,
  PushFailure,
  STEP_RETRY,
} from "./failures.ts";
import { scenarioOf } from "./coordinate/resolve-audience.ts";
import { fixBasis, getBasis, type JobBasis } from "./generate/basis.ts";
import { Generation } from "./generate/generate-chunk.ts";
import { PUSH_GROUPS } from "./groups.ts";
import { appendJobFact } from "./job-log.ts";
import { audienceChunkKey, getMembers, partKey, RESULT_MEDIA_TYPE } from "./objects.ts";

/** Pools held: those of the jobs that are interleaved at a time; about 10 MB each. */
const GENERATIONS_MAX = 10;

/**
 * Takes chunks as a member of the group of push workers, one at a time: each becomes a part of the result and one
 * fact. A chunk is committed after its fact; done twice it changes nothing, because the first fact stands.
 */
export function runPushWorker(deps: PushDependencies): Promise<LogConsumer> {
  const worker = new PushWorker(deps);
  return deps.eventLog.consume({
    group: PUSH_GROUPS.workers.group,
    topics: [PUSH_GROUPS.workers.topic],
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
    if (members === undefined) throw goneWork("audience");
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
    const opening = this.#openGeneration(job, chunk);
    this.#generations.set(name, opening);
    opening.catch(() => this.#generations.delete(name));
    return opening;
  }

  async #openGeneration(
    { request, audience }: PushJobState,
    { tenantId, jobId, audienceOffset }: PushChunkQueued,
  ): Promise<Generation> {
    const { candidatesPerUser } = request;
    const nowMs = audience?.atMs ?? request.atMs;
    const basis = await basisOf(this.#deps, request, audience?.basisKey ?? null, nowMs);
    const generation = { tenantId, jobId, candidatesPerUser, nowMs, audienceOffset };
    return Generation.open(this.#deps, generation, basis);
  }

  async #fail(chunk: PushChunkQueued, error: unknown, signal: AbortSignal): Promise<void> {
    const { tenantId, jobId } = chunk;
    const job = await this.#deps.readState.pushJob(tenantId, jobId).catch(() => undefined);
    // A job that ended while this was on its way has taken its work with it.
    if (job !== undefined && hasEnded(job.state)) return;
    this.#deps.log.error({ err: error, jobId, chunk: chunk.chunk }, "a chunk failed its job");
    const scenario = job?.state.request.scenario ?? "";
    const ended = { tenantId, jobId, scenario };
    const fact = failedFact(ended, failureFrom(error), this.#deps.clock.nowMs());
    await retry(() => appendJobFact(this.#deps, fact), {
      ...APPEND_RETRY,
      isTransient: isPartAway,
      signal,
    });
  }
}

/** What the job was fixed to; one that was resolved before that was written down has it as it is now. */
async function basisOf(
  deps: PushDependencies,
  request: PushJobState["request"],
  key: string | null,
  nowMs: number,
): Promise<JobBasis> {
  if (key === null) return fixBasis(deps, scenarioOf(deps, request), nowMs);
  const basis = await getBasis(deps.objectStore, key);
  if (basis === undefined) throw goneWork("pool");
  return basis;
}

function goneWork(what: string): PushFailure {
  return new PushFailure("storage_unavailable", `The job's ${what} is gone.`);
}

function isToDo(job: PushJobState, { chunk }: PushChunkQueued): boolean {
  return !hasEnded(job) && job.chunks[chunk] === null;
}

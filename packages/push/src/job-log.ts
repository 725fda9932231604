import type { CreditReservationStep, StoredFact } from "@feed/domain/facts";
import type { TenantId } from "@feed/domain/ids";
import type { PushChunkQueued, PushJobFact } from "@feed/domain/push-facts";
import { TOPICS, type LogPosition, type Topic } from "@feed/domain/topics";
import type { NewRecord } from "@feed/event-log";
import { partitionOf } from "@feed/signing";
import type { PushDependencies } from "./dependencies.ts";

const CHUNK_DISTANCE = 31;

type LogDependencies = Pick<PushDependencies, "eventLog" | "codec">;

/** All jobs of a tenant in one partition: whoever holds it decides alone who runs and who waits. */
export function jobPartitionOf(tenantId: TenantId): number {
  return partitionOf(tenantId, TOPICS["push-jobs"].partitions);
}

export async function appendJobFact(
  deps: LogDependencies,
  fact: PushJobFact,
): Promise<LogPosition> {
  return appendOne(
    deps,
    record(deps, "push-jobs", jobPartitionOf(fact.tenantId), fact.jobId, fact),
  );
}

export async function appendReservationStep(
  deps: LogDependencies,
  fact: CreditReservationStep,
): Promise<LogPosition> {
  const { tenantId } = fact;
  const partition = partitionOf(tenantId, TOPICS.credits.partitions);
  return appendOne(deps, record(deps, "credits", partition, tenantId, fact));
}

/**
 * Chunks in a row lie nearly half of the partitions apart. In partitions in a row they would go before a worker, which
 * takes one partition after the other, and what another tenant has would wait until it had been all around. The
 * distance has no divisor in common with the partitions or with a few workers: each gets its share.
 */
export function chunkPartitionOf(jobId: string, chunk: number): number {
  const { partitions } = TOPICS["push-chunks"];
  return (partitionOf(jobId, partitions) + chunk * CHUNK_DISTANCE) % partitions;
}

export async function appendChunks(
  deps: LogDependencies,
  facts: readonly PushChunkQueued[],
): Promise<void> {
  const records = facts.map((fact) => {
    const { jobId, chunk } = fact;
    return record(deps, "push-chunks", chunkPartitionOf(jobId, chunk), `${jobId}:${chunk}`, fact);
  });
  await deps.eventLog.append(records);
}

function record(
  { codec }: LogDependencies,
  topic: Topic,
  partition: number,
  key: string,
  fact: StoredFact & { readonly atMs: number },
): NewRecord {
  return { topic, partition, key, value: codec.encode(fact), timestampMs: fact.atMs };
}

async function appendOne({ eventLog }: LogDependencies, one: NewRecord): Promise<LogPosition> {
  const [position] = await eventLog.append([one]);
  if (position === undefined) throw new Error("an append gave no position");
  return position;
}

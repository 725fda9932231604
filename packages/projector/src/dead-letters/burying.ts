import type { DeadLetter } from "@feed/domain/operating-facts";
import type { FactCodec } from "@feed/event-codec";
import type { EventLog, NewRecord, PartitionBatch } from "@feed/event-log";

/** One record that could not be processed, and why. */
export interface Failure {
  readonly partition: number;
  readonly offset: number;
  /** `decode`, or the projection that gave up. */
  readonly stage: string;
  readonly reason: string;
}

const REASON_CHARS_MAX = 1_000;
const APPEND_RECORDS_MAX = 100;

/**
 * Appends a dead letter for each failure, keyed by the place of its record (architecture rule 4). Resolves when all
 * are durable. A crash before the checkpoint repeats them under the same key.
 */
export async function appendDeadLetters(
  failures: readonly Failure[],
  batches: readonly PartitionBatch[],
  log: { readonly eventLog: EventLog; readonly codec: FactCodec; readonly atMs: number },
): Promise<void> {
  const records = failures.map((failure) => deadLetter(failure, batches, log.codec, log.atMs));
  for (let from = 0; from < records.length; from += APPEND_RECORDS_MAX) {
    await log.eventLog.append(records.slice(from, from + APPEND_RECORDS_MAX));
  }
}

function deadLetter(
  { partition, offset, stage, reason }: Failure,
  batches: readonly PartitionBatch[],
  codec: FactCodec,
  atMs: number,
): NewRecord {
  const batch = batches.find((candidate) => candidate.partition === partition);
  const record = batch?.records.find((candidate) => candidate.offset === offset);
  if (batch === undefined || record === undefined) throw new Error("a failure of no known record");
  const letter: DeadLetter = {
    type: "dead-letter",
    sourceTopic: batch.topic,
    sourcePartition: partition,
    sourceOffset: offset,
    stage,
    reason: reason.slice(0, REASON_CHARS_MAX),
    original: record.value ?? new Uint8Array(),
    atMs,
  };
  const key = `${batch.topic}:${partition}:${offset}`;
  const value = codec.encode(letter);
  return { topic: "dead-letters", partition: 0, key, value, timestampMs: atMs };
}

import type { Topic } from "@feed/domain/topics";

import type {
  ConsumeOptions,
  EventLog,
  LogConsumer,
  LogRecord,
  NewRecord,
  PartitionBatch,
} from "../port.ts";

/** A log as the suite needs it. Disposing closes all that was opened. */
export interface LogUnderTest extends AsyncDisposable {
  readonly log: EventLog;
  /** Opens the same log once more, as another process does. */
  openAnother(): Promise<EventLog>;
  /** Lets the compaction lag pass and resolves when compaction has removed what it may. */
  compacted(): Promise<void>;
  /** How long a thing may take that happens by itself. */
  readonly patienceMs: number;
}

/** One promise of the port: `run` rejects when the log breaks it. */
export interface Check {
  readonly name: string;
  readonly run: (subject: LogUnderTest) => Promise<void>;
}

export function record(
  partition: number,
  text: string,
  changes: Partial<NewRecord> = {},
): NewRecord {
  return {
    topic: "users",
    partition,
    key: `key of ${text}`,
    value: Buffer.from(text),
    timestampMs: 1_700_000_000_000,
    ...changes,
  };
}

export function textOf(one: Pick<LogRecord, "value">): string | null {
  return one.value === null ? null : Buffer.from(one.value).toString();
}

/** All records of a partition, page by page. */
export async function readAll(
  log: EventLog,
  topic: Topic,
  partition: number,
): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  let from = 0;
  for (;;) {
    const batch = await log.read(topic, partition, from, 1_000);
    if (batch.records.length === 0) return records;
    records.push(...batch.records);
    from = batch.nextOffset;
  }
}

/** Resolves when the condition holds; rejects with what was waited for when it doesn't come true in time. */
export async function until(
  what: string,
  patienceMs: number,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited ${patienceMs} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** What a consumer failed with; rejects when it didn't fail in time. */
export async function failureOf(consumer: LogConsumer, patienceMs: number): Promise<unknown> {
  let failure: { readonly error: unknown } | undefined;
  consumer.failed.catch((error: unknown) => {
    failure = { error };
  });
  await until("the consumer fails", patienceMs, () => failure !== undefined);
  return failure?.error;
}

/** A handler that notes what it gets, in order. */
export class Inbox {
  readonly records: LogRecord[] = [];
  readonly calls: PartitionBatch[][] = [];

  readonly onBatches = async (batches: readonly PartitionBatch[]): Promise<void> => {
    this.calls.push([...batches]);
    for (const batch of batches) this.records.push(...batch.records);
  };

  texts(partition?: number): (string | null)[] {
    return this.records
      .filter((one) => partition === undefined || one.partition === partition)
      .map(textOf);
  }

  partitions(): number[] {
    return [...new Set(this.records.map((one) => one.partition))].sort((a, b) => a - b);
  }
}

export function consuming(
  onBatches: ConsumeOptions["onBatches"],
  changes: Partial<ConsumeOptions> = {},
): ConsumeOptions {
  return {
    group: "readers",
    topics: ["users"],
    onBatches,
    recordsMax: 100,
    lingerMs: 0,
    ...changes,
  };
}

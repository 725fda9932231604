import { TOPICS } from "@feed/domain/topics";
import type { LogPosition } from "@feed/domain/topics";

import { VALUE_BYTES_MAX } from "../limits.ts";
import { LogUnavailable } from "../port.ts";
import type { NewRecord } from "../port.ts";
import { connect, disconnect } from "./connection.ts";
import type { Cluster, ConnectionSettings, TopicNames } from "./connection.ts";
import { unavailable } from "./faults.ts";
import type { KafkaMessage } from "./kafkajs-types.ts";
import { IdempotentProducer } from "./producing.ts";
import type { PartitionRecords } from "./producing.ts";

/** An append that is not acknowledged by then is refused: the API answers 503 within its two seconds. */
const APPEND_TIMEOUT_MS_DEFAULT = 2_000;
/** On top, for large appends. */
const APPEND_TIMEOUT_MS_PER_MIB = 1_000;
const MIB = 1024 * 1024;
/** W3C Trace Context. */
const TRACE_HEADER = "traceparent";
/** Of one turn: what waits meanwhile shares the next. */
const TURN_BYTES_MAX = 16 * MIB;
/**
 * What a record takes in its batch beside key, value and headers, at most: length, attributes, differences of time and
 * offset, and three lengths, each a varint (Kafka's protocol, "Record").
 */
const RECORD_OVERHEAD_BYTES = 36;
/** The same of a header: its two lengths. */
const HEADER_OVERHEAD_BYTES = 10;
/** Of all appends that are not settled. */
const WAITING_BYTES_MAX = 256 * MIB;

interface Append {
  readonly records: readonly NewRecord[];
  readonly deadlineMs: number;
  readonly offsets: number[];
  readonly resolve: (positions: readonly LogPosition[]) => void;
  readonly reject: (error: Error) => void;
  /** Records handed to the brokers, and of those acknowledged. */
  sent: number;
  acknowledged: number;
  isSettled: boolean;
}

/** The records of one append that go out in one turn. */
interface Share {
  readonly append: Append;
  readonly index: number;
}

export interface AppenderSettings extends ConnectionSettings {
  /** Of a small append. Absent: 2 s. */
  readonly appendTimeoutMs?: number;
}

interface Connection {
  readonly cluster: Cluster;
  readonly producer: IdempotentProducer;
}

/**
 * Appends in turns: all that waits goes out together, one record batch for each partition, and the next turn begins when
 * that is acknowledged. Order is therefore kept within each partition, and a busy log has large batches.
 */
export class Appender {
  readonly #settings: AppenderSettings;
  readonly #names: TopicNames;
  readonly #where: string;
  #waiting: Append[] = [];
  #waitingBytes = 0;
  #connection: Promise<Connection> | undefined;
  #running: Promise<void> | undefined;

  constructor(settings: AppenderSettings, names: TopicNames, where: string) {
    this.#settings = settings;
    this.#names = names;
    this.#where = where;
  }

  async append(records: readonly NewRecord[]): Promise<readonly LogPosition[]> {
    const bytes = records.reduce((sum, record) => sum + sizeOf(record), 0);
    if (this.#waitingBytes + bytes > WAITING_BYTES_MAX)
      throw new LogUnavailable(`${this.#where} is too slow: ${WAITING_BYTES_MAX / MIB} MiB wait`);
    const { appendTimeoutMs = APPEND_TIMEOUT_MS_DEFAULT } = this.#settings;
    const timeoutMs = appendTimeoutMs + (bytes / MIB) * APPEND_TIMEOUT_MS_PER_MIB;
    const { promise, resolve, reject } = Promise.withResolvers<readonly LogPosition[]>();
    this.#waiting.push({
      records,
      deadlineMs: performance.now() + timeoutMs,
      offsets: [],
      resolve,
      reject,
      sent: 0,
      acknowledged: 0,
      isSettled: false,
    });
    this.#waitingBytes += bytes;
    this.#running ??= this.#run();
    try {
      return await promise;
    } finally {
      this.#waitingBytes -= bytes;
    }
  }

  /** Resolves when what was appended before is settled and the connection closed. */
  async close(): Promise<void> {
    await this.#running;
    await this.#drop();
  }

  async #run(): Promise<void> {
    // What is appended in the same turn of the event loop goes out together.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#turn();
    this.#running = undefined;
  }

  async #turn(): Promise<void> {
    this.#refuseLate();
    const shares = this.#take();
    if (shares.size === 0) return;
    const appends = new Set([...shares.values()].flat().map(({ append }) => append));
    const deadlineMs = Math.min(...[...appends].map((append) => append.deadlineMs));
    const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(deadlineMs - performance.now())));
    try {
      await untilAborted(this.#send(shares, timeout), timeout);
    } catch (error) {
      // Not waited for: it may hang as what it closes did.
      void this.#drop();
      const failure = unavailable(`can't append to ${this.#where}`, error);
      for (const append of appends) settle(append, failure);
    }
    this.#waiting = this.#waiting.filter((append) => !append.isSettled);
  }

  /** Nothing of these was sent, or only a part that is acknowledged: their callers have stopped waiting. */
  #refuseLate(): void {
    const nowMs = performance.now();
    for (const append of this.#waiting) {
      if (append.deadlineMs > nowMs) continue;
      settle(append, new LogUnavailable(`can't append to ${this.#where}: it takes too long`));
    }
    this.#waiting = this.#waiting.filter((append) => !append.isSettled);
  }

  /** As many records as fit into a turn, by partition, in the order of their appends. */
  #take(): Map<string, Share[]> {
    const shares = new Map<string, Share[]>();
    const partitionBytes = new Map<string, number>();
    let bytesLeft = TURN_BYTES_MAX;
    for (const append of this.#waiting) {
      while (append.sent < append.records.length) {
        const record = append.records[append.sent] as NewRecord;
        const bytes = sizeOf(record);
        const key = `${record.topic} ${record.partition}`;
        const taken = partitionBytes.get(key) ?? 0;
        // A topic's largest record batch holds its largest record, and no more.
        if (bytesLeft < bytes || (taken > 0 && taken + bytes > VALUE_BYTES_MAX)) return shares;
        bytesLeft -= bytes;
        partitionBytes.set(key, taken + bytes);
        const share = { append, index: append.sent };
        const ofPartition = shares.get(key);
        if (ofPartition === undefined) shares.set(key, [share]);
        else ofPartition.push(share);
        append.sent += 1;
      }
    }
    return shares;
  }

  async #send(shares: ReadonlyMap<string, readonly Share[]>, timeout: AbortSignal): Promise<void> {
    const batches = new Map<PartitionRecords, readonly Share[]>();
    for (const ofPartition of shares.values()) batches.set(batchOf(ofPartition), ofPartition);
    this.#connection ??= this.#connect(timeout);
    const { producer } = await this.#connection;
    const { offsets, failure } = await producer.send([...batches.keys()], timeout);
    let isIncomplete = false;
    for (const [batch, ofPartition] of batches) {
      const baseOffset = offsets.get(batch);
      if (baseOffset === undefined) isIncomplete = true;
      else acknowledge(ofPartition, baseOffset);
    }
    if (!isIncomplete) return;
    const reason = failure instanceof Error ? `: ${failure.message}` : "";
    throw new Error(`the brokers did not acknowledge it${reason}`, { cause: failure });
  }

  async #connect(timeout: AbortSignal): Promise<Connection> {
    const cluster = await connect(
      this.#settings,
      (Object.keys(TOPICS) as (keyof typeof TOPICS)[]).map((topic) => this.#names.of(topic)),
    );
    try {
      return { cluster, producer: await IdempotentProducer.open(cluster, this.#names, timeout) };
    } catch (error) {
      await disconnect(cluster);
      throw error;
    }
  }

  /** The next turn begins with new connections and new sequences. */
  #drop(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    const closed = connection?.then(({ cluster }) => disconnect(cluster));
    return (closed ?? Promise.resolve()).catch(() => undefined);
  }
}

/** At most what a record takes in a batch, so that what fits by this sum is never refused as too large. */
function sizeOf({ key, value, traceparent }: NewRecord): number {
  const header =
    traceparent === undefined
      ? 0
      : HEADER_OVERHEAD_BYTES + TRACE_HEADER.length + traceparent.length;
  return RECORD_OVERHEAD_BYTES + header + Buffer.byteLength(key) + (value?.byteLength ?? 0);
}

function batchOf(shares: readonly Share[]): PartitionRecords {
  const records = shares.map(({ append, index }) => append.records[index] as NewRecord);
  const [{ topic, partition }] = records as [NewRecord];
  return {
    topic,
    partition,
    messages: records.map(messageOf),
    // A repetition changes nothing where the last record of a key stays. Without producer ids compaction leaves no empty
    // batches behind, past which kafkajs doesn't read.
    deduplicated: TOPICS[topic].cleanup !== "compacted",
  };
}

function messageOf({ key, value, timestampMs, traceparent }: NewRecord): KafkaMessage {
  return {
    key: Buffer.from(key),
    value: value === null ? null : Buffer.from(value.buffer, value.byteOffset, value.byteLength),
    timestamp: String(timestampMs),
    ...(traceparent !== undefined && { headers: { [TRACE_HEADER]: traceparent } }),
  };
}

function acknowledge(shares: readonly Share[], baseOffset: number): void {
  for (const [place, { append, index }] of shares.entries()) {
    append.offsets[index] = baseOffset + place;
    append.acknowledged += 1;
    if (append.acknowledged === append.records.length) settle(append, undefined);
  }
}

function settle(append: Append, failure: Error | undefined): void {
  if (append.isSettled) return;
  append.isSettled = true;
  if (failure !== undefined) return append.reject(failure);
  append.resolve(
    append.records.map(({ topic, partition }, index) => {
      return { topic, partition, offset: append.offsets[index] ?? -1 };
    }),
  );
}

async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(new Error("the brokers did not acknowledge it in time"));
  signal.addEventListener("abort", onAbort);
  try {
    await Promise.race([work, aborted.promise]);
  } catch (error) {
    work.catch(() => undefined);
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

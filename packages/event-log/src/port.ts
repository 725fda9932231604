import type { LogPosition, Topic } from "@feed/domain/topics";

/** A record to append. The partition is the caller's decision: order is kept within a partition only. */
export interface NewRecord {
  readonly topic: Topic;
  readonly partition: number;
  /** Compaction key. At most 256 bytes. */
  readonly key: string;
  /** Null is a tombstone: the key is forgotten by compaction. At most 8 MiB. */
  readonly value: Uint8Array | null;
  readonly timestampMs: number;
  /** Of the trace in which it is appended, as W3C Trace Context writes it; absent: none. */
  readonly traceparent?: string;
}

export interface LogRecord extends NewRecord {
  readonly offset: number;
}

/** Consecutive records of one partition, in order. Offsets may have gaps where compaction removed records. */
export interface PartitionBatch {
  readonly topic: Topic;
  readonly partition: number;
  readonly records: readonly LogRecord[];
  /** Where the next batch begins: last offset + 1. */
  readonly nextOffset: number;
}

export interface HeldPartition {
  readonly topic: Topic;
  readonly partition: number;
}

export interface ConsumeOptions {
  /** Members of one group share the partitions; each partition is with one member at a time. */
  readonly group: string;
  readonly topics: readonly Topic[];
  /**
   * Where to begin in a partition, asked when it is assigned; undefined: the group's committed offset,
   * else 0.
   */
  readonly startAt?: (topic: Topic, partition: number) => Promise<number | undefined>;
  /**
   * Told which partitions the member holds, whenever that changes and none when it ends; never during a call of
   * `onBatches`. A member that the group has lost sight of may hear of it late.
   */
  readonly onAssigned?: (partitions: readonly HeldPartition[]) => void;
  /**
   * Called with records of one or more partitions, never twice at once. When it resolves, their offsets are
   * committed, with `startAt` a moment later and at the latest when the consumer ends; when it rejects, the consumer stops and `failed` rejects with the same error.
   */
  readonly onBatches: (batches: readonly PartitionBatch[], signal: AbortSignal) => Promise<void>;
  /** At most this many records in one call. */
  readonly recordsMax: number;
  /** Wait at most this long for more records once there is one; 0: hand over at once. */
  readonly lingerMs: number;
}

export interface FollowOptions {
  readonly topic: Topic;
  /** First offset of each partition; absent partitions begin at 0. */
  readonly from: ReadonlyMap<number, number>;
  readonly onBatches: (batches: readonly PartitionBatch[], signal: AbortSignal) => Promise<void>;
  readonly recordsMax: number;
}

/** A running consumer. Disposing finishes the call in progress, commits, and releases the partitions. */
export interface LogConsumer extends AsyncDisposable {
  /** Rejects when the consumer stopped by an error; never resolves while it runs, resolves after disposal. */
  readonly failed: Promise<void>;
}

/**
 * Every fact of the service, in order: the only source of truth (architecture section 1).
 *
 * Keys     topic and partition; partition counts are TOPICS' and never change.
 * Order    by offset within a partition. An append of several records keeps their order within each partition.
 * Repeats  appends are not deduplicated; consumers get each record at least once.
 * Errors   every method rejects with LogUnavailable (retry later) or LogRejected (a bug or a full limit).
 * Closed   after disposal every method rejects with LogClosed.
 */
export interface EventLog extends AsyncDisposable {
  /**
   * Appends 1 to 10,000 records, 64 MiB of keys and values at most, in the order given, and resolves when
   * they are durable (synced). The embedded log appends all or nothing; a cluster may have appended any
   * part when it rejects.
   */
  append(records: readonly NewRecord[]): Promise<readonly LogPosition[]>;
  /** Records from `fromOffset` on: up to `recordsMax` and about 8 MiB. Empty at the end. */
  read(
    topic: Topic,
    partition: number,
    fromOffset: number,
    recordsMax: number,
  ): Promise<PartitionBatch>;
  /** The offset the next record of each partition will get. */
  endOffsets(topic: Topic): Promise<readonly number[]>;
  /** Reads as a member of a group; see ConsumeOptions. */
  consume(options: ConsumeOptions): Promise<LogConsumer>;
  /** Reads all partitions of a topic without a group, for state that every process folds itself. */
  follow(options: FollowOptions): Promise<LogConsumer>;
  /** Committed offset by partition; partitions without one are absent. */
  committed(group: string, topic: Topic): Promise<ReadonlyMap<number, number>>;
  /** Sets a group's offsets, for replay; rejects while the group has members. */
  resetOffsets(group: string, topic: Topic, offsets: ReadonlyMap<number, number>): Promise<void>;
}

/** The log can't be reached, or its disk is full or not writable: nothing of the call is acknowledged. */
export class LogUnavailable extends Error {
  override readonly name = "LogUnavailable";
}
/** The call breaks a rule of the port. */
export class LogRejected extends Error {
  override readonly name = "LogRejected";
}
export class LogClosed extends Error {
  override readonly name = "LogClosed";
}

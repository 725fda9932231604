import { TOPICS } from "@feed/domain/topics";
import type { LogPosition, Topic } from "@feed/domain/topics";

import { changeOf, ChangeWatch } from "./embedded/changes.ts";
import type { Changes } from "./embedded/changes.ts";
import { Consumer } from "./embedded/consumer.ts";
import type { Assignment } from "./embedded/consumer.ts";
import { prepareDirectory } from "./embedded/directory.ts";
import { unavailable } from "./embedded/faults.ts";
import { GroupAssignment } from "./embedded/group-assignment.ts";
import { committedOffset } from "./embedded/groups.ts";
import { endIn } from "./embedded/layout.ts";
import { packRecords } from "./embedded/packing.ts";
import { readPartition } from "./embedded/reading.ts";
import { closeStores, endsOf, openStores } from "./embedded/stores.ts";
import type { Stores } from "./embedded/stores.ts";
import { Wakeups } from "./embedded/wakeups.ts";
import { Writer } from "./embedded/writer.ts";
import type { WriterOptions } from "./embedded/writer.ts";
import { LogClosed, LogRejected } from "./port.ts";
import type {
  ConsumeOptions,
  EventLog,
  FollowOptions,
  LogConsumer,
  NewRecord,
  PartitionBatch,
} from "./port.ts";
import {
  validateGroup,
  validateOffset,
  validatePartition,
  validateRecords,
  validateRecordsMax,
  validateTopic,
} from "./validation.ts";

export interface EmbeddedEventLogOptions extends WriterOptions {
  /** Created when absent. Any number of threads and processes of one machine may have it open. */
  readonly directory: string;
  /** Milliseconds since 1970; for sessions and compaction. */
  readonly clock?: () => number;
  /** How long after it was superseded a record is removed at the latest. Default 24 h. */
  readonly compactionLagMs?: number;
  /** Told of sessions that could not be kept and of sweeps that failed; the next ones make up for them. */
  readonly onTrouble?: (error: unknown) => void;
  /** How long a record of another process may wait to be noticed. Default 25 ms. */
  readonly pollIntervalMs?: number;
}

/** An EventLog that can be told to compact now, for tests and maintenance. */
export interface EmbeddedEventLog extends EventLog {
  /** Removes what is due and resolves with the number of removed records. */
  compact(): Promise<number>;
}

const COMPACTION_LAG_MS_DEFAULT = 24 * 3_600_000;
const POLL_INTERVAL_MS_DEFAULT = 25;
const SWEEP_INTERVAL_MS_MAX = 10 * 60_000;
/**
 * A tenth of the session timeout: a stopped process is noticed, and its partitions taken over, within
 * this.
 */
const HEARTBEAT_INTERVAL_MS = 1_000;

/** Opens the log of one machine. Rejects with LogUnavailable when the directory can't be used. */
export async function openEmbeddedEventLog(
  options: EmbeddedEventLogOptions,
): Promise<EmbeddedEventLog> {
  const directory = prepareDirectory(options.directory);
  const onChanged = { announce: (_changes: Changes) => {} };
  const writer = new Writer(directory, (changes) => onChanged.announce(changes), options);
  await writer.ready();
  const stores = await openOrClose(directory, writer);
  const log = new EmbeddedLog(directory, options, stores, writer);
  onChanged.announce = (changes) => log.announce(changes);
  return log;
}

async function openOrClose(directory: string, writer: Writer): Promise<Stores> {
  try {
    return openStores(directory);
  } catch (error) {
    await writer.close();
    throw unavailable(directory, error);
  }
}

class EmbeddedLog implements EmbeddedEventLog {
  readonly #stores: Stores;
  readonly #writer: Writer;
  readonly #wakeups: Wakeups;
  readonly #nowMs: () => number;
  readonly #onTrouble: (error: unknown) => void;
  readonly #removalAgeMs: number;
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #consumers = new Map<Consumer, GroupAssignment | undefined>();
  #closed: Promise<void> | undefined;

  constructor(directory: string, options: EmbeddedEventLogOptions, stores: Stores, writer: Writer) {
    this.#stores = stores;
    this.#writer = writer;
    this.#nowMs = options.clock ?? Date.now;
    this.#onTrouble = options.onTrouble ?? (() => undefined);
    const lagMs = options.compactionLagMs ?? COMPACTION_LAG_MS_DEFAULT;
    const sweepIntervalMs = Math.min(SWEEP_INTERVAL_MS_MAX, Math.max(1_000, lagMs / 24));
    // What a sweep leaves is looked at by the next one only: the lag is the latest, not the earliest.
    this.#removalAgeMs = Math.max(0, lagMs - sweepIntervalMs);
    const pollIntervalMs = options.pollIntervalMs ?? POLL_INTERVAL_MS_DEFAULT;
    const watch = new ChangeWatch(stores);
    this.#wakeups = new Wakeups(directory, pollIntervalMs, () => watch.look());
    this.#timers = [
      setInterval(() => this.#keepUp(this.#heartbeat()), HEARTBEAT_INTERVAL_MS),
      setInterval(() => this.#keepUp(this.compact()), sweepIntervalMs),
    ];
    // What became due while nobody had the log open.
    this.#keepUp(this.compact());
    for (const timer of this.#timers) timer.unref();
  }

  announce(changes: Changes): void {
    this.#wakeups.announce(changes);
  }

  async append(records: readonly NewRecord[]): Promise<readonly LogPosition[]> {
    this.#assertOpen();
    validateRecords(records);
    const positions = records.map(({ topic, partition }) => ({ topic, partition }));
    const offsets = await this.#writer.send<"append">({
      kind: "append",
      nowMs: this.#nowMs(),
      packed: packRecords(records),
    });
    return positions.map((position, index) => ({ ...position, offset: offsets[index] ?? -1 }));
  }

  async read(
    topic: Topic,
    partition: number,
    fromOffset: number,
    recordsMax: number,
  ): Promise<PartitionBatch> {
    this.#assertOpen();
    validatePartition(topic, partition);
    validateOffset(fromOffset);
    validateRecordsMax(recordsMax);
    this.#stores.root.resetReadTxn();
    const { bytes: _, ...batch } = readPartition(
      this.#stores,
      topic,
      partition,
      fromOffset,
      recordsMax,
    );
    return batch;
  }

  async endOffsets(topic: Topic): Promise<readonly number[]> {
    this.#assertOpen();
    validateTopic(topic);
    this.#stores.root.resetReadTxn();
    const ends = endsOf(this.#stores, topic);
    return partitionsOf(topic).map((partition) => endIn(ends, partition));
  }

  async consume(options: ConsumeOptions): Promise<LogConsumer> {
    this.#assertOpen();
    validateGroup(options.group);
    if (options.topics.length === 0) throw new LogRejected("a consumer reads at least one topic");
    options.topics.forEach(validateTopic);
    validateRecordsMax(options.recordsMax);
    const context = { stores: this.#stores, writer: this.#writer, nowMs: this.#nowMs };
    const assignment = new GroupAssignment(context, options);
    await assignment.join();
    return this.#start(assignment, options, assignment);
  }

  async follow(options: FollowOptions): Promise<LogConsumer> {
    this.#assertOpen();
    validateRecordsMax(options.recordsMax);
    validateTopic(options.topic);
    const { topic, from } = options;
    for (const [partition, offset] of from) {
      validatePartition(topic, partition);
      validateOffset(offset);
    }
    const assignment: Assignment = {
      concerns: changeOf(topic),
      positions: partitionsOf(topic).map((partition) => ({
        topic,
        partition,
        offset: from.get(partition) ?? 0,
      })),
      update: async () => {},
      commit: async () => {},
      release: async () => {},
    };
    return this.#start(assignment, { ...options, lingerMs: 0 }, undefined);
  }

  async committed(group: string, topic: Topic): Promise<ReadonlyMap<number, number>> {
    this.#assertOpen();
    validateGroup(group);
    validateTopic(topic);
    this.#stores.root.resetReadTxn();
    const offsets = new Map<number, number>();
    for (const partition of partitionsOf(topic)) {
      const offset = committedOffset(this.#stores, group, topic, partition);
      if (offset !== undefined) offsets.set(partition, offset);
    }
    return offsets;
  }

  async resetOffsets(
    group: string,
    topic: Topic,
    offsets: ReadonlyMap<number, number>,
  ): Promise<void> {
    this.#assertOpen();
    validateGroup(group);
    const list = [...offsets].map(([partition, offset]) => ({ topic, partition, offset }));
    for (const { partition, offset } of list) {
      validatePartition(topic, partition);
      validateOffset(offset);
    }
    await this.#writer.send<"reset">({ kind: "reset", group, offsets: list, nowMs: this.#nowMs() });
  }

  async compact(): Promise<number> {
    this.#assertOpen();
    let removed = 0;
    for (;;) {
      const step = await this.#writer.send<"compact">({
        kind: "compact",
        nowMs: this.#nowMs(),
        lagMs: this.#removalAgeMs,
      });
      removed += step.removed;
      if (!step.more || this.#closed !== undefined) return removed;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(
      [...this.#consumers.keys()].map((consumer) => consumer[Symbol.asyncDispose]()),
    );
    await this.#writer.close();
    this.#wakeups[Symbol.dispose]();
    await closeStores(this.#stores);
  }

  #start(
    assignment: Assignment,
    settings: Pick<ConsumeOptions, "onBatches" | "recordsMax" | "lingerMs">,
    member: GroupAssignment | undefined,
  ): Consumer {
    const consumer = new Consumer(this.#stores, this.#wakeups, assignment, settings);
    this.#consumers.set(consumer, member);
    const forget = (): void => void this.#consumers.delete(consumer);
    consumer.failed.then(forget, forget);
    return consumer;
  }

  /** Keeps the sessions of this log's members and wakes those that have lost theirs. */
  async #heartbeat(): Promise<void> {
    const members = [...this.#consumers.values()].filter((member) => member !== undefined);
    if (members.length === 0) return;
    const expelled = await this.#writer.send<"heartbeat">({
      kind: "heartbeat",
      members: members.map(({ member }) => member),
      nowMs: this.#nowMs(),
    });
    if (expelled.length === 0) return;
    for (const memberId of expelled) members.forEach((member) => member.noteExpelled(memberId));
    this.#wakeups.wakeOwn();
  }

  /** What ends because the log is closed is no trouble. */
  #keepUp(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (this.#closed === undefined) this.#onTrouble(error);
    });
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) throw new LogClosed("the event log is closed");
  }
}

function partitionsOf(topic: Topic): number[] {
  return Array.from({ length: TOPICS[topic].partitions }, (_, partition) => partition);
}

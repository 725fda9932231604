import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";

import type { Topic } from "@feed/domain/topics";

import { READ_BYTES_MAX } from "../limits.ts";
import { LogUnavailable } from "../port.ts";
import type { LogConsumer, PartitionBatch } from "../port.ts";
import type { Changes } from "./changes.ts";
import { endIn } from "./layout.ts";
import { readPartition } from "./reading.ts";
import { endsOf } from "./stores.ts";
import type { Stores } from "./stores.ts";
import type { Wakeups } from "./wakeups.ts";

/** Between attempts while the log can't be written. */
const RETRY_DELAY_MS = 200;

export interface Position {
  readonly topic: Topic;
  readonly partition: number;
  offset: number;
}

/** Which partitions a consumer reads, and what becomes of their offsets. */
export interface Assignment {
  /** What may give the consumer something to do. */
  readonly concerns: Changes;
  /** Changed by `update` only. */
  readonly positions: readonly Position[];
  /** Brings the positions up to date; called with no records in hand. */
  update(): Promise<void>;
  /** The handler is done with these. */
  commit(batches: readonly PartitionBatch[]): Promise<void>;
  /** Gives the partitions back. */
  release(): Promise<void>;
}

export interface ConsumerSettings {
  readonly onBatches: (batches: readonly PartitionBatch[], signal: AbortSignal) => Promise<void>;
  readonly recordsMax: number;
  readonly lingerMs: number;
}

/** Reads the assigned partitions one call at a time until it is disposed or its handler rejects. */
export class Consumer implements LogConsumer {
  readonly failed: Promise<void>;
  readonly #stores: Stores;
  readonly #wakeups: Wakeups;
  readonly #assignment: Assignment;
  readonly #settings: ConsumerSettings;
  readonly #stop = new AbortController();
  #firstPartition = 0;

  constructor(
    stores: Stores,
    wakeups: Wakeups,
    assignment: Assignment,
    settings: ConsumerSettings,
  ) {
    this.#stores = stores;
    this.#wakeups = wakeups;
    this.#assignment = assignment;
    this.#settings = settings;
    this.failed = this.#run();
    // Whoever doesn't watch `failed` gets the error nowhere, but not a crash of the process either.
    this.failed.catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#wakeups.wakeOwn();
    await this.failed.catch(() => undefined);
  }

  async #run(): Promise<void> {
    try {
      while (!this.#stop.signal.aborted) await this.#step();
    } finally {
      await this.#assignment.release();
    }
  }

  async #step(): Promise<void> {
    const version = this.#wakeups.version;
    await this.#persistently(() => this.#assignment.update());
    let batches = this.#gather();
    if (batches.length === 0) return this.#wakeups.changedSince(version, this.#assignment.concerns);
    if (this.#settings.lingerMs > 0 && countOf(batches) < this.#settings.recordsMax) {
      await delay(this.#settings.lingerMs, undefined, { signal: this.#stop.signal }).catch(
        () => undefined,
      );
      batches = this.#gather();
    }
    if (this.#stop.signal.aborted) return;
    if (!(await this.#handle(batches))) return;
    for (const { topic, partition, nextOffset } of batches)
      this.#advance(topic, partition, nextOffset);
    await this.#persistently(() => this.#assignment.commit(batches));
    // A handler that never waits would otherwise keep everything else from running.
    await nextTurn();
  }

  /** False: the handler gave up because it was asked to. */
  async #handle(batches: readonly PartitionBatch[]): Promise<boolean> {
    const { signal } = this.#stop;
    try {
      await this.#settings.onBatches(batches, signal);
      return true;
    } catch (error) {
      if (signal.aborted && error instanceof Error && error.name === "AbortError") return false;
      throw error;
    }
  }

  /**
   * As many records as one call may have, from one partition after the other, each time from the next one
   * on.
   */
  #gather(): PartitionBatch[] {
    const positions = this.#assignment.positions;
    const batches: PartitionBatch[] = [];
    let recordsLeft = this.#settings.recordsMax;
    let bytesLeft = READ_BYTES_MAX;
    // One look for each topic: most wake-ups concern one partition of many.
    const ends = new Map<Topic, Buffer>();
    this.#stores.root.resetReadTxn();
    for (let turn = 0; turn < positions.length && recordsLeft > 0 && bytesLeft > 0; turn += 1) {
      const position = positions[(this.#firstPartition + turn) % positions.length];
      if (position === undefined) break;
      const { topic, partition, offset } = position;
      let row = ends.get(topic);
      if (row === undefined) ends.set(topic, (row = endsOf(this.#stores, topic)));
      if (offset >= endIn(row, partition)) continue;
      const { bytes, ...batch } = readPartition(
        this.#stores,
        topic,
        partition,
        offset,
        recordsLeft,
      );
      if (batch.records.length === 0) {
        position.offset = batch.nextOffset;
        continue;
      }
      batches.push(batch);
      recordsLeft -= batch.records.length;
      bytesLeft -= bytes;
    }
    this.#firstPartition += 1;
    return batches;
  }

  #advance(topic: Topic, partition: number, offset: number): void {
    const position = this.#assignment.positions.find(
      (candidate) => candidate.topic === topic && candidate.partition === partition,
    );
    if (position !== undefined) position.offset = offset;
  }

  /** Tries again while the log can't be written; gives up when the consumer is being disposed. */
  async #persistently(work: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof LogUnavailable) || this.#stop.signal.aborted) throw error;
        await delay(RETRY_DELAY_MS, undefined, { signal: this.#stop.signal }).catch(
          () => undefined,
        );
      }
    }
  }
}

function countOf(batches: readonly PartitionBatch[]): number {
  return batches.reduce((count, batch) => count + batch.records.length, 0);
}

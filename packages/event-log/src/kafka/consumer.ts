import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";

import type { ConsumeOptions, LogConsumer, PartitionBatch } from "../port.ts";
import { countBuffered, takeBatches } from "./buffers.ts";
import type { Position } from "./buffers.ts";
import { disconnect } from "./connection.ts";
import type { Cluster, TopicNames } from "./connection.ts";
import { StartUnknown } from "./faults.ts";
import { byLeader, fetchFrom } from "./fetching.ts";
import type { FetchPosition } from "./fetching.ts";

/** An idle consumer asks each broker this often. */
const FETCH_WAIT_MS = 500;
/** Between attempts while the brokers are away. */
const RETRY_DELAY_MS = 200;

/** Which partitions a consumer reads, and what becomes of their offsets. */
export interface Assignment {
  readonly positions: readonly Position[];
  /** Whether `update` has something to do. */
  readonly isOutdated: boolean;
  /** Brings the positions up to date; called with no records in hand. */
  update(): Promise<void>;
  commit(batches: readonly Omit<PartitionBatch, "records">[]): Promise<void>;
  release(): Promise<void>;
}

export interface ConsumerSettings extends Pick<
  ConsumeOptions,
  "onBatches" | "recordsMax" | "lingerMs"
> {
  /** Told what is tried again. */
  readonly onTrouble: (error: unknown) => void;
}

/** A position as it was when the broker was asked. */
interface Asked extends FetchPosition {
  readonly target: Position;
}

/** Reads the assigned partitions one call at a time until it is disposed or its handler rejects. */
export class Consumer implements LogConsumer {
  readonly failed: Promise<void>;
  readonly #cluster: Cluster;
  readonly #names: TopicNames;
  readonly #assignment: Assignment;
  readonly #settings: ConsumerSettings;
  readonly #stop = new AbortController();
  readonly #stopped = new Promise<false>((resolve) => {
    this.#stop.signal.addEventListener("abort", () => resolve(false));
  });
  /** Requests under way, by node: a broker that has nothing to tell holds its answer back. */
  readonly #fetches = new Map<string, Promise<void>>();
  #wake = Promise.withResolvers<void>();
  #fetchFailure: { readonly error: unknown } | undefined;
  #turn = 0;

  constructor(
    cluster: Cluster,
    names: TopicNames,
    assignment: Assignment,
    settings: ConsumerSettings,
  ) {
    this.#cluster = cluster;
    this.#names = names;
    this.#assignment = assignment;
    this.#settings = settings;
    this.failed = this.#run();
    // Whoever doesn't watch `failed` gets the error nowhere, but not a crash of the process either.
    this.failed.catch(() => undefined);
  }

  /** To call when the assignment has to be looked at. */
  wake(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.wake();
    await this.failed.catch(() => undefined);
  }

  async #run(): Promise<void> {
    try {
      while (!this.#stop.signal.aborted) await this.#step();
    } finally {
      await this.#assignment.release();
      await disconnect(this.#cluster);
    }
  }

  async #step(): Promise<void> {
    if (this.#assignment.isOutdated) {
      const updated = this.#persistently(() => this.#assignment.update());
      // Joining waits for the other members: a consumer that is being closed does not.
      if (!(await Promise.race([updated, this.#stopped]))) return;
    }
    await this.#fill();
    if (this.#stop.signal.aborted || this.#assignment.isOutdated) return;
    const { positions } = this.#assignment;
    const batches = takeBatches(positions, this.#settings.recordsMax, this.#turn++);
    if (batches.length === 0) return;
    if (!(await this.#handle(batches))) return;
    for (const batch of batches) {
      const position = positions.find(
        ({ topic, partition }) => topic === batch.topic && partition === batch.partition,
      );
      if (position !== undefined) position.nextOffset = batch.nextOffset;
    }
    await this.#commit(batches);
    // A handler that never waits would otherwise keep everything else from running.
    await nextTurn();
  }

  /** Resolves when there are records to hand over, and after a while without any. */
  async #fill(): Promise<void> {
    const { recordsMax, lingerMs } = this.#settings;
    const isEmpty = (): boolean => countBuffered(this.#assignment.positions) === 0;
    if (isEmpty()) await this.#fetch(FETCH_WAIT_MS);
    if (lingerMs === 0 || isEmpty()) return;
    const endMs = performance.now() + lingerMs;
    for (;;) {
      const leftMs = Math.floor(endMs - performance.now());
      if (leftMs <= 0 || countBuffered(this.#assignment.positions) >= recordsMax) return;
      if (this.#stop.signal.aborted || this.#assignment.isOutdated) return;
      await this.#fetch(leftMs);
    }
  }

  /** Asks every leader that is not being asked, and resolves when one has answered. */
  async #fetch(waitMs: number): Promise<void> {
    const woken = this.#wake.promise;
    try {
      await this.#cluster.refreshMetadataIfNecessary();
      const leaders = byLeader(this.#cluster, this.#names, this.#assignment.positions);
      const asked = [...leaders.values()].reduce((count, { length }) => count + length, 0);
      if (asked < this.#assignment.positions.length) await this.#cluster.refreshMetadata();
      for (const [nodeId, positions] of leaders) this.#ask(nodeId, positions, waitMs);
      const timer = new AbortController();
      const timeout = delay(waitMs, undefined, { signal: timer.signal }).catch(() => undefined);
      await Promise.race([woken, timeout, ...this.#fetches.values()]);
      timer.abort();
      if (this.#fetchFailure !== undefined) throw this.#fetchFailure.error;
    } catch (error) {
      this.#fetchFailure = undefined;
      await this.#recover(error);
    }
  }

  #ask(nodeId: string, positions: readonly Position[], waitMs: number): void {
    if (this.#fetches.has(nodeId)) return;
    const asked = positions.map((target): Asked => {
      const { topic, partition, offset } = target;
      return { topic, partition, offset, target };
    });
    const answer = this.#answer(nodeId, asked, waitMs).finally(() => this.#fetches.delete(nodeId));
    this.#fetches.set(nodeId, answer);
  }

  async #answer(nodeId: string, asked: readonly Asked[], waitMs: number): Promise<void> {
    try {
      const fetched = await fetchFrom(this.#cluster, this.#names, nodeId, asked, { waitMs });
      for (const { position, records, nextOffset } of fetched) {
        const { target, offset } = position;
        if (target.offset !== offset) continue;
        target.offset = nextOffset;
        if (records.length > 0) target.buffered = [...target.buffered, ...records];
      }
    } catch (error) {
      this.#fetchFailure = { error };
    }
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

  /** Once more after the consumer was told to stop, then no more: the records come again to whoever is next. */
  async #commit(batches: readonly PartitionBatch[]): Promise<void> {
    while (!(await this.#persistently(() => this.#assignment.commit(batches)))) {
      if (this.#stop.signal.aborted) return;
    }
  }

  /** False when the brokers were away; then they have been given some time to come back. */
  async #persistently(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof StartUnknown) throw error.cause;
      await this.#recover(error);
      return false;
    }
  }

  async #recover(reason: unknown): Promise<void> {
    const { signal } = this.#stop;
    if (!signal.aborted) this.#settings.onTrouble(reason);
    await delay(RETRY_DELAY_MS, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) await this.#cluster.refreshMetadata().catch(() => undefined);
  }
}

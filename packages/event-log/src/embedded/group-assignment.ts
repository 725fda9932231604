import { setTimeout as delay } from "node:timers/promises";

import type { Topic } from "@feed/domain/topics";

import { LogUnavailable } from "../port.ts";
import type { ConsumeOptions, PartitionBatch } from "../port.ts";
import { changesOf, GROUPS } from "./changes.ts";
import type { Changes } from "./changes.ts";
import type { Assignment, Position } from "./consumer.ts";
import { generation } from "./groups.ts";
import { processIdentity } from "./process-identity.ts";
import type { Claim, MemberId, PartitionOffset } from "./protocol.ts";
import type { Stores } from "./stores.ts";
import type { Writer } from "./writer.ts";

/** Each commit is a write that is synced, and appends wait for it. */
const COMMIT_PAUSE_MS = 100;

export interface GroupContext {
  readonly stores: Stores;
  readonly writer: Writer;
  readonly nowMs: () => number;
}

/** A member of a consumer group: its share of the partitions, taken and given back as members come and go. */
export class GroupAssignment implements Assignment {
  readonly concerns: Changes;
  readonly #context: GroupContext;
  readonly #options: ConsumeOptions;
  #memberId = "";
  #generation = -1;
  #expelled = false;
  #positions: Position[] = [];
  /** Offsets that are to be committed and not yet on their way, by topic and partition. */
  readonly #owed = new Map<string, PartitionOffset>();
  #committing: Promise<void> | undefined;
  #pause = new AbortController();

  constructor(context: GroupContext, options: ConsumeOptions) {
    this.#context = context;
    this.#options = options;
    this.concerns = GROUPS | changesOf(options.topics);
  }

  get positions(): readonly Position[] {
    return this.#positions;
  }

  get member(): MemberId {
    return { group: this.#options.group, memberId: this.#memberId };
  }

  /** Becomes a member, under an id never used before: commits under an earlier one are then refused. */
  async join(): Promise<void> {
    const memberId = crypto.randomUUID();
    await this.#context.writer.send<"join">({
      kind: "join",
      group: this.#options.group,
      memberId,
      topics: this.#options.topics,
      process: processIdentity(),
      nowMs: this.#context.nowMs(),
    });
    this.#memberId = memberId;
    this.#generation = -1;
    this.#expelled = false;
    this.#positions = [];
    this.#owed.clear();
  }

  /** The session ended, because the process stood still for too long. */
  noteExpelled(memberId: string): void {
    if (memberId === this.#memberId) this.#expelled = true;
  }

  async update(): Promise<void> {
    const { stores, writer } = this.#context;
    if (this.#expelled) await this.join();
    stores.root.resetReadTxn();
    if (generation(stores, this.#options.group) === this.#generation) return;
    // Afterwards another member may hold what these are for.
    await this.#settleCommits();
    const result = await writer.send<"rebalance">({ kind: "rebalance", ...this.member });
    if (result === undefined) {
      await this.join();
      return this.update();
    }
    const positions: Position[] = [];
    for (const claim of result.claims) {
      positions.push(this.#find(claim.topic, claim.partition) ?? (await this.#start(claim)));
    }
    this.#positions = positions;
    this.#generation = result.generation;
    this.#announce();
  }

  /**
   * A consumer that keeps its own positions begins at those: its offsets only tell operators, so it goes on while they
   * are being written, and what comes meanwhile is written together.
   */
  async commit(batches: readonly PartitionBatch[]): Promise<void> {
    for (const { topic, partition, nextOffset: offset } of batches) {
      const owed = { topic, partition, offset };
      this.#owed.set(placeKey(owed), owed);
    }
    if (this.#options.startAt === undefined) return this.#commitOwed();
    this.#committing ??= this.#commitBehind().finally(() => (this.#committing = undefined));
  }

  async #commitBehind(): Promise<void> {
    const { signal } = this.#pause;
    while (this.#owed.size > 0) {
      await delay(COMMIT_PAUSE_MS, undefined, { signal }).catch(() => undefined);
      // A log that can't be written is reported by whoever appends. Nobody waits for these: once more before the end.
      const isWritten = await this.#commitOwed().then(
        () => true,
        () => false,
      );
      if (!isWritten && signal.aborted) return;
    }
  }

  async #commitOwed(): Promise<void> {
    const offsets = [...this.#owed.values()];
    this.#owed.clear();
    try {
      const commit = { kind: "commit", ...this.member, offsets } as const;
      const { fenced } = await this.#context.writer.send<"commit">(commit);
      if (fenced > 0) this.#expelled = true;
    } catch (error) {
      for (const offset of offsets) {
        const key = placeKey(offset);
        if (!this.#owed.has(key)) this.#owed.set(key, offset);
      }
      throw error;
    }
  }

  /** Commits what is owed now, or gives it up where the log can't be written. */
  async #settleCommits(): Promise<void> {
    this.#pause.abort();
    await this.#committing;
    this.#pause = new AbortController();
  }

  async release(): Promise<void> {
    await this.#settleCommits();
    this.#positions = [];
    this.#announce();
    try {
      await this.#context.writer.send<"leave">({ kind: "leave", ...this.member });
    } catch (error) {
      // The partitions are then free when the session expires.
      if (!(error instanceof LogUnavailable)) throw error;
    }
  }

  #announce(): void {
    this.#options.onAssigned?.(
      this.#positions.map(({ topic, partition }) => ({ topic, partition })),
    );
  }

  #find(topic: Topic, partition: number): Position | undefined {
    return this.#positions.find(
      (position) => position.topic === topic && position.partition === partition,
    );
  }

  async #start({ topic, partition, committed }: Claim): Promise<Position> {
    const startAt = await this.#options.startAt?.(topic, partition);
    return { topic, partition, offset: startAt ?? committed ?? 0 };
  }
}

function placeKey({ topic, partition }: PartitionOffset): string {
  return `${topic} ${partition}`;
}

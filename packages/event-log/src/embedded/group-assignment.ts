import type { Topic } from "@feed/domain/topics";

import { LogUnavailable } from "../port.ts";
import type { ConsumeOptions, PartitionBatch } from "../port.ts";
import type { Assignment, Position } from "./consumer.ts";
import { generation } from "./groups.ts";
import { processIdentity } from "./process-identity.ts";
import type { Claim, MemberId } from "./protocol.ts";
import type { Stores } from "./stores.ts";
import type { Writer } from "./writer.ts";

export interface GroupContext {
  readonly stores: Stores;
  readonly writer: Writer;
  readonly nowMs: () => number;
}

/** A member of a consumer group: its share of the partitions, taken and given back as members come and go. */
export class GroupAssignment implements Assignment {
  readonly #context: GroupContext;
  readonly #options: ConsumeOptions;
  #memberId = "";
  #generation = -1;
  #expelled = false;
  #positions: Position[] = [];

  constructor(context: GroupContext, options: ConsumeOptions) {
    this.#context = context;
    this.#options = options;
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
  }

  async commit(batches: readonly PartitionBatch[]): Promise<void> {
    const offsets = batches.map(({ topic, partition, nextOffset }) => ({
      topic,
      partition,
      offset: nextOffset,
    }));
    const { fenced } = await this.#context.writer.send<"commit">({
      kind: "commit",
      ...this.member,
      offsets,
    });
    if (fenced > 0) this.#expelled = true;
  }

  async release(): Promise<void> {
    try {
      await this.#context.writer.send<"leave">({ kind: "leave", ...this.member });
    } catch (error) {
      // The partitions are then free when the session expires.
      if (!(error instanceof LogUnavailable)) throw error;
    }
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

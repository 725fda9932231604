import type { Topic } from "@feed/domain/topics";

import { changeOf, GROUPS, NOTHING } from "./changes.ts";
import type { Changes } from "./changes.ts";
import { endIn, endsRow, setEndIn, topicKey } from "./layout.ts";
import type { Stores } from "./stores.ts";

/** What the operations of one LMDB write transaction share. Valid inside that transaction only. */
export class WriteTransaction {
  readonly stores: Stores;
  /** What waiting consumers, here or in another process, may have something to do for. */
  changes: Changes = NOTHING;
  readonly #ends = new Map<Topic, Buffer>();
  #slotsUsed: number | undefined;

  constructor(stores: Stores) {
    this.stores = stores;
  }

  /** Takes the next offset of a partition. */
  takeOffset(topic: Topic, partition: number): number {
    this.changes |= changeOf(topic);
    let row = this.#ends.get(topic);
    if (row === undefined) {
      row = endsRow(topic, this.stores.ends.get(topicKey(topic)));
      this.#ends.set(topic, row);
    }
    const offset = endIn(row, partition);
    setEndIn(row, partition, offset + 1);
    return offset;
  }

  /** Takes the next place for a one-time key. A place is never used again once its transaction committed. */
  takeSlot(): number {
    this.#slotsUsed ??= this.stores.counters.get("slots") ?? 0;
    this.#slotsUsed += 1;
    return this.#slotsUsed - 1;
  }

  /** Writes what was collected; the last thing before the commit. */
  finish(): void {
    for (const [topic, row] of this.#ends) this.stores.ends.putSync(topicKey(topic), row);
    if (this.#slotsUsed !== undefined) this.stores.counters.putSync("slots", this.#slotsUsed);
    if (this.changes !== NOTHING) this.#count("changes");
    if (this.changes & GROUPS) this.#count("group-changes");
    // Before the commit, so that no durable record refers to a key that isn't.
    this.stores.slots.sync();
  }

  #count(counter: "changes" | "group-changes"): void {
    const { counters } = this.stores;
    counters.putSync(counter, (counters.get(counter) ?? 0) + 1);
  }
}

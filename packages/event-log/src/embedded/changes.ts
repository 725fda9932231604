import { TOPICS } from "@feed/domain/topics";
import type { Topic } from "@feed/domain/topics";

import type { Stores } from "./stores.ts";
import { endsOf } from "./stores.ts";

/** What a write has changed, as far as consumers may wait for it: a bit for each topic, and one for groups. */
export type Changes = number;

const ALL = Object.keys(TOPICS) as Topic[];

export const NOTHING: Changes = 0;
export const GROUPS: Changes = 1;
export const EVERYTHING: Changes = -1;

export function changeOf(topic: Topic): Changes {
  return 2 << ALL.indexOf(topic);
}

export function changesOf(topics: readonly Topic[]): Changes {
  return topics.reduce((changes, topic) => changes | changeOf(topic), NOTHING);
}

/** Finds by looking at the log what other processes have changed since the last look. */
export class ChangeWatch {
  readonly #stores: Stores;
  #changeCount = -1;
  #groupChangeCount = -1;
  readonly #ends = new Map<Topic, Buffer>();

  constructor(stores: Stores) {
    this.#stores = stores;
  }

  look(): Changes {
    const { root, counters } = this.#stores;
    root.resetReadTxn();
    const changeCount = counters.get("changes") ?? 0;
    if (changeCount === this.#changeCount) return NOTHING;
    this.#changeCount = changeCount;
    const groupChangeCount = counters.get("group-changes") ?? 0;
    let changes = groupChangeCount === this.#groupChangeCount ? NOTHING : GROUPS;
    this.#groupChangeCount = groupChangeCount;
    for (const topic of ALL) {
      const ends = endsOf(this.#stores, topic);
      if (this.#ends.get(topic)?.equals(ends)) continue;
      // A copy: the row may be a view of the map.
      this.#ends.set(topic, Buffer.from(ends));
      changes |= changeOf(topic);
    }
    return changes;
  }
}

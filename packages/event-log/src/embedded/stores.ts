import { open } from "lmdb";
import type { Database, RootDatabase } from "lmdb";

import type { Topic } from "@feed/domain/topics";

import { endsRow, topicKey } from "./layout.ts";
import { KeySlots } from "./sealing.ts";

/** Address space, not memory or disk: far above any log of one machine, so that the map never has to move. */
const MAP_BYTES = 2 ** 40;
const READERS_MAX = 1024;

/** A row of `groups`: a number (generation, offset), a member, or the member that holds a partition. */
export type GroupValue = number | string | GroupMember;

export interface GroupMember {
  readonly topics: readonly Topic[];
  readonly heartbeatAtMs: number;
  /** See processIdentity. */
  readonly process: string;
}

/** The tables of one log directory. See README, "On disk". */
export interface Stores {
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly records: Database<Buffer, Buffer>;
  readonly ends: Database<Buffer, Buffer>;
  readonly latest: Database<Buffer, Buffer>;
  readonly due: Database<Buffer, Buffer>;
  readonly counters: Database<number, string>;
  readonly groups: Database<GroupValue, (string | number)[]>;
  readonly slots: KeySlots;
}

/** Opens or creates the tables. Every thread and process that uses the directory calls this for itself. */
export function openStores(directory: string): Stores {
  const binary = { keyEncoding: "binary", encoding: "binary" } as const;
  const root = open<Buffer, Buffer>({
    ...binary,
    path: directory,
    noSubdir: false,
    maxDbs: 8,
    maxReaders: READERS_MAX,
    mapSize: MAP_BYTES,
    // A commit then returns after the sync and is not visible before it: nobody ever reads, or projects,
    // what a power cut could take back.
    overlappingSync: false,
  });
  return {
    root,
    records: root.openDB<Buffer, Buffer>("records", binary),
    ends: root.openDB<Buffer, Buffer>("ends", binary),
    latest: root.openDB<Buffer, Buffer>("latest", binary),
    due: root.openDB<Buffer, Buffer>("due", binary),
    counters: root.openDB<number, string>("counters", {
      keyEncoding: "ordered-binary",
      encoding: "json",
    }),
    groups: root.openDB<GroupValue, (string | number)[]>("groups", {
      keyEncoding: "ordered-binary",
      encoding: "json",
    }),
    slots: new KeySlots(directory),
  };
}

export async function closeStores(stores: Stores): Promise<void> {
  stores.slots[Symbol.dispose]();
  await stores.root.close();
}

/** The offsets that the next records of a topic get, as a row for `endIn`. */
export function endsOf(stores: Stores, topic: Topic): Buffer {
  return endsRow(topic, stores.ends.get(topicKey(topic)));
}

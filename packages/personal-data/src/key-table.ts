import { mkdirSync } from "node:fs";
import { asId } from "@feed/domain/ids";
import type { SubjectId } from "@feed/domain/ids";
import { USER_PARTITIONS } from "@feed/domain/limits";
import { open } from "lmdb";
import type { Database, RootDatabase } from "lmdb";
import { KeySlots } from "./key-slots.ts";
import type { Slot } from "./key-slots.ts";

/** Address space, not disk: the map never has to move. */
const MAP_BYTES = 2 ** 38;
const READERS_MAX = 1024;
/** What follows ":" in ASCII, so that a range from "S:" to "S;" is all keys of subject S. */
const AFTER_SEPARATOR = ";";

/** One record of `user-keys`, read. */
export interface KeyChange {
  readonly offset: number;
  readonly subjectId: SubjectId;
  readonly keyId: string;
  /** Undefined: a tombstone. */
  readonly created: Exclude<Slot, "erased"> | undefined;
}

/** A key by name. */
export interface KeyName {
  readonly partition: number;
  readonly subjectId: SubjectId;
  readonly keyId: string;
}

export interface StoredKey {
  readonly keyId: string;
  readonly keyOffset: number;
  readonly slot: Slot;
}

/**
 * The keys that are not forgotten, folded from `user-keys`. One directory is shared by all processes and
 * threads of a machine; each record is folded by whoever comes first, with the partition's checkpoint in
 * the same transaction. It can be deleted at any time while nobody has it open, and is folded anew.
 */
export class KeyTable implements AsyncDisposable {
  readonly #root: RootDatabase;
  /** `<subject>:<key id>` to the offset of the key's record. */
  readonly #keys: Database<number, string>;
  /** Subjects that were forgotten: a key made late for one of them counts for nothing. */
  readonly #forgotten: Database<boolean, string>;
  /**
   * `<subject>:<key id>` to partition: keys of forgotten subjects whose tombstones are not yet in the log. A
   * table that is folded when compaction has removed the others would take them for valid.
   */
  readonly #due: Database<number, string>;
  readonly #checkpoints: Database<number, number>;
  readonly #slots: KeySlots;

  constructor(directory: string) {
    mkdirSync(directory, { recursive: true });
    this.#root = open({
      path: directory,
      noSubdir: false,
      maxDbs: 4,
      maxReaders: READERS_MAX,
      mapSize: MAP_BYTES,
    });
    const encoding = "ordered-binary" as const;
    this.#keys = this.#root.openDB<number, string>("keys", { encoding });
    this.#forgotten = this.#root.openDB<boolean, string>("forgotten", { encoding });
    this.#due = this.#root.openDB<number, string>("tombstones-due", { encoding });
    this.#checkpoints = this.#root.openDB<number, number>("checkpoints", { encoding });
    this.#slots = new KeySlots(directory);
  }

  /** All records of the partition below it have been folded. */
  nextOffset(partition: number): number {
    return this.#checkpoints.get(partition) ?? 0;
  }

  nextOffsets(): ReadonlyMap<number, number> {
    const partitions = Array.from({ length: USER_PARTITIONS }, (_, partition) => partition);
    return new Map(partitions.map((partition) => [partition, this.nextOffset(partition)]));
  }

  /** Undefined: not among the keys folded so far. */
  find(partition: number, subjectId: SubjectId, keyId: string): Slot | undefined {
    const offset = this.#keys.get(nameOf(subjectId, keyId));
    return offset === undefined ? undefined : this.#slots.read(partition, offset);
  }

  keysOf(partition: number, subjectId: SubjectId): StoredKey[] {
    const range = { start: `${subjectId}:`, end: `${subjectId}${AFTER_SEPARATOR}` };
    return Array.from(this.#keys.getRange(range), ({ key, value }) => ({
      keyId: key.slice(subjectId.length + 1),
      keyOffset: value,
      slot: this.#slots.read(partition, value),
    }));
  }

  /** Whether a tombstone of the subject was among the records folded so far. */
  isForgotten(subjectId: SubjectId): boolean {
    return this.#forgotten.get(subjectId) === true;
  }

  /** Keys of forgotten subjects whose tombstones somebody has to append. */
  due(): KeyName[] {
    return Array.from(this.#due.getRange(), ({ key, value: partition }) => {
      return { partition, ...parseName(key) };
    });
  }

  /** Reads after this see what any process has folded before it. */
  refresh(): void {
    this.#root.resetReadTxn();
  }

  /**
   * Folds the records from `fromOffset` up to `nextOffset`, without those that somebody has folded already.
   * Resolves with the keys of forgotten subjects that it found without a tombstone: the caller appends these.
   */
  async fold(
    partition: number,
    fromOffset: number,
    nextOffset: number,
    changes: readonly KeyChange[],
  ): Promise<readonly KeyName[]> {
    this.refresh();
    if (nextOffset <= this.nextOffset(partition)) return [];
    const due = await this.#root.transaction(() => {
      const checkpoint = this.nextOffset(partition);
      if (fromOffset > checkpoint) throw new RangeError(`records ${checkpoint} on were left out`);
      if (nextOffset <= checkpoint) return [];
      const unread = changes.filter(({ offset }) => offset >= checkpoint);
      const names = new Set(unread.flatMap((change) => this.#foldOne(partition, change)));
      // Before the commit: a row never points at a slot that a power cut could take back.
      if (unread.length > 0) this.#slots.sync();
      this.#checkpoints.put(partition, nextOffset);
      return [...names].filter((name) => this.#due.get(name) !== undefined);
    });
    this.refresh();
    return due.map((name) => ({ partition, ...parseName(name) }));
  }

  /** Empties a table that is ahead of its log: the log was restored from an older copy, or is another one. */
  async resetIfAhead(ends: readonly number[]): Promise<void> {
    await this.#root.transaction(() => {
      const ahead = [...this.nextOffsets()].some(
        ([partition, next]) => next > (ends[partition] ?? 0),
      );
      if (!ahead) return;
      this.#keys.clearSync();
      this.#forgotten.clearSync();
      this.#due.clearSync();
      this.#checkpoints.clearSync();
    });
    this.refresh();
  }

  /** Names of the keys that need a tombstone, as far as the records up to this one tell. */
  #foldOne(partition: number, change: KeyChange): readonly string[] {
    const { offset, subjectId, keyId, created } = change;
    const name = nameOf(subjectId, keyId);
    if (created === undefined) return this.#forget(partition, subjectId, name);
    if (this.isForgotten(subjectId)) {
      this.#due.put(name, partition);
      return [name];
    }
    this.#slots.write(partition, offset, created);
    this.#keys.put(name, offset);
    return [];
  }

  /** Forgets all keys of the subject: `tombstone` names one of them, or none. */
  #forget(partition: number, subjectId: SubjectId, tombstone: string): readonly string[] {
    const others: string[] = [];
    for (const { keyId, keyOffset } of this.keysOf(partition, subjectId)) {
      const name = nameOf(subjectId, keyId);
      this.#slots.write(partition, keyOffset, "erased");
      this.#keys.remove(name);
      if (name === tombstone) continue;
      this.#due.put(name, partition);
      others.push(name);
    }
    this.#due.remove(tombstone);
    this.#forgotten.put(subjectId, true);
    return others;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#root.close();
    this.#slots[Symbol.dispose]();
  }
}

/** Of a key in the table and of its record in the log. */
export function nameOf(subjectId: SubjectId, keyId: string): string {
  return `${subjectId}:${keyId}`;
}

export function parseName(name: string): Pick<KeyName, "subjectId" | "keyId"> {
  const separator = name.lastIndexOf(":");
  const subjectId = asId<SubjectId>(name.slice(0, separator));
  return { subjectId, keyId: name.slice(separator + 1) };
}

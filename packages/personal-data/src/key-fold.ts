import type { SubjectId } from "@feed/domain/ids";
import type { PlacedSubject } from "@feed/domain/user";
import { UnreadableRecord } from "@feed/event-codec";
import type { FactCodec } from "@feed/event-codec";
import type { EventLog, LogConsumer, LogRecord, PartitionBatch } from "@feed/event-log";
import { nameOf, parseName } from "./key-table.ts";
import type { KeyChange, KeyName, KeyTable } from "./key-table.ts";
import type { OpenItem } from "./port.ts";
import { WRAPPED_KEY_BYTES } from "./sealing.ts";

const TOPIC = "user-keys";
const RECORDS_AT_ONCE_MAX = 2_000;

interface KeyFoldOptions {
  readonly eventLog: EventLog;
  readonly codec: FactCodec;
  readonly clock: { nowMs(): number };
}

/** Key id of a tombstone that forgets a subject without keys. */
const NO_KEY = "";

/** Brings the key table up to the log, in the background and on demand. */
export class KeyFold {
  readonly #options: KeyFoldOptions;
  readonly #table: KeyTable;
  readonly #forgotten: (subjectId: SubjectId) => void;
  /** Keys of forgotten subjects that this process has to destroy in the log. */
  #due: readonly KeyName[] = [];

  /** `forgotten` is called for each subject that is forgotten, whichever process forgot it. */
  constructor(options: KeyFoldOptions, table: KeyTable, forgotten: (subjectId: SubjectId) => void) {
    this.#options = options;
    this.#table = table;
    this.#forgotten = forgotten;
  }

  /** Every process follows for itself: its memory has to forget, whoever changes the table. */
  async follow(): Promise<LogConsumer> {
    await this.#table.resetIfAhead(await this.#options.eventLog.endOffsets(TOPIC));
    // What a process that was killed had yet to append; another may do so now, and twice does no harm.
    this.#due = this.#table.due();
    await this.#destroyDue();
    const from = this.#table.nextOffsets();
    const followed = new Map(from);
    return this.#options.eventLog.follow({
      topic: TOPIC,
      from,
      recordsMax: RECORDS_AT_ONCE_MAX,
      onBatches: async (batches) => {
        for (const batch of batches) {
          await this.#apply(batch, followed.get(batch.partition) ?? 0, batch.nextOffset);
          followed.set(batch.partition, batch.nextOffset);
        }
      },
    });
  }

  /** Until the table has passed the key of each item, or the log ends before it. */
  async catchUp(items: readonly OpenItem[]): Promise<void> {
    const needed = new Map<number, number>();
    for (const { partition, sealed } of items) {
      needed.set(partition, Math.max(needed.get(partition) ?? 0, sealed.keyOffset + 1));
    }
    await this.#catchUpTo(needed);
  }

  /**
   * Appends a tombstone for each key of the subjects, or one that names none where there are none, so that a
   * key that is on its way comes too late. Resolves when the table has them.
   */
  async forgetAll(subjects: readonly PlacedSubject[]): Promise<void> {
    const partitions = new Set(subjects.map(({ partition }) => partition));
    await this.#catchUpToEnd(partitions);
    const tombstones = subjects.flatMap((subject) => this.#missingTombstones(subject));
    if (tombstones.length === 0) return;
    await this.#appendTombstones(tombstones);
    await this.#catchUpToEnd(partitions);
  }

  #missingTombstones({ partition, subjectId }: PlacedSubject): readonly KeyName[] {
    const keys = this.#table.keysOf(partition, subjectId);
    if (keys.length > 0) return keys.map(({ keyId }) => ({ partition, subjectId, keyId }));
    return this.#table.isForgotten(subjectId) ? [] : [{ partition, subjectId, keyId: NO_KEY }];
  }

  async #catchUpToEnd(partitions: ReadonlySet<number>): Promise<void> {
    const end = Number.MAX_SAFE_INTEGER;
    await this.#catchUpTo(new Map(Array.from(partitions, (partition) => [partition, end])));
  }

  async #appendTombstones(keys: readonly KeyName[]): Promise<void> {
    const timestampMs = this.#options.clock.nowMs();
    const records = keys.map(({ partition, subjectId, keyId }) => {
      const key = nameOf(subjectId, keyId);
      return { topic: TOPIC, partition, key, value: null, timestampMs } as const;
    });
    for (let from = 0; from < records.length; from += RECORDS_AT_ONCE_MAX) {
      await this.#options.eventLog.append(records.slice(from, from + RECORDS_AT_ONCE_MAX));
    }
  }

  /** What could not be appended is tried again with the next records. */
  async #destroyDue(): Promise<void> {
    const due = this.#due;
    if (due.length === 0) return;
    this.#due = [];
    try {
      await this.#appendTombstones(due);
    } catch (error) {
      this.#due = [...due, ...this.#due];
      throw error;
    }
  }

  async #catchUpTo(needed: ReadonlyMap<number, number>): Promise<void> {
    this.#table.refresh();
    const ends = await this.#options.eventLog.endOffsets(TOPIC);
    for (const [partition, offset] of needed) {
      const target = Math.min(offset, ends[partition] ?? 0);
      for (;;) {
        const from = this.#table.nextOffset(partition);
        if (from >= target) break;
        const batch = await this.#options.eventLog.read(
          TOPIC,
          partition,
          from,
          RECORDS_AT_ONCE_MAX,
        );
        // Nothing between here and the end: compaction has removed what there was.
        const next = batch.records.length === 0 ? target : batch.nextOffset;
        await this.#apply(batch, from, next);
      }
    }
  }

  async #apply({ partition, records }: PartitionBatch, from: number, next: number): Promise<void> {
    const changes = records.map((record) => this.#read(record));
    const due = await this.#table.fold(partition, from, next, changes);
    for (const { subjectId, created } of changes) {
      if (created === undefined) this.#forgotten(subjectId);
    }
    if (due.length > 0) this.#due = [...this.#due, ...due];
    await this.#destroyDue();
  }

  #read({ key, offset, value }: LogRecord): KeyChange {
    const created = value === null ? undefined : this.#wrappedIn(value);
    return { offset, ...parseName(key), created };
  }

  #wrappedIn(value: Uint8Array): Uint8Array | "damaged" {
    try {
      const fact = this.#options.codec.decode(value);
      const whole = fact.type === "user-key.created" && fact.wrapped.length === WRAPPED_KEY_BYTES;
      return whole ? fact.wrapped : "damaged";
    } catch (error) {
      if (error instanceof UnreadableRecord) return "damaged";
      throw error;
    }
  }
}

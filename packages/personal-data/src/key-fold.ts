import { asId } from "@feed/domain/ids";
import type { SubjectId } from "@feed/domain/ids";
import { UnreadableRecord } from "@feed/event-codec";
import type { FactCodec } from "@feed/event-codec";
import type { EventLog, LogConsumer, LogRecord, PartitionBatch } from "@feed/event-log";
import type { KeyChange, KeyTable } from "./key-table.ts";
import type { OpenItem } from "./port.ts";
import { WRAPPED_KEY_BYTES } from "./sealing.ts";

const TOPIC = "user-keys";
const RECORDS_AT_ONCE_MAX = 2_000;

interface KeyFoldOptions {
  readonly eventLog: EventLog;
  readonly codec: FactCodec;
  readonly clock: { nowMs(): number };
}

type KeyName = Pick<KeyChange, "subjectId" | "keyId">;

/** Brings the key table up to the log, in the background and on demand. */
export class KeyFold {
  readonly #options: KeyFoldOptions;
  readonly #table: KeyTable;
  readonly #forgotten: (subjectId: SubjectId, keyId: string) => void;

  /** `forgotten` is called for each key that is destroyed, whichever process destroyed it. */
  constructor(
    options: KeyFoldOptions,
    table: KeyTable,
    forgotten: (subjectId: SubjectId, keyId: string) => void,
  ) {
    this.#options = options;
    this.#table = table;
    this.#forgotten = forgotten;
  }

  /** Every process follows for itself: its memory has to forget, whoever changes the table. */
  async follow(): Promise<LogConsumer> {
    await this.#table.resetIfAhead(await this.#options.eventLog.endOffsets(TOPIC));
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

  /** Until the table has every record that lies in the partition now. */
  async catchUpToEnd(partition: number): Promise<void> {
    await this.#catchUpTo(new Map([[partition, Number.MAX_SAFE_INTEGER]]));
  }

  async appendTombstones(partition: number, keys: readonly KeyName[]): Promise<void> {
    const timestampMs = this.#options.clock.nowMs();
    await this.#options.eventLog.append(
      keys.map(({ subjectId, keyId }) => ({
        topic: TOPIC,
        partition,
        key: `${subjectId}:${keyId}`,
        value: null,
        timestampMs,
      })),
    );
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
    const late = await this.#table.fold(partition, from, next, changes);
    for (const { subjectId, keyId, created } of changes) {
      if (created === undefined) this.#forgotten(subjectId, keyId);
    }
    if (late.length > 0) await this.appendTombstones(partition, late);
  }

  #read({ key, offset, value }: LogRecord): KeyChange {
    const separator = key.lastIndexOf(":");
    const subjectId = asId<SubjectId>(key.slice(0, separator));
    const keyId = key.slice(separator + 1);
    const created = value === null ? undefined : this.#wrappedIn(value);
    return { offset, subjectId, keyId, created };
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

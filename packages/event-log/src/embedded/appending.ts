import { TOPICS } from "@feed/domain/topics";

import {
  decodeNumber,
  dueKey,
  encodeNumber,
  isStoredTombstone,
  latestKey,
  recordKey,
  setOffsetIn,
  storedKey,
} from "./layout.ts";
import { unpackRecords } from "./packing.ts";
import type { PackedRecord } from "./packing.ts";
import { isSealed } from "./sealing.ts";
import type { WriteTransaction } from "./transaction.ts";

export const DUE_SUPERSEDED = Buffer.from([0]);
export const DUE_TOMBSTONE = Buffer.from([1]);

/** Appends the records of a packed block and returns their offsets. */
export function appendRecords(
  transaction: WriteTransaction,
  packed: ArrayBuffer,
  nowMs: number,
): number[] {
  const { records, slots } = transaction.stores;
  const offsets: number[] = [];
  for (const record of unpackRecords(packed)) {
    const { topic, partition, stored } = record;
    const offset = transaction.takeOffset(topic, partition);
    const value = isSealed(topic) ? slots.seal(stored, transaction.takeSlot()) : stored;
    setOffsetIn(record.recordKey, offset);
    records.putSync(record.recordKey, value);
    if (TOPICS[topic].cleanup === "compacted") noteSuperseded(transaction, record, offset, nowMs);
    offsets.push(offset);
  }
  return offsets;
}

/** Schedules the removal of the record that this one replaces, and of this one if it is a tombstone. */
function noteSuperseded(
  { stores }: WriteTransaction,
  { topic, partition, recordKey: ownKey, stored }: PackedRecord,
  offset: number,
  nowMs: number,
): void {
  const key = latestKey(topic, partition, storedKey(stored));
  const earlier = decodeNumber(stores.latest.get(key));
  if (earlier !== undefined) {
    stores.due.putSync(dueKey(nowMs, recordKey(topic, partition, earlier)), DUE_SUPERSEDED);
  }
  stores.latest.putSync(key, encodeNumber(offset));
  if (isStoredTombstone(stored)) {
    stores.due.putSync(dueKey(nowMs, ownKey), DUE_TOMBSTONE);
  }
}

import type { Topic } from "@feed/domain/topics";

import type { NewRecord } from "../port.ts";
import { parseRecordKey, recordKey, storedRecordBytes, writeStoredRecord } from "./layout.ts";

const RECORD_KEY_BYTES = 9;
/** Record key (its offset still 0), length of the stored record 4. */
const ENTRY_HEADER_BYTES = RECORD_KEY_BYTES + 4;

export interface PackedRecord {
  readonly topic: Topic;
  readonly partition: number;
  /** Its key in LMDB, but for the offset. */
  readonly recordKey: Buffer;
  readonly stored: Buffer;
}

/**
 * The records of one append as one block of memory that can be handed to another thread without a copy.
 * Views must not be sent as they are: a clone would carry the whole buffer that each of them looks into.
 */
export function packRecords(records: readonly NewRecord[]): ArrayBuffer {
  let bytes = 0;
  for (const record of records) bytes += ENTRY_HEADER_BYTES + storedRecordBytes(record);
  const packed = new ArrayBuffer(bytes);
  const target = Buffer.from(packed);
  let position = 0;
  for (const record of records) {
    recordKey(record.topic, record.partition, 0).copy(target, position);
    const start = position + ENTRY_HEADER_BYTES;
    const end = writeStoredRecord(record, target, start);
    target.writeUInt32BE(end - start, position + RECORD_KEY_BYTES);
    position = end;
  }
  return packed;
}

/** The records of a block made by `packRecords`, in order, as views into it. */
export function* unpackRecords(packed: ArrayBuffer): Generator<PackedRecord> {
  const source = Buffer.from(packed);
  let position = 0;
  while (position < source.length) {
    const key = source.subarray(position, position + RECORD_KEY_BYTES);
    const { topic, partition } = parseRecordKey(key);
    const start = position + ENTRY_HEADER_BYTES;
    const end = start + source.readUInt32BE(position + RECORD_KEY_BYTES);
    yield { topic, partition, recordKey: key, stored: source.subarray(start, end) };
    position = end;
  }
}

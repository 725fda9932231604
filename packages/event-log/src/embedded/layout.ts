import { hash } from "node:crypto";

import { TOPICS } from "@feed/domain/topics";
import type { Topic } from "@feed/domain/topics";

import type { LogRecord, NewRecord } from "../port.ts";

/** A topic's number on disk: never changed, never used again. */
const TOPIC_NUMBERS = {
  contents: 1,
  users: 2,
  "user-keys": 3,
  tenants: 4,
  deliveries: 5,
  credits: 6,
  "push-jobs": 7,
  "push-chunks": 8,
  "dead-letters": 9,
  webhooks: 10,
  "read-models": 11,
} as const satisfies Record<Topic, number>;

const TOPIC_BY_NUMBER = new Map<number, Topic>(
  (Object.keys(TOPIC_NUMBERS) as Topic[]).map((topic) => [TOPIC_NUMBERS[topic], topic]),
);

const PARTITION_KEY_BYTES = 3;
const OFFSET_BYTES = 6;
const RECORD_KEY_BYTES = 9;
const DUE_KEY_BYTES = 15;
/** Time 6, flags 1, length of the key 2. */
const RECORD_HEADER_BYTES = 9;
const TOMBSTONE_FLAG = 1;
/** Between key and value lie the bytes of a traceparent. */
const TRACED_FLAG = 2;
/** The bytes that traceparent's 00-<32 digits>-<16 digits>-<2 digits> stands for, without the version. */
const TRACE_BYTES = 25;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** [topic 1, partition 2]: sorts like the pair it stands for. */
export function partitionKey(topic: Topic, partition: number): Buffer {
  const key = Buffer.allocUnsafe(PARTITION_KEY_BYTES);
  key[0] = TOPIC_NUMBERS[topic];
  key.writeUInt16BE(partition, 1);
  return key;
}

/** [topic 1, partition 2, offset 6], big-endian: a partition's records lie side by side in their order. */
export function recordKey(topic: Topic, partition: number, offset: number): Buffer {
  const key = Buffer.allocUnsafe(RECORD_KEY_BYTES);
  key[0] = TOPIC_NUMBERS[topic];
  key.writeUInt16BE(partition, 1);
  key.writeUIntBE(offset, 3, 6);
  return key;
}

/** A topic's row of end offsets: 6 bytes for each partition. */
export function topicKey(topic: Topic): Buffer {
  return Buffer.from([TOPIC_NUMBERS[topic]]);
}

export function endsRow(topic: Topic, stored: Buffer | undefined): Buffer {
  return stored ?? Buffer.alloc(TOPICS[topic].partitions * OFFSET_BYTES);
}

export function endIn(row: Buffer, partition: number): number {
  return row.readUIntBE(partition * OFFSET_BYTES, OFFSET_BYTES);
}

export function setEndIn(row: Buffer, partition: number, end: number): void {
  row.writeUIntBE(end, partition * OFFSET_BYTES, OFFSET_BYTES);
}

export function setOffsetIn(key: Buffer, offset: number): void {
  key.writeUIntBE(offset, PARTITION_KEY_BYTES, OFFSET_BYTES);
}

export function parseRecordKey(key: Buffer): { topic: Topic; partition: number; offset: number } {
  const topic = TOPIC_BY_NUMBER.get(key[0] ?? 0);
  if (topic === undefined) throw new Error(`the log holds an unknown topic number ${key[0]}`);
  return { topic, partition: key.readUInt16BE(1), offset: key.readUIntBE(3, 6) };
}

/** [partition key 3, hash of the record's key 16]: where the last record of a key is looked up. */
export function latestKey(topic: Topic, partition: number, key: string): Buffer {
  return Buffer.concat([
    partitionKey(topic, partition),
    hash("sha256", key, "buffer").subarray(0, 16),
  ]);
}

/** [time 6, record key 9]: what compaction removes, earliest first. */
export function dueKey(supersededAtMs: number, key: Buffer): Buffer {
  const due = Buffer.allocUnsafe(DUE_KEY_BYTES);
  due.writeUIntBE(supersededAtMs, 0, 6);
  key.copy(due, 6);
  return due;
}

export function parseDueKey(due: Buffer): { supersededAtMs: number; recordKey: Buffer } {
  return { supersededAtMs: due.readUIntBE(0, 6), recordKey: due.subarray(6) };
}

export function encodeNumber(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(6);
  bytes.writeUIntBE(value, 0, 6);
  return bytes;
}

export function decodeNumber(bytes: Buffer | undefined): number | undefined {
  return bytes?.readUIntBE(0, 6);
}

/** How many bytes `writeStoredRecord` will use. */
export function storedRecordBytes(record: NewRecord): number {
  const { key, value } = record;
  const fixed = RECORD_HEADER_BYTES + (isTraced(record) ? TRACE_BYTES : 0);
  return fixed + Buffer.byteLength(key) + (value?.byteLength ?? 0);
}

/** One that this layout can't hold is left out: a trace is never worth a refused fact. */
function isTraced({ traceparent }: NewRecord): boolean {
  return traceparent !== undefined && TRACEPARENT.test(traceparent);
}

/** Writes [time, flags, key length, key, trace, value] at `position` and returns the position behind it. */
export function writeStoredRecord(record: NewRecord, target: Buffer, position: number): number {
  const keyStart = position + RECORD_HEADER_BYTES;
  const keyBytes = target.write(record.key, keyStart, "utf8");
  target.writeUIntBE(record.timestampMs, position, 6);
  const isTombstone = record.value === null;
  target[position + 6] = (isTombstone ? TOMBSTONE_FLAG : 0) | (isTraced(record) ? TRACED_FLAG : 0);
  target.writeUInt16BE(keyBytes, position + 7);
  const valueStart = keyStart + keyBytes + writeTrace(record, target, keyStart + keyBytes);
  if (record.value === null) return valueStart;
  target.set(record.value, valueStart);
  return valueStart + record.value.byteLength;
}

/** How many bytes were written. */
function writeTrace({ traceparent = "" }: NewRecord, target: Buffer, position: number): number {
  const [, trace, span, flags] = TRACEPARENT.exec(traceparent) ?? [];
  return trace === undefined ? 0 : target.write(`${trace}${span}${flags}`, position, "hex");
}

function traceparentIn(stored: Buffer, position: number): string {
  const digits = stored.toString("hex", position, position + TRACE_BYTES);
  return `00-${digits.slice(0, 32)}-${digits.slice(32, 48)}-${digits.slice(48)}`;
}

export function storedKey(stored: Buffer): string {
  return stored.toString("utf8", RECORD_HEADER_BYTES, RECORD_HEADER_BYTES + stored.readUInt16BE(7));
}

export function isStoredTombstone(stored: Buffer): boolean {
  return ((stored[6] ?? 0) & TOMBSTONE_FLAG) !== 0;
}

export function storedTimestampMs(stored: Buffer): number {
  return stored.readUIntBE(0, 6);
}

/** The record in `stored`; its value shares that memory. */
export function parseStoredRecord(
  stored: Buffer,
  at: { topic: Topic; partition: number; offset: number },
): LogRecord {
  const keyEnd = RECORD_HEADER_BYTES + stored.readUInt16BE(7);
  const hasTrace = ((stored[6] ?? 0) & TRACED_FLAG) !== 0;
  return {
    ...at,
    key: storedKey(stored),
    value: isStoredTombstone(stored)
      ? null
      : stored.subarray(hasTrace ? keyEnd + TRACE_BYTES : keyEnd),
    timestampMs: storedTimestampMs(stored),
    ...(hasTrace && { traceparent: traceparentIn(stored, keyEnd) }),
  };
}

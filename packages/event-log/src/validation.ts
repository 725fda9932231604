import { TOPICS } from "@feed/domain/topics";
import type { Topic } from "@feed/domain/topics";

import {
  APPEND_BYTES_MAX,
  KEY_BYTES_MAX,
  RECORDS_PER_APPEND_MAX,
  VALUE_BYTES_MAX,
} from "./limits.ts";
import { LogRejected } from "./port.ts";
import type { NewRecord } from "./port.ts";

const GROUP_PATTERN = /^[\w.:-]{1,200}$/;
const TIMESTAMP_MS_MAX = 2 ** 48 - 1;

/** Throws LogRejected unless the records keep the port's limits. Checked before anything is written. */
export function validateRecords(records: readonly NewRecord[]): void {
  if (records.length === 0 || records.length > RECORDS_PER_APPEND_MAX) {
    throw new LogRejected(
      `an append has 1 to ${RECORDS_PER_APPEND_MAX} records, not ${records.length}`,
    );
  }
  let bytes = 0;
  for (const record of records) {
    validatePartition(record.topic, record.partition);
    const keyBytes = Buffer.byteLength(record.key);
    const valueBytes = record.value?.byteLength ?? 0;
    if (keyBytes > KEY_BYTES_MAX) {
      throw new LogRejected(`a key has at most ${KEY_BYTES_MAX} bytes, not ${keyBytes}`);
    }
    if (valueBytes > VALUE_BYTES_MAX) {
      throw new LogRejected(`a value has at most ${VALUE_BYTES_MAX} bytes, not ${valueBytes}`);
    }
    if (!isCount(record.timestampMs) || record.timestampMs > TIMESTAMP_MS_MAX) {
      throw new LogRejected(`timestampMs is a whole number since 1970, not ${record.timestampMs}`);
    }
    bytes += keyBytes + valueBytes;
  }
  if (bytes > APPEND_BYTES_MAX) {
    throw new LogRejected(`an append has at most ${APPEND_BYTES_MAX} bytes, not ${bytes}`);
  }
}

export function validateTopic(topic: Topic): void {
  if (!Object.hasOwn(TOPICS, topic)) throw new LogRejected(`no such topic: ${topic}`);
}

export function validatePartition(topic: Topic, partition: number): void {
  validateTopic(topic);
  if (!isCount(partition) || partition >= TOPICS[topic].partitions) {
    throw new LogRejected(
      `${topic} has partitions 0 to ${TOPICS[topic].partitions - 1}, not ${partition}`,
    );
  }
}

export function validateGroup(group: string): void {
  if (!GROUP_PATTERN.test(group)) {
    throw new LogRejected(`a group's name is 1 to 200 letters, digits or _.:-, not "${group}"`);
  }
}

export function validateOffset(offset: number): void {
  if (!isCount(offset)) throw new LogRejected(`an offset is a whole number from 0, not ${offset}`);
}

export function validateRecordsMax(recordsMax: number): void {
  if (!isCount(recordsMax) || recordsMax === 0) {
    throw new LogRejected(`recordsMax is a whole number from 1, not ${recordsMax}`);
  }
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

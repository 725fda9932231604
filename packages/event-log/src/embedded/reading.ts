import type { Topic } from "@feed/domain/topics";

import { READ_BYTES_MAX } from "../limits.ts";
import type { LogRecord, PartitionBatch } from "../port.ts";
import { endIn, parseRecordKey, parseStoredRecord, partitionKey, recordKey } from "./layout.ts";
import { isSealed } from "./sealing.ts";
import { endsOf } from "./stores.ts";
import type { Stores } from "./stores.ts";

/**
 * Records of one partition from `fromOffset` on, at most `recordsMax` and about READ_BYTES_MAX.
 * Runs to its end at once, so that no snapshot of LMDB outlives the call and holds back freed pages.
 */
export function readPartition(
  stores: Stores,
  topic: Topic,
  partition: number,
  fromOffset: number,
  recordsMax: number,
): PartitionBatch & { readonly bytes: number } {
  const end = endIn(endsOf(stores, topic), partition);
  const records: LogRecord[] = [];
  let bytes = 0;
  if (fromOffset < end) {
    const range = {
      start: recordKey(topic, partition, fromOffset),
      end: partitionKey(topic, partition + 1),
      limit: recordsMax,
    };
    for (const { key, value } of stores.records.getRange(range)) {
      const stored = isSealed(topic) ? stores.slots.unseal(value) : value;
      // Erased and not yet removed: like a gap that compaction left.
      if (stored === undefined) continue;
      records.push(parseStoredRecord(stored, parseRecordKey(key)));
      bytes += value.length;
      if (bytes >= READ_BYTES_MAX) break;
    }
  }
  const last = records.at(-1);
  const nextOffset = last === undefined ? Math.max(fromOffset, end) : last.offset + 1;
  return { topic, partition, records, nextOffset, bytes };
}

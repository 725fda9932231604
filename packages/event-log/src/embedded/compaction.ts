import { TOPICS } from "@feed/domain/topics";
import type { Topic } from "@feed/domain/topics";

import { EXPIRING_RETENTION_MS } from "../limits.ts";
import { DUE_TOMBSTONE } from "./appending.ts";
import {
  decodeNumber,
  latestKey,
  parseDueKey,
  parseRecordKey,
  partitionKey,
  recordKey,
  storedKey,
  storedTimestampMs,
} from "./layout.ts";
import { isSealed, slotOf } from "./sealing.ts";
import type { WriteTransaction } from "./transaction.ts";

/** Keeps the write lock short: appends wait for it. */
const REMOVALS_PER_TRANSACTION_MAX = 1_000;

/** Removes what has been superseded for `lagMs` and what has expired; `more`: it stopped at its limit. */
export function compact(
  transaction: WriteTransaction,
  nowMs: number,
  lagMs: number,
): { removed: number; more: boolean } {
  const removed =
    removeSuperseded(transaction, nowMs - lagMs) +
    removeExpired(transaction, nowMs - EXPIRING_RETENTION_MS);
  return { removed, more: removed >= REMOVALS_PER_TRANSACTION_MAX };
}

function removeSuperseded(transaction: WriteTransaction, supersededUntilMs: number): number {
  const { stores } = transaction;
  const entries = [...stores.due.getRange({ limit: REMOVALS_PER_TRANSACTION_MAX })];
  let removed = 0;
  for (const { key, value } of entries) {
    const due = parseDueKey(key);
    if (due.supersededAtMs > supersededUntilMs) break;
    removeRecord(transaction, due.recordKey, value.equals(DUE_TOMBSTONE));
    stores.due.removeSync(key);
    removed += 1;
  }
  return removed;
}

function removeRecord({ stores }: WriteTransaction, key: Buffer, tombstone: boolean): void {
  const value = stores.records.get(key);
  // A tombstone that was superseded itself is scheduled twice.
  if (value === undefined) return;
  const at = parseRecordKey(key);
  const stored = isSealed(at.topic) ? stores.slots.unseal(value) : value;
  if (tombstone && stored !== undefined) {
    const latest = latestKey(at.topic, at.partition, storedKey(stored));
    if (decodeNumber(stores.latest.get(latest)) === at.offset) stores.latest.removeSync(latest);
  }
  // The key goes first: after a crash here the record is unreadable and the next compaction removes it.
  if (isSealed(at.topic)) stores.slots.erase(slotOf(value));
  stores.records.removeSync(key);
}

function removeExpired(transaction: WriteTransaction, appendedUntilMs: number): number {
  let removed = 0;
  for (const topic of Object.keys(TOPICS) as Topic[]) {
    if (TOPICS[topic].cleanup !== "expiring") continue;
    for (let partition = 0; partition < TOPICS[topic].partitions; partition += 1) {
      removed += removeExpiredOf(transaction, topic, partition, appendedUntilMs);
    }
  }
  return removed;
}

/** From the oldest record on: behind one that is young enough nothing is looked at. */
function removeExpiredOf(
  { stores }: WriteTransaction,
  topic: Topic,
  partition: number,
  appendedUntilMs: number,
): number {
  const start = recordKey(topic, partition, 0);
  const end = partitionKey(topic, partition + 1);
  const expired: Buffer[] = [];
  for (const { key, value } of stores.records.getRange({
    start,
    end,
    limit: REMOVALS_PER_TRANSACTION_MAX,
  })) {
    if (storedTimestampMs(value) > appendedUntilMs) break;
    expired.push(key);
  }
  for (const key of expired) stores.records.removeSync(key);
  return expired.length;
}

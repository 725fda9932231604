import { createHash } from "node:crypto";
import { TOPICS } from "@feed/domain/topics";
import type { EventLog, LogRecord } from "@feed/event-log";
import { restamped, type CopiedPartition, type CopyServices } from "./partition-copy.ts";

const RECORDS_PER_READ_MAX = 2_000;

/** What a partition holds, in few bytes: equal where offsets, keys, times and values are. */
export interface PartitionSum {
  readonly records: number;
  /** Hexadecimal SHA-256. */
  readonly checksum: string;
}

export interface CheckedPartition extends CopiedPartition {
  readonly source: PartitionSum;
  readonly target: PartitionSum;
  readonly agrees: boolean;
}

/** Both logs read again, up to the end that the source had. */
export async function checkPartition(
  place: CopiedPartition,
  end: number,
  { source, target, idOf, signal }: Pick<CopyServices, "source" | "target" | "idOf" | "signal">,
  onRead: (offsets: number) => void,
): Promise<CheckedPartition> {
  const range = { from: await beginOf(place, source, target), end };
  const here = await sumOf(source, place, range, signal, (record) => restamped(record, idOf));
  const there = await sumOf(target, place, range, signal, (record) => record);
  onRead(end);
  const agrees = here.records === there.records && here.checksum === there.checksum;
  return { ...place, source: here, target: there, agrees };
}

/** What has expired in one of the two is not looked at in the other. */
async function beginOf(
  { topic, partition }: CopiedPartition,
  ...logs: readonly Pick<EventLog, "read">[]
): Promise<number> {
  if (TOPICS[topic].cleanup !== "expiring") return 0;
  const firsts = await Promise.all(logs.map((log) => log.read(topic, partition, 0, 1)));
  return Math.max(...firsts.map(({ records, nextOffset }) => records[0]?.offset ?? nextOffset));
}

/**
 * The cleaner of a compacted topic may have been at work in either log: what counts there is the last record of each key,
 * and a tombstone is as good as none.
 */
async function sumOf(
  log: Pick<EventLog, "read">,
  { topic, partition }: CopiedPartition,
  range: { readonly from: number; readonly end: number },
  signal: AbortSignal,
  asInTarget: (record: LogRecord) => LogRecord,
): Promise<PartitionSum> {
  const isCompacted = TOPICS[topic].cleanup === "compacted";
  const latest = new Map<string, string>();
  const hash = createHash("sha256");
  let records = 0;
  for (let from = range.from; from < range.end;) {
    signal.throwIfAborted();
    const page = await log.read(topic, partition, from, RECORDS_PER_READ_MAX);
    for (const record of page.records) {
      if (record.offset >= range.end) continue;
      const digest = digestOf(asInTarget(record));
      if (!isCompacted) {
        hash.update(digest);
        records += 1;
      } else if (record.value === null) latest.delete(record.key);
      else latest.set(record.key, digest);
    }
    if (page.nextOffset <= from) break;
    from = page.nextOffset;
  }
  for (const [, digest] of [...latest].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    hash.update(digest);
  return { records: isCompacted ? latest.size : records, checksum: hash.digest("hex") };
}

function digestOf({ offset, key, timestampMs, value }: LogRecord): string {
  const hash = createHash("sha256").update(
    JSON.stringify([offset, key, timestampMs, value === null]),
  );
  return hash.update(value ?? new Uint8Array()).digest("base64");
}

import { TOPICS, type Topic } from "@feed/domain/topics";
import { schemaIdOf, withSchemaId } from "@feed/event-codec";
import type { EventLog, LogRecord, NewRecord } from "@feed/event-log";
import { markerAt } from "@feed/event-log/kafka/markers";
import { RECORDS_PER_APPEND_MAX } from "@feed/event-log/limits";

const RECORDS_PER_READ_MAX = 2_000;
/** Of the target, looked at before anything is appended to it. */
const RECORDS_CHECKED_MAX = 100;

/** The target holds what does not come from this log. */
export class TargetRefused extends Error {
  override readonly name = "TargetRefused";
}

export interface CopiedPartition {
  readonly topic: Topic;
  readonly partition: number;
}

export interface CopyServices {
  readonly source: Pick<EventLog, "read">;
  readonly target: Pick<EventLog, "read" | "append">;
  /** The id in the target's registry of the schema with an id here; undefined: there is none. */
  readonly idOf: (sourceId: number) => number | undefined;
  readonly signal: AbortSignal;
}

/** A record as it lies in the target: under the id that its schema has there. Bytes under no known id stay as they are. */
export function restamped(
  record: LogRecord,
  idOf: (sourceId: number) => number | undefined,
): LogRecord {
  const { value } = record;
  const sourceId = value === null ? undefined : schemaIdOf(value);
  const id = sourceId === undefined ? undefined : idOf(sourceId);
  return value === null || id === undefined
    ? record
    : { ...record, value: withSchemaId(value, id) };
}

/**
 * Copies a partition from where the target ends. Offsets stay as they are, because records name places in the log: where
 * compaction has left a gap, the target gets records that readers pass over. `onCopied` is told of offsets as they are
 * copied.
 *
 * @throws TargetRefused where somebody else writes to it.
 */
export async function copyPartition(
  place: CopiedPartition,
  ends: { readonly source: number; readonly target: number },
  services: CopyServices,
  onCopied: (offsets: number) => void,
): Promise<void> {
  const { source, target, idOf, signal } = services;
  let next = ends.target;
  while (next < ends.source) {
    signal.throwIfAborted();
    const page = await source.read(place.topic, place.partition, next, RECORDS_PER_READ_MAX);
    const batch: NewRecord[] = [];
    let filled = next;
    const fillTo = (offset: number, timestampMs: number): void => {
      for (; filled < offset && batch.length < RECORDS_PER_APPEND_MAX; filled += 1)
        batch.push(markerAt(place, timestampMs));
    };
    for (const record of page.records) {
      fillTo(record.offset, record.timestampMs);
      if (batch.length === RECORDS_PER_APPEND_MAX) break;
      const { topic, partition, key, value, timestampMs } = restamped(record, idOf);
      batch.push({ topic, partition, key, value, timestampMs });
      filled += 1;
    }
    // Of an end that was compacted away nothing is left, not even a time.
    if (page.records.length === 0) fillTo(ends.source, Date.now());
    const [first] = await target.append(batch);
    if (first?.offset !== next)
      throw new TargetRefused(`${nameOf(place)} is written to by somebody else`);
    onCopied(filled - next);
    next = filled;
  }
}

/**
 * What the target holds was copied from this log: the end of it is looked at.
 *
 * @throws TargetRefused where it is something else, or more than there is here.
 */
export async function assertSameStart(
  place: CopiedPartition,
  ends: { readonly source: number; readonly target: number },
  { source, target, idOf }: Omit<CopyServices, "signal">,
): Promise<void> {
  if (ends.target === 0) return;
  const { topic, partition } = place;
  if (ends.target > ends.source)
    throw new TargetRefused(
      `${nameOf(place)} has ${ends.target} records in the target and ${ends.source} here: the target is in use`,
    );
  const from = Math.max(0, ends.target - RECORDS_CHECKED_MAX);
  const there = await target.read(topic, partition, from, RECORDS_CHECKED_MAX);
  const here = await source.read(topic, partition, from, RECORDS_CHECKED_MAX);
  const known = new Map(here.records.map((record) => [record.offset, restamped(record, idOf)]));
  for (const record of there.records) {
    const own = known.get(record.offset);
    // What was copied may have been superseded here since.
    if (own === undefined && TOPICS[topic].cleanup !== "kept") continue;
    if (own === undefined || !isSame(own, record))
      throw new TargetRefused(`${nameOf(place)} holds other data at ${record.offset}`);
  }
}

function isSame(one: LogRecord, other: LogRecord): boolean {
  if (one.key !== other.key || one.timestampMs !== other.timestampMs) return false;
  if (one.value === null || other.value === null) return one.value === other.value;
  return Buffer.compare(one.value, other.value) === 0;
}

export function nameOf({ topic, partition }: CopiedPartition): string {
  return `partition ${partition} of ${topic}`;
}

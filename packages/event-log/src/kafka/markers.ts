import type { NewRecord } from "../port.ts";
import type { FetchPosition } from "./fetching.ts";

/** The key of records that are no one's: a key of the port never begins with a zero byte. */
const MARKER_KEY = "\0segment";
const MARKER_KEY_BYTES = Buffer.from(MARKER_KEY);

/**
 * A record that closes the segment before it. Compaction leaves a partition's last segment alone until another record
 * comes, which in a quiet partition may be never: what was deleted there would stay.
 */
export function markerAt(
  { topic, partition }: Pick<FetchPosition, "topic" | "partition">,
  nowMs: number,
): NewRecord {
  return { topic, partition, key: MARKER_KEY, value: null, timestampMs: nowMs };
}

/** Readers pass markers over, as they do what compaction removed. */
export function isMarker({ key }: { readonly key: Buffer | null }): boolean {
  return key?.equals(MARKER_KEY_BYTES) === true;
}

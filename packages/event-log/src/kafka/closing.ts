import type { Topic } from "@feed/domain/topics";

import type { NewRecord } from "../port.ts";
import type { Cluster, TopicNames } from "./connection.ts";
import { offsetsOf } from "./fetching.ts";
import type { FetchPosition } from "./fetching.ts";
import { markerAt } from "./markers.ts";
import { readPartition } from "./reading.ts";
import { SEGMENT_MS } from "./topics.ts";

/** The topic whose records must be gone in time: in other compacted topics an old record does no harm. */
const ERASED_TOPIC: Topic = "user-keys";

/**
 * The markers that let compaction come to what was last written to partitions that have been quiet for longer than a
 * segment lasts. After a marker there is nothing to do until another record comes.
 */
export async function markersDue(
  cluster: Cluster,
  names: TopicNames,
  partitions: number,
  nowMs: number,
): Promise<readonly NewRecord[]> {
  const all = Array.from({ length: partitions }, (_, partition) => {
    return { topic: ERASED_TOPIC, partition };
  });
  const ends = await offsetsOf(cluster, names, all, false);
  const markers: NewRecord[] = [];
  for (const place of all) {
    const end = ends.get(`${place.topic} ${place.partition}`) ?? 0;
    if (end === 0) continue;
    const last: FetchPosition = { ...place, offset: end - 1 };
    const { records } = await readPartition(cluster, names, last, 1);
    const writtenAtMs = records[0]?.timestampMs ?? Infinity;
    if (writtenAtMs <= nowMs - SEGMENT_MS) markers.push(markerAt(place, nowMs));
  }
  return markers;
}

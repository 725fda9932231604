import type { Topic } from "@feed/domain/topics";
import type { EventLog } from "@feed/event-log";

/**
 * Offsets of a topic that a read model has not passed yet, over all partitions. Offsets that compaction removed
 * count until the projector has passed them.
 */
export async function projectionLag(
  eventLog: Pick<EventLog, "endOffsets">,
  topic: Topic,
  positions: ReadonlyMap<number, number>,
): Promise<number> {
  const ends = await eventLog.endOffsets(topic);
  return ends.reduce(
    (lag, end, partition) => lag + Math.max(0, end - (positions.get(partition) ?? 0)),
    0,
  );
}

import { TOPICS } from "@feed/domain/topics";
import type { Topic } from "@feed/domain/topics";
import type { EventLog } from "@feed/event-log";
import { PROJECTION_NAMES, PROJECTIONS, projectorGroup } from "./projections.ts";
import type { ProjectionName } from "./projections.ts";

/** Reads of one look at a log: enough that a cluster's answers overlap, few enough that nobody else waits. */
const READS_AT_ONCE_MAX = 8;

/** A consumer group and a topic that it reads. */
export interface FollowedTopic {
  readonly group: string;
  readonly topic: Topic;
}

/** Where a consumer group stands in one partition. */
export interface PartitionLag extends FollowedTopic {
  readonly partition: number;
  /** Next offset to be read; null: nothing was committed yet. */
  readonly committedOffset: number | null;
  readonly endOffset: number;
  /** Offsets up to the end; those that compaction removed count until they have been passed. */
  readonly lagRecords: number;
  /** Age of the oldest record that was not processed yet; 0 where there is none. */
  readonly lagMs: number;
}

/** What the projectors follow, in the versions of each projection that are kept. */
export function followedByProjectors(
  keptVersionsOf: (projection: ProjectionName) => readonly number[],
): readonly FollowedTopic[] {
  return PROJECTION_NAMES.flatMap((name) =>
    keptVersionsOf(name).map((version) => {
      return { group: projectorGroup(name, version), topic: PROJECTIONS[name] };
    }),
  );
}

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

/** How far consumer groups lie behind the log, by partition, in the order given. Works with the log alone. */
export async function groupLags(
  eventLog: Pick<EventLog, "endOffsets" | "committed" | "read">,
  followed: readonly FollowedTopic[],
  nowMs: number,
): Promise<readonly PartitionLag[]> {
  // Ends first: a record that comes in between is behind nobody.
  const topics = [...new Set(followed.map(({ topic }) => topic))];
  const ends = new Map(
    await Promise.all(
      topics.map(async (topic) => [topic, await eventLog.endOffsets(topic)] as const),
    ),
  );
  const committed = await Promise.all(
    followed.map(({ group, topic }) => eventLog.committed(group, topic)),
  );
  const standing = followed.flatMap((each, at) =>
    Array.from({ length: TOPICS[each.topic].partitions }, (_, partition): PartitionLag => {
      const committedOffset = committed[at]?.get(partition) ?? null;
      const endOffset = ends.get(each.topic)?.[partition] ?? 0;
      const lagRecords = Math.max(0, endOffset - (committedOffset ?? 0));
      return { ...each, partition, committedOffset, endOffset, lagRecords, lagMs: 0 };
    }),
  );
  return withAges(eventLog, standing, nowMs);
}

async function withAges(
  eventLog: Pick<EventLog, "read">,
  standing: readonly PartitionLag[],
  nowMs: number,
): Promise<readonly PartitionLag[]> {
  const aged = [...standing];
  const behind = [...aged.entries()].filter(([, { lagRecords }]) => lagRecords > 0);
  for (let from = 0; from < behind.length; from += READS_AT_ONCE_MAX) {
    const turn = behind.slice(from, from + READS_AT_ONCE_MAX);
    await Promise.all(
      turn.map(async ([index, lag]) => {
        const { topic, partition, committedOffset } = lag;
        const { records } = await eventLog.read(topic, partition, committedOffset ?? 0, 1);
        const [oldest] = records;
        const lagMs = oldest === undefined ? 0 : Math.max(0, nowMs - oldest.timestampMs);
        aged[index] = { ...lag, lagMs };
      }),
    );
  }
  return aged;
}

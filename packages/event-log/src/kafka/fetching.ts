import { setTimeout as delay } from "node:timers/promises";

import type { Topic } from "@feed/domain/topics";

import { READ_BYTES_MAX } from "../limits.ts";
import type { LogRecord } from "../port.ts";
import { READ_UNCOMMITTED } from "./connection.ts";
import type { Cluster, TopicNames } from "./connection.ts";
import { errorTypeOf } from "./faults.ts";
import type { FetchedMessage } from "./kafkajs-types.ts";
import { isMarker } from "./markers.ts";

/** Of each partition; a larger record comes all the same (KIP-74). */
const PARTITION_BYTES_MAX = 1024 * 1024;

export interface FetchPosition {
  readonly topic: Topic;
  readonly partition: number;
  readonly offset: number;
}

export interface Fetched<Position extends FetchPosition = FetchPosition> {
  readonly position: Position;
  readonly records: readonly LogRecord[];
  /** Where to go on; beyond the position also where what lay there has been removed. */
  readonly nextOffset: number;
  readonly highWatermark: number;
}

export interface FetchLimits {
  /** How long the broker may wait for a first record. */
  readonly waitMs: number;
  readonly partitionBytesMax?: number;
}

/** Groups positions by the node that leads their partition; what has no leader now is left out. */
export function byLeader<Position extends FetchPosition>(
  cluster: Cluster,
  names: TopicNames,
  positions: Iterable<Position>,
): ReadonlyMap<string, readonly Position[]> {
  const leaders = new Map<string, Position[]>();
  const topics = new Map<Topic, ReadonlyMap<number, number | null>>();
  for (const position of positions) {
    let ofTopic = topics.get(position.topic);
    if (ofTopic === undefined) {
      const metadata = cluster.findTopicPartitionMetadata(names.of(position.topic));
      ofTopic = new Map(metadata.map(({ partitionId, leader }) => [partitionId, leader]));
      topics.set(position.topic, ofTopic);
    }
    const leader = ofTopic.get(position.partition) ?? -1;
    if (leader < 0) continue;
    const ofLeader = leaders.get(String(leader));
    if (ofLeader === undefined) leaders.set(String(leader), [position]);
    else ofLeader.push(position);
  }
  return leaders;
}

/**
 * One fetch request to a leader of all positions, and what it answers for each of them. A position that lies before what
 * the log still has goes on at its first record; one beyond the end waits there.
 */
export async function fetchFrom<Position extends FetchPosition>(
  cluster: Cluster,
  names: TopicNames,
  nodeId: string,
  positions: readonly Position[],
  { waitMs, partitionBytesMax = PARTITION_BYTES_MAX }: FetchLimits,
): Promise<readonly Fetched<Position>[]> {
  const topics = [...Map.groupBy(positions, ({ topic }) => topic)].map(([topic, ofTopic]) => ({
    topic: names.of(topic),
    partitions: ofTopic.map(({ partition, offset }) => ({
      partition,
      fetchOffset: String(offset),
      maxBytes: partitionBytesMax,
    })),
  }));
  const broker = await cluster.findBroker({ nodeId });
  try {
    const { responses } = await broker.fetch({
      maxWaitTime: waitMs,
      minBytes: 1,
      maxBytes: READ_BYTES_MAX,
      isolationLevel: READ_UNCOMMITTED,
      topics,
    });
    const byPlace = new Map(positions.map((one) => [`${one.topic} ${one.partition}`, one]));
    return responses.flatMap(({ topicName, partitions }) =>
      partitions.flatMap(({ partition, messages, highWatermark }) => {
        const position = byPlace.get(`${names.topicOf(topicName)} ${partition}`);
        return position === undefined ? [] : [fetchedOf(position, messages, Number(highWatermark))];
      }),
    );
  } catch (error) {
    if (errorTypeOf(error) !== "OFFSET_OUT_OF_RANGE") throw error;
    const moved = await withinRange(cluster, names, positions);
    // Beyond the end there is nothing to wait for at the broker, which answers at once.
    if (moved.every(({ position, nextOffset }) => nextOffset === position.offset))
      await delay(waitMs);
    return moved;
  }
}

function fetchedOf<Position extends FetchPosition>(
  position: Position,
  messages: readonly FetchedMessage[],
  highWatermark: number,
): Fetched<Position> {
  const { topic, partition, offset: from } = position;
  // A broker answers with whole batches: the first may begin before the offset asked for.
  const wanted = messages.filter(({ offset }) => Number(offset) >= from);
  const last = wanted.at(-1);
  const records = wanted.flatMap((message): LogRecord[] =>
    message.isControlRecord || isMarker(message)
      ? []
      : [
          {
            topic,
            partition,
            offset: Number(message.offset),
            key: message.key?.toString() ?? "",
            value: message.value,
            timestampMs: Number(message.timestamp),
            ...traceOf(message),
          },
        ],
  );
  const nextOffset = last === undefined ? from : Number(last.offset) + 1;
  return { position, records, nextOffset, highWatermark };
}

/** As whoever appended it wrote it, be it this service or another. */
function traceOf({ headers }: FetchedMessage): Pick<LogRecord, "traceparent"> {
  const header = headers?.["traceparent"];
  const [value] = Array.isArray(header) ? header : [header];
  return value === undefined ? {} : { traceparent: value.toString() };
}

/** First and next offset of each position's partition tell where it can go on. */
async function withinRange<Position extends FetchPosition>(
  cluster: Cluster,
  names: TopicNames,
  positions: readonly Position[],
): Promise<readonly Fetched<Position>[]> {
  const firsts = await offsetsOf(cluster, names, positions, true);
  const ends = await offsetsOf(cluster, names, positions, false);
  return positions.map((position) => {
    const place = `${position.topic} ${position.partition}`;
    const first = firsts.get(place) ?? 0;
    const highWatermark = ends.get(place) ?? 0;
    return {
      position,
      records: [],
      nextOffset: Math.max(position.offset, first),
      highWatermark,
    };
  });
}

/** `topic partition` to its first offset, or to the one its next record gets. */
export async function offsetsOf(
  cluster: Cluster,
  names: TopicNames,
  partitions: readonly Pick<FetchPosition, "topic" | "partition">[],
  fromBeginning: boolean,
): Promise<ReadonlyMap<string, number>> {
  await cluster.refreshMetadataIfNecessary();
  const topics = [...Map.groupBy(partitions, ({ topic }) => topic)].map(([topic, ofTopic]) => ({
    topic: names.of(topic),
    partitions: ofTopic.map(({ partition }) => ({ partition })),
    fromBeginning,
  }));
  const answers = await cluster.fetchTopicsOffset(topics);
  return new Map(
    answers.flatMap(({ topic, partitions }) =>
      partitions.map(({ partition, offset }) => [
        `${names.topicOf(topic)} ${partition}`,
        Number(offset),
      ]),
    ),
  );
}

import type { Topic } from "@feed/domain/topics";

import type { LogRecord, PartitionBatch } from "../port.ts";

/** A partition that a consumer reads. */
export interface Position {
  readonly topic: Topic;
  readonly partition: number;
  /** Where the next fetch begins. */
  offset: number;
  /** What the handler has had: offset of its last record + 1. */
  nextOffset: number;
  /** Fetched and not handed over yet. */
  buffered: readonly LogRecord[];
}

export function countBuffered(positions: readonly Position[]): number {
  return positions.reduce((count, { buffered }) => count + buffered.length, 0);
}

/**
 * Takes as many records as one call may have out of the buffers, from one partition after the other, beginning with
 * the one at `turn`.
 */
export function takeBatches(
  positions: readonly Position[],
  recordsMax: number,
  turn: number,
): PartitionBatch[] {
  const batches: PartitionBatch[] = [];
  let recordsLeft = recordsMax;
  for (let place = 0; place < positions.length && recordsLeft > 0; place += 1) {
    const position = positions[(turn + place) % positions.length] as Position;
    if (position.buffered.length === 0) continue;
    const { topic, partition, buffered } = position;
    const records = buffered.slice(0, recordsLeft);
    position.buffered = buffered.slice(records.length);
    recordsLeft -= records.length;
    const nextOffset = ((records.at(-1) as LogRecord).offset as number) + 1;
    batches.push({ topic, partition, records, nextOffset });
  }
  return batches;
}

import { TOPICS } from "@feed/domain/topics";
import type { Topic } from "@feed/domain/topics";
import type { EventLog } from "@feed/event-log";

/** Where a replay begins. */
export type ReplayFrom =
  | { readonly kind: "beginning" }
  /** Records appended then or later. */
  | { readonly kind: "time"; readonly atMs: number }
  /** By partition; others are not read again. */
  | { readonly kind: "offsets"; readonly offsets: ReadonlyMap<number, number> };

/** Offsets of one partition that are read again: from the first up to before the last. */
export interface ReplayRange {
  readonly partition: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Times are of the clocks of those who appended: the log is searched as if they agreed, and begun this much earlier, so
 * that none is missed.
 */
const CLOCKS_APART_MAX_MS = 60_000;
const SEARCHES_AT_ONCE = 8;

/**
 * What a replay reads again: as far as the read model stands, because what comes after is the projector's. Partitions
 * with nothing to read are left out.
 */
export async function replayRanges(
  eventLog: Pick<EventLog, "read">,
  topic: Topic,
  positions: ReadonlyMap<number, number>,
  from: ReplayFrom,
): Promise<readonly ReplayRange[]> {
  const ranges: ReplayRange[] = [];
  const partitions = Array.from({ length: TOPICS[topic].partitions }, (_, partition) => partition);
  for (let first = 0; first < partitions.length; first += SEARCHES_AT_ONCE) {
    const turn = partitions.slice(first, first + SEARCHES_AT_ONCE).map(async (partition) => {
      const to = positions.get(partition) ?? 0;
      return { partition, from: await beginning(eventLog, topic, partition, to, from), to };
    });
    ranges.push(...(await Promise.all(turn)));
  }
  return ranges.filter((range) => range.from < range.to);
}

async function beginning(
  eventLog: Pick<EventLog, "read">,
  topic: Topic,
  partition: number,
  to: number,
  from: ReplayFrom,
): Promise<number> {
  switch (from.kind) {
    case "beginning":
      return 0;
    case "offsets":
      return from.offsets.get(partition) ?? to;
    case "time":
      return firstSince(from.atMs - CLOCKS_APART_MAX_MS, to, async (offset) => {
        const { records } = await eventLog.read(topic, partition, offset, 1);
        return records[0];
      });
  }
}

/** The lowest offset below `to` whose record is of that time or later, `to` where there is none. */
async function firstSince(
  timeMs: number,
  to: number,
  atOrAfter: (offset: number) => Promise<{ offset: number; timestampMs: number } | undefined>,
): Promise<number> {
  let [low, high] = [0, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const record = await atOrAfter(middle);
    if (record === undefined || record.timestampMs >= timeMs) high = middle;
    else low = record.offset + 1;
  }
  return Math.min(low, to);
}

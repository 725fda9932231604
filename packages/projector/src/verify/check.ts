import { isDeepStrictEqual } from "node:util";
import type { Topic } from "@feed/domain/topics";
import type { PartitionBatch } from "@feed/event-log";
import type { ProjectionName } from "../projections.ts";

/** One record of a read model that is not what a fresh fold of the log makes of it. No personal fields. */
export interface Difference {
  /** What it is: `user`, `article`, … */
  readonly kind: string;
  /** Which one, the same each time it is looked at. */
  readonly name: string;
  /** The last record that made it, where one record alone does. */
  readonly place?: { readonly partition: number; readonly offset: number };
}

export interface TopicPartition {
  readonly topic: Topic;
  readonly partition: number;
}

/** What a part of a read model must hold, folded in memory fact by fact, and how that compares. */
export interface Expected {
  /** Records of one of the part's partitions, from the first on, without gaps. */
  fold(batch: PartitionBatch): Promise<void>;
  /** Records of the read model that there must be. */
  size(): number;
  /** What differs now; of those in `among` where that is given. */
  differences(among?: ReadonlySet<string>): Promise<readonly Difference[]>;
}

/** A projection that can be verified, in parts that hold nothing in common. */
export interface Check {
  readonly projection: ProjectionName;
  readonly parts: readonly (readonly TopicPartition[])[];
  /** Partition to next offset, as the read model has it. */
  positions(topic: Topic): Promise<ReadonlyMap<number, number>>;
  /** Nothing folded yet. */
  expect(): Expected;
}

/** Of a difference, among others of its check. */
export function differenceName({ kind, name }: Difference): string {
  return `${kind} ${name}`;
}

/** Looks at records in blocks, so that answers of a store that is far overlap. */
export async function differencesAmong<Item>(
  items: Iterable<readonly [Difference, Item]>,
  among: ReadonlySet<string> | undefined,
  agree: (items: readonly Item[]) => Promise<readonly boolean[]>,
): Promise<readonly Difference[]> {
  const asked = [...items].filter(
    ([difference]) => among === undefined || among.has(differenceName(difference)),
  );
  const found: Difference[] = [];
  for (let from = 0; from < asked.length; from += RECORDS_AT_ONCE_MAX) {
    const block = asked.slice(from, from + RECORDS_AT_ONCE_MAX);
    const agreeing = await agree(block.map(([, item]) => item));
    block.forEach(([difference], at) => {
      if (agreeing[at] !== true) found.push(difference);
    });
  }
  return found;
}

const RECORDS_AT_ONCE_MAX = 200;

/**
 * Whether two records hold the same, whatever made their objects: decoders and stores have classes of their own, and
 * leave out what is undefined or don't. For what JSON can hold.
 */
export function sameRecord(one: unknown, other: unknown): boolean {
  if (one === undefined || other === undefined) return one === other;
  return isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}

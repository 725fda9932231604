import type { StoredFact } from "@feed/domain/facts";
import type { Topic } from "@feed/domain/topics";
import type { FactCodec } from "@feed/event-codec";
import type { PartitionBatch } from "@feed/event-log";
import type { Placed } from "@feed/projections";
import { decodeFacts } from "../decoding.ts";
import type { ProjectionName } from "../projections.ts";
import { differencesAmong, sameRecord } from "./check.ts";
import type { Check, Difference, Expected } from "./check.ts";
import { partitionsOf } from "./partitions.ts";

/** How facts of one topic make records, each of one partition, and how the live ones are read. */
export interface FoldedRecords<Fact extends StoredFact, Found> {
  readonly projection: ProjectionName;
  readonly topic: Topic;
  readonly kind: string;
  readonly belongs: (fact: StoredFact) => fact is Fact;
  /** Where a record lies: unique within the topic. */
  readonly nameOf: (placed: Placed<Fact>) => string;
  /** The record after one fact more; the same as before where that changes nothing. */
  readonly fold: (before: Found | undefined, placed: Placed<Fact>) => Found | undefined;
  readonly live: (placed: Placed<Fact>) => Promise<Found | undefined>;
  readonly positions: () => Promise<ReadonlyMap<number, number>>;
}

/** Records that the facts of one partition make without any other. */
export function foldedCheck<Fact extends StoredFact, Found>(
  records: FoldedRecords<Fact, Found>,
  codec: FactCodec,
): Check {
  return {
    projection: records.projection,
    parts: partitionsOf(records.topic).map((partition) => [partition]),
    positions: records.positions,
    expect: () => new FoldedExpected(records, codec),
  };
}

interface Folded<Fact, Found> {
  /** Any of its facts: they say where it lies. */
  readonly placed: Placed<Fact>;
  readonly found: Found | undefined;
}

class FoldedExpected<Fact extends StoredFact, Found> implements Expected {
  readonly #records: FoldedRecords<Fact, Found>;
  readonly #codec: FactCodec;
  readonly #folded = new Map<string, Folded<Fact, Found>>();

  constructor(records: FoldedRecords<Fact, Found>, codec: FactCodec) {
    this.#records = records;
    this.#codec = codec;
  }

  async fold(batch: PartitionBatch): Promise<void> {
    const { nameOf, fold, belongs } = this.#records;
    for (const placed of decodeFacts(batch, this.#codec, belongs)) {
      if (!("fact" in placed)) continue;
      const name = nameOf(placed);
      const found = fold(this.#folded.get(name)?.found, placed);
      if (found !== undefined) this.#folded.set(name, { placed, found });
    }
  }

  size(): number {
    return this.#folded.size;
  }

  differences(among?: ReadonlySet<string>): Promise<readonly Difference[]> {
    const { kind, live } = this.#records;
    const items = Array.from(this.#folded, ([name, folded]): [Difference, Folded<Fact, Found>] => [
      { kind, name },
      folded,
    ]);
    return differencesAmong(items, among, (block) =>
      Promise.all(block.map(async ({ placed, found }) => sameRecord(await live(placed), found))),
    );
  }
}

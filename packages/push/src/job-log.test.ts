import { TOPICS } from "@feed/domain/topics";
import { describe, expect, it } from "vitest";
import { chunkPartitionOf } from "./job-log.ts";

const { partitions } = TOPICS["push-chunks"];
/** Of one tenant with workers at a time. */
const CHUNKS_AT_ONCE = 8;
const ALL = Array.from({ length: partitions }, (_, partition) => partition);

/**
 * How many chunks of a job that never ends a worker takes before the one that is in `partition`. It looks at one
 * partition after the other, each time from the next one on, as the logs hand them over.
 */
function chunksBefore(partition: number, from: number): number {
  const waiting = new Set<number>();
  let queued = 0;
  while (queued < CHUNKS_AT_ONCE) waiting.add(chunkPartitionOf("job", queued++));
  for (let taken = 0; ; taken += 1) {
    const places = ALL.map((place) => (from + taken + place) % partitions);
    const next = places.find((place) => place === partition || waiting.has(place));
    if (next === partition || next === undefined) return taken;
    waiting.delete(next);
    waiting.add(chunkPartitionOf("job", queued++));
  }
}

describe("The chunks of a job", () => {
  it("lie so that what another tenant has is reached before half of the partitions are gone through", () => {
    const waits = ALL.flatMap((partition) => ALL.map((from) => chunksBefore(partition, from)));
    expect(Math.max(...waits)).toBeLessThanOrEqual(partitions / 2);
  });

  it.each([2, 3, 4, 5, 8])("are shared by %i workers while it runs", (workers) => {
    for (const first of ALL) {
      const atOnce = Array.from({ length: CHUNKS_AT_ONCE }, (_, at) =>
        chunkPartitionOf("job", first + at),
      );
      expect(new Set(atOnce.map((partition) => partition % workers)).size).toBe(workers);
    }
  });
});

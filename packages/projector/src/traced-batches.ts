import type { PartitionBatch } from "@feed/event-log";
import { recordSpan } from "@feed/runtime/traces";

/** Of one batch, which may hold records of thousands of requests. */
const TRACES_PER_BATCH_MAX = 100;

/** The work on a batch as a span of every trace that records of it were appended in: from being read to being visible. */
export function traceBatches(
  projection: string,
  batches: readonly PartitionBatch[],
  time: { readonly startMs: number; readonly endMs: number },
): void {
  const traces = new Map<string, number>();
  for (const { records } of batches)
    for (const { traceparent } of records)
      if (traceparent !== undefined) traces.set(traceparent, (traces.get(traceparent) ?? 0) + 1);
  for (const [traceparent, count] of [...traces].slice(0, TRACES_PER_BATCH_MAX)) {
    const attributes = {
      "feed.projection": projection,
      "feed.topic": batches[0]?.topic ?? "",
      "feed.records": count,
    };
    recordSpan(`project ${projection}`, { kind: "CONSUMER", traceparent, attributes, ...time });
  }
}

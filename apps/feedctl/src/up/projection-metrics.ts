import type { ContentIndex } from "@feed/content-index";
import type { Topic } from "@feed/domain/topics";
import type { EventLog } from "@feed/event-log";
import { projectionLag, type BatchMeasure } from "@feed/projector";
import type { ReadState } from "@feed/read-state";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** A read model whose distance from the end of a topic is told at every scrape. */
interface Followed {
  readonly projection: string;
  readonly topic: Topic;
  readonly positions: () => Promise<ReadonlyMap<number, number>>;
}

/** How far the read models that requests are answered from lie behind the log. */
export function registerLag(
  registry: Registry,
  eventLog: Pick<EventLog, "endOffsets">,
  {
    readState,
    contentIndex,
  }: { readonly readState: ReadState; readonly contentIndex: ContentIndex },
): void {
  const followed: readonly Followed[] = [
    {
      projection: "read-state.users",
      topic: "users",
      positions: () => readState.positions("users"),
    },
    {
      projection: "read-state.deliveries",
      topic: "deliveries",
      positions: () => readState.positions("deliveries"),
    },
    { projection: "content-index", topic: "contents", positions: () => contentIndex.positions() },
  ];
  const lag = new Gauge({
    name: "feed_projection_lag_records",
    help: "Records of a topic that a read model has not passed yet.",
    labelNames: ["projection"] as const,
    registers: [registry],
    async collect() {
      for (const { projection, topic, positions } of followed) {
        lag.set({ projection }, await projectionLag(eventLog, topic, await positions()));
      }
    },
  });
}

/** Counts what the projector reports of its batches. */
export function registerProjections(registry: Registry): (measure: BatchMeasure) => void {
  const shared = { labelNames: ["projection"] as const, registers: [registry] };
  const events = new Counter({
    name: "feed_projected_events_total",
    help: "Events whose effect is visible in a read model.",
    ...shared,
  });
  const deadLetters = new Counter({
    name: "feed_dead_letters_total",
    help: "Records that could not be projected and were put aside.",
    ...shared,
  });
  const age = new Gauge({
    name: "feed_projection_age_seconds",
    help: "From append to visible effect, for the oldest record of the last batch.",
    ...shared,
  });
  const freshness = new Histogram({
    name: "feed_article_freshness_seconds",
    help: "From the publication of an article until feeds can show it.",
    buckets: [15, 60, 300, 900, 3_600, 10_800, 43_200, 86_400, 604_800],
    registers: [registry],
  });
  return ({ projection, events: count, deadLetters: buried, oldestAgeMs, publishedAgesMs }) => {
    events.inc({ projection }, count);
    if (buried > 0) deadLetters.inc({ projection }, buried);
    age.set({ projection }, oldestAgeMs / 1000);
    for (const ageMs of publishedAgesMs) freshness.observe(Math.max(0, ageMs) / 1000);
  };
}

import type { EventLog } from "@feed/event-log";
import { groupLags } from "@feed/projector";
import type { Clock } from "@feed/runtime";
import { Gauge, type Registry } from "prom-client";
import type { VersionsFollower } from "@feed/engines";
import { followedTopics } from "../followed.ts";

/** How long the oldest record of each partition has waited for each consumer group, looked at when it is scraped. */
export function registerGroupLags(
  registry: Registry,
  eventLog: Pick<EventLog, "endOffsets" | "committed" | "read">,
  { versions, clock }: { readonly versions: Pick<VersionsFollower, "of">; readonly clock: Clock },
): void {
  const lag = new Gauge({
    name: "feed_consumer_lag_seconds",
    help: "Age of the oldest record of a partition that a consumer group has not processed yet.",
    labelNames: ["group", "topic", "partition"] as const,
    registers: [registry],
    async collect() {
      // Groups of versions that were dropped are no longer behind.
      lag.reset();
      for (const { group, topic, partition, lagMs } of await groupLags(
        eventLog,
        followedTopics(versions),
        clock.nowMs(),
      ))
        lag.set({ group, topic, partition: String(partition) }, lagMs / 1_000);
    },
  });
}

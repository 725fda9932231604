import type { EventLog } from "@feed/event-log";
import type { Role } from "./run-role.ts";

/** The topic whose one partition is what the members of a group compete for. */
const TOPIC = "tenants";
const RECORDS_MAX = 1_000;

/**
 * Runs a role in one process of a group at a time; the others stand by, and one of them takes over when it ends or is
 * not heard of for 10 seconds. The one that hands over finishes what it has in progress.
 */
export async function standby(
  eventLog: Pick<EventLog, "consume" | "endOffsets">,
  group: string,
  open: () => Promise<Role>,
): Promise<Role> {
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined);
  let role: Role | undefined;
  let changing: Promise<void> = Promise.resolve();
  const change = async (isActive: boolean): Promise<void> => {
    if (isActive === (role !== undefined)) return;
    if (role !== undefined) {
      const former = role;
      role = undefined;
      return former[Symbol.asyncDispose]();
    }
    role = await open();
    role.failed.catch(failure.reject);
  };
  const consumer = await eventLog.consume({
    group,
    topics: [TOPIC],
    startAt: async (topic, partition) => (await eventLog.endOffsets(topic))[partition],
    onAssigned: (partitions) => {
      changing = changing.then(() => change(partitions.length > 0)).catch(failure.reject);
    },
    onBatches: async () => {},
    recordsMax: RECORDS_MAX,
    lingerMs: 0,
  });
  const failed = Promise.race([consumer.failed, failure.promise]);
  // Whoever doesn't watch `failed` must not find the process ended by it.
  failed.catch(() => undefined);
  return {
    failed,
    async [Symbol.asyncDispose]() {
      // Work ends before the group hears of it.
      changing = changing.then(() => change(false));
      await changing;
      await consumer[Symbol.asyncDispose]();
      await changing;
    },
  };
}

import { schemaIdOf } from "@feed/event-codec";
import type { RemoteSchemaRegistry } from "@feed/event-codec";
import { SchemaRegistryUnavailable } from "@feed/event-codec";
import { LogUnavailable, type EventLog, type PartitionBatch } from "@feed/event-log";
import { retry } from "@feed/runtime";

/** A registry that is away is asked again for as long as it takes: without it a record would be taken for unreadable. */
const RETRY = { attemptsMax: Infinity, firstDelayMs: 100, delayMsMax: 5_000 };

/**
 * The log of a cluster, where another build may have written records under schemas that this process has not read yet:
 * they are learned before the records are handed over, so that decoding never waits.
 */
export function learningLog(log: EventLog, registry: RemoteSchemaRegistry): EventLog {
  const learn = (batches: readonly PartitionBatch[]) =>
    registry.learn(unknownIds(batches, registry));
  const learnPersistently = (batches: readonly PartitionBatch[], signal: AbortSignal) =>
    retry(() => learn(batches), {
      ...RETRY,
      isTransient: (error) => error instanceof SchemaRegistryUnavailable,
      signal,
    });
  return {
    append: (records) => log.append(records),
    endOffsets: (topic) => log.endOffsets(topic),
    committed: (group, topic) => log.committed(group, topic),
    resetOffsets: (group, topic, offsets) => log.resetOffsets(group, topic, offsets),
    async read(...page) {
      const batch = await log.read(...page);
      try {
        await learn([batch]);
      } catch (error) {
        if (!(error instanceof SchemaRegistryUnavailable)) throw error;
        throw new LogUnavailable(error.message, { cause: error });
      }
      return batch;
    },
    consume: (options) =>
      log.consume({
        ...options,
        async onBatches(batches, signal) {
          await learnPersistently(batches, signal);
          await options.onBatches(batches, signal);
        },
      }),
    follow: (options) =>
      log.follow({
        ...options,
        async onBatches(batches, signal) {
          await learnPersistently(batches, signal);
          await options.onBatches(batches, signal);
        },
      }),
    [Symbol.asyncDispose]: () => log[Symbol.asyncDispose](),
  };
}

function unknownIds(
  batches: readonly PartitionBatch[],
  registry: Pick<RemoteSchemaRegistry, "schemaById">,
): ReadonlySet<number> {
  const unknown = new Set<number>();
  for (const { records } of batches) {
    for (const { value } of records) {
      const id = value === null ? undefined : schemaIdOf(value);
      if (id !== undefined && registry.schemaById(id) === undefined) unknown.add(id);
    }
  }
  return unknown;
}

import type { PartitionBatch } from "@feed/event-log";
import { BatchProjection, NO_POSITIONS } from "./batch-projection.ts";
import type { BatchServices } from "./batch-projection.ts";
import type { Failure } from "./dead-letters/burying.ts";
import type { ProjectionTarget } from "./target.ts";

/**
 * Records once more into a read model that has passed them: what is in it changes nothing, what is missing is put in its
 * place, and its positions stay where they are. Resolves with what could not be projected.
 */
export async function projectAgain<Fact, Change>(
  target: ProjectionTarget<Fact, Change>,
  services: BatchServices,
  batch: PartitionBatch,
  signal: AbortSignal,
): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  const again: ProjectionTarget<Fact, Change> = {
    ...target,
    reportsUnreadable: true,
    apply: (changes) => target.apply(changes, NO_POSITIONS),
  };
  const bury = async (found: readonly Failure[]) => void failures.push(...found);
  await new BatchProjection(again, services, [batch], { signal, bury }).run();
  return failures;
}

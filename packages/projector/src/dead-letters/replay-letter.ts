import { TOPICS } from "@feed/domain/topics";
import type { Topic } from "@feed/domain/topics";
import { schemaIdOf, withSchemaId } from "@feed/event-codec";
import type { EventLog, PartitionBatch } from "@feed/event-log";
import type { BatchServices } from "../batch-projection.ts";
import { projectAgain } from "../project-again.ts";
import { PROJECTION_NAMES, PROJECTIONS } from "../projections.ts";
import type { ProjectionName } from "../projections.ts";
import type { ProjectionTarget } from "../target.ts";
import type { AnyTarget } from "../targets/all.ts";
import type { Letter } from "./letters.ts";

/** Above every offset: as if a fact had come last. */
const LAST = Number.MAX_SAFE_INTEGER;

export type LetterReplay =
  /** The record has its effect, in whichever of the projections it was missing. */
  | { readonly outcome: "effective" }
  /** It can't be decoded or projected by this build either. */
  | { readonly outcome: "refused"; readonly projection: string; readonly reason: string }
  /**
   * What it would change has taken in later records: either it is in there, or there is no place for it any more but in
   * a rebuild.
   */
  | { readonly outcome: "overtaken"; readonly projection: string };

/** The projections that a letter's record goes to: the one that gave up, or all of its topic where nobody could decode it. */
export function projectionsOf({
  stage,
  topic,
}: Pick<Letter, "stage" | "topic">): readonly ProjectionName[] {
  return PROJECTION_NAMES.filter((name) =>
    stage === "decode" ? PROJECTIONS[name] === topic : name === stage,
  );
}

/**
 * A letter's record as its consumer read it. It is read where it lies too: a log that learns schemas then knows this one,
 * and in a log that was copied it lies under the schema id that holds there.
 */
export async function recordOf(
  eventLog: Pick<EventLog, "read">,
  { topic, partition, offset, atMs }: Letter,
  original: Uint8Array,
): Promise<PartitionBatch> {
  if (!isTopic(topic)) throw new RangeError(`this build knows no topic ${topic}`);
  const [found] = (await eventLog.read(topic, partition, offset, 1)).records;
  const there = found?.offset === offset ? found.value : null;
  const value = there !== null && isSameFact(there, original) ? there : original;
  const record = { topic, partition, offset, key: "", value, timestampMs: atMs };
  return { topic, partition, records: [record], nextOffset: offset + 1 };
}

/**
 * Hands a record to its projections once more, at its own place in the log: what has it already does not take it twice.
 * All of them are tried; the first that refuses it or has gone past it is told.
 */
export async function replayRecord(
  targets: readonly AnyTarget[],
  services: BatchServices,
  batch: PartitionBatch,
  signal: AbortSignal,
): Promise<LetterReplay> {
  const outcomes: LetterReplay[] = [];
  for (const target of targets)
    outcomes.push(await replayRecordInto(target, services, batch, signal));
  return worstOf(outcomes);
}

/** The same for one of them. */
export async function replayRecordInto<Fact, Change>(
  target: ProjectionTarget<Fact, Change>,
  services: BatchServices,
  batch: PartitionBatch,
  signal: AbortSignal,
): Promise<LetterReplay> {
  const isOvertaken = await hasPassed(target, batch);
  const [failure] = await projectAgain(target, services, batch, signal);
  const projection = target.name;
  if (failure !== undefined) return { outcome: "refused", projection, reason: failure.reason };
  return isOvertaken ? { outcome: "overtaken", projection } : { outcome: "effective" };
}

/** What is said of a record of which several projections said this: refused before overtaken before effective. */
export function worstOf(outcomes: readonly LetterReplay[]): LetterReplay {
  const [worst] = outcomes.toSorted((one, other) => other.outcome.localeCompare(one.outcome));
  return worst ?? { outcome: "effective" };
}

/** Whether the record would change more, had it come last: then later ones stand in its way. */
async function hasPassed<Fact, Change>(
  target: ProjectionTarget<Fact, Change>,
  batch: PartitionBatch,
): Promise<boolean> {
  const placed = (await target.decode(batch)).flatMap((read) => ("fact" in read ? [read] : []));
  const here = await target.fold(placed);
  const last = await target.fold(placed.map((each) => ({ ...each, offset: LAST })));
  return here.changes.length < last.changes.length;
}

/** Whichever ids their schemas have. */
function isSameFact(one: Uint8Array, other: Uint8Array): boolean {
  if (schemaIdOf(one) === undefined || schemaIdOf(other) === undefined) return false;
  return Buffer.from(withSchemaId(one, 0)).equals(withSchemaId(other, 0));
}

function isTopic(topic: string): topic is Topic {
  return Object.hasOwn(TOPICS, topic);
}

import type { FactCodec } from "@feed/event-codec";
import type { EventLog, LogConsumer, PartitionBatch } from "@feed/event-log";
import { retry } from "@feed/runtime";
import { BatchProjection, RETRY } from "./batch-projection.ts";
import type { BatchServices, Bury } from "./batch-projection.ts";
import { appendDeadLetters } from "./dead-letters/burying.ts";
import { replayRecordInto, type LetterReplay } from "./dead-letters/replay-letter.ts";
import { projectorGroup } from "./projections.ts";
import type { ProjectionTarget } from "./target.ts";

/** Large enough that one commit serves thousands, small enough that a user's change never waits a second. */
const RECORDS_PER_BATCH_MAX = 10_000;
/** About a minute; then the projector ends, and whoever started it does so again. */
const CHECKPOINT_ATTEMPTS_MAX = 30;
const NEVER = new AbortController().signal;

export interface ProjectionServices extends BatchServices {
  readonly eventLog: EventLog;
  readonly codec: FactCodec;
  /** Of the read model: each is followed by groups of its own. Absent: 1. */
  readonly version?: number;
  /** Whether readers answer from it: then what can't be projected goes to the dead letters. Absent: always. */
  readonly isLive?: () => boolean;
}

/** One projection at work. */
export interface RunningProjection extends LogConsumer {
  /** Its name. */
  readonly projection: string;
  /**
   * Hands a record over once more, between two batches. Undefined: the partition is with another member of the group,
   * or went there meanwhile.
   */
  replay(batch: PartitionBatch, signal: AbortSignal): Promise<LetterReplay | undefined>;
}

/**
 * Projects one topic into one read model until it is disposed (architecture rules 1 to 4).
 *
 * It begins where the store says, so that each fact takes effect once whatever happens in between; the group's
 * committed offset only tells operators. A record that can't be decoded or projected goes to the dead letters and
 * the rest go on. `failed` rejects with whatever is neither that nor cured by waiting.
 */
export async function projectInto<Fact, Change>(
  target: ProjectionTarget<Fact, Change>,
  services: ProjectionServices,
): Promise<RunningProjection> {
  let held: ReadonlySet<number> = new Set();
  let turn: Promise<unknown> = Promise.resolve();
  // What a fact makes of a record depends on what is in it: nothing else writes between reading and writing.
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  };
  const consumer = await services.eventLog.consume({
    group: projectorGroup(target.name, services.version),
    topics: [target.topic],
    // Not undefined for a fresh store: the group's offset belongs to whatever store was there before.
    startAt: (_topic, partition) => checkpointOf(target, partition),
    recordsMax: target.recordsMax ?? RECORDS_PER_BATCH_MAX,
    lingerMs: target.lingerMs,
    onAssigned: (partitions) => (held = new Set(partitions.map(({ partition }) => partition))),
    onBatches: (batches, signal) => {
      const bury = burying(services, batches);
      return inTurn(() => new BatchProjection(target, services, batches, { signal, bury }).run());
    },
  });
  return {
    projection: target.name,
    failed: consumer.failed,
    replay: (batch, signal) =>
      inTurn(async () => {
        if (!held.has(batch.partition)) return undefined;
        const replay = await replayRecordInto(target, services, batch, signal);
        return held.has(batch.partition) ? replay : undefined;
      }),
    [Symbol.asyncDispose]: () => consumer[Symbol.asyncDispose](),
  };
}

/**
 * Projects one topic into a read model of this process alone, without a group: every process that does so reads all of
 * it. What can't be projected is passed over: the projector of the shared read model reports it.
 */
export async function followInto<Fact, Change>(
  target: ProjectionTarget<Fact, Change>,
  services: ProjectionServices,
): Promise<LogConsumer> {
  return services.eventLog.follow({
    topic: target.topic,
    from: await target.positions(),
    recordsMax: target.recordsMax ?? RECORDS_PER_BATCH_MAX,
    onBatches: (batches, signal) =>
      new BatchProjection(target, services, batches, { signal, bury: async () => {} }).run(),
  });
}

/** To the dead letters, where they are durable before the records are passed over. */
function burying(
  { eventLog, codec, clock, log, isLive }: ProjectionServices,
  batches: readonly PartitionBatch[],
): Bury {
  return async (failures) => {
    if (isLive?.() === false) return;
    await appendDeadLetters(failures, batches, { eventLog, codec, atMs: clock.nowMs() });
    for (const failure of failures)
      log.error({ topic: batches[0]?.topic, ...failure }, "a record went to the dead letters");
  };
}

/** Asked again while the store is away: partitions come and go at any time. */
function checkpointOf<Fact, Change>(
  target: ProjectionTarget<Fact, Change>,
  partition: number,
): Promise<number> {
  return retry(async () => (await target.positions()).get(partition) ?? 0, {
    ...RETRY,
    attemptsMax: CHECKPOINT_ATTEMPTS_MAX,
    isTransient: (error) => target.isUnavailable(error),
    signal: NEVER,
  });
}

import type { Topic } from "@feed/domain/topics";
import type { FactCodec } from "@feed/event-codec";
import { LogUnavailable } from "@feed/event-log";
import type { EventLog, LogConsumer, PartitionBatch } from "@feed/event-log";
import type { Placed } from "@feed/projections";
import { retry } from "@feed/runtime";
import type { Clock, Logger } from "@feed/runtime";
import { appendDeadLetters } from "./dead-letters.ts";
import type { Failure } from "./dead-letters.ts";
import type { ProjectionTarget } from "./target.ts";

/** Large enough that one commit serves thousands, small enough that a user's change never waits a second. */
const RECORDS_PER_BATCH_MAX = 10_000;
/** A store that is away is asked again for as long as it takes; its partitions wait (architecture rule 4). */
const RETRY = { attemptsMax: Infinity, firstDelayMs: 50, delayMsMax: 5_000 };
const NO_POSITIONS: ReadonlyMap<number, number> = new Map();

/** One batch, once its effects are visible. */
export interface BatchMeasure {
  readonly projection: string;
  readonly topic: Topic;
  readonly events: number;
  readonly deadLetters: number;
  readonly tookMs: number;
  /** From the append of the batch's oldest record until now. */
  readonly oldestAgeMs: number;
}

export interface ProjectionServices {
  readonly eventLog: EventLog;
  readonly codec: FactCodec;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onBatch?: (measure: BatchMeasure) => void;
}

/**
 * Projects one topic into one read model until it is disposed (architecture rules 1 to 4).
 *
 * It begins where the store says, so that each fact takes effect once whatever happens in between; the group's
 * committed offset only tells operators. A record that can't be decoded or projected goes to the dead letters and
 * the rest go on. `failed` rejects with whatever is neither that nor cured by waiting.
 */
export function projectInto<Fact, Change>(
  target: ProjectionTarget<Fact, Change>,
  services: ProjectionServices,
): Promise<LogConsumer> {
  return services.eventLog.consume({
    group: `projector.${target.name}`,
    topics: [target.topic],
    // Not undefined for a fresh store: the group's offset belongs to whatever store was there before.
    startAt: async (_topic, partition) => (await target.positions()).get(partition) ?? 0,
    recordsMax: target.recordsMax ?? RECORDS_PER_BATCH_MAX,
    lingerMs: target.lingerMs,
    onBatches: (batches, signal) => new BatchProjection(target, services, batches, signal).run(),
  });
}

/** The work on one call of the consumer. */
class BatchProjection<Fact, Change> {
  readonly #target: ProjectionTarget<Fact, Change>;
  readonly #services: ProjectionServices;
  readonly #batches: readonly PartitionBatch[];
  readonly #signal: AbortSignal;
  #deadLetters = 0;

  constructor(
    target: ProjectionTarget<Fact, Change>,
    services: ProjectionServices,
    batches: readonly PartitionBatch[],
    signal: AbortSignal,
  ) {
    this.#target = target;
    this.#services = services;
    this.#batches = batches;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    const startMs = performance.now();
    const facts = await this.#decode();
    const positions = new Map(
      this.#batches.map(({ partition, nextOffset }) => [partition, nextOffset]),
    );
    await this.#project(facts, positions);
    this.#measure(startMs);
  }

  async #decode(): Promise<readonly Placed<Fact>[]> {
    const facts: Placed<Fact>[] = [];
    const failures: Failure[] = [];
    for (const batch of this.#batches) {
      for (const decoded of await this.#persistently(() => this.#target.decode(batch))) {
        if ("placed" in decoded) {
          facts.push(decoded.placed);
          continue;
        }
        const { partition, offset, unreadable: reason } = decoded;
        failures.push({ partition, offset, stage: "decode", reason });
      }
    }
    if (this.#target.reportsUnreadable) await this.#bury(failures);
    return facts;
  }

  async #project(
    facts: readonly Placed<Fact>[],
    positions: ReadonlyMap<number, number>,
  ): Promise<void> {
    const { changes, refused } = await this.#persistently(() => this.#target.fold(facts));
    const stage = this.#target.name;
    await this.#bury(
      refused.map(({ placed: { partition, offset }, error }) => {
        return { partition, offset, stage, reason: reasonOf(error) };
      }),
    );
    try {
      await this.#persistently(() => this.#target.apply(changes, positions));
    } catch (error) {
      if (facts.length === 0 || !this.#target.isRefusal(error)) throw error;
      const buried = new Set(refused.map(({ placed }) => placed));
      await this.#isolate(
        facts.filter((placed) => !buried.has(placed)),
        error,
      );
      await this.#persistently(() => this.#target.apply([], positions));
    }
  }

  /** The store refused something of a batch: halved until it is found, in order, the rest applied. */
  async #isolate(facts: readonly Placed<Fact>[], error: unknown): Promise<void> {
    const [first] = facts;
    if (first !== undefined && facts.length === 1) {
      const { partition, offset } = first;
      const stage = this.#target.name;
      return this.#bury([{ partition, offset, stage, reason: reasonOf(error) }]);
    }
    const half = Math.ceil(facts.length / 2);
    for (const part of [facts.slice(0, half), facts.slice(half)]) {
      await this.#project(part, NO_POSITIONS);
    }
  }

  /** Nothing is passed over before its dead letter is durable. */
  async #bury(failures: readonly Failure[]): Promise<void> {
    if (failures.length === 0) return;
    const { eventLog, codec, clock, log } = this.#services;
    const letters = { eventLog, codec, atMs: clock.nowMs() };
    for (const { partition, offset, stage, reason } of failures) {
      const { topic } = this.#target;
      log.error({ topic, partition, offset, stage, reason }, "a record went to the dead letters");
    }
    await this.#persistently(() => appendDeadLetters(failures, this.#batches, letters));
    this.#deadLetters += failures.length;
  }

  /** Repeats for as long as store or log are away. Aborted: rejects with the signal's reason. */
  #persistently<Result>(call: () => Promise<Result>): Promise<Result> {
    const { name: projection } = this.#target;
    const isTransient = (error: unknown): boolean => {
      const transient = error instanceof LogUnavailable || this.#target.isUnavailable(error);
      if (transient) this.#services.log.warn({ projection, err: error }, "projection waits");
      return transient;
    };
    return retry(call, { ...RETRY, isTransient, signal: this.#signal });
  }

  #measure(startMs: number): void {
    const records = this.#batches.flatMap((batch) => batch.records);
    const oldestMs = records.reduce(
      (least, { timestampMs }) => Math.min(least, timestampMs),
      Infinity,
    );
    this.#services.onBatch?.({
      projection: this.#target.name,
      topic: this.#target.topic,
      events: records.length,
      deadLetters: this.#deadLetters,
      tookMs: performance.now() - startMs,
      oldestAgeMs: records.length === 0 ? 0 : this.#services.clock.nowMs() - oldestMs,
    });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

import type { Topic } from "@feed/domain/topics";
import { LogUnavailable } from "@feed/event-log";
import type { PartitionBatch } from "@feed/event-log";
import type { Placed } from "@feed/projections";
import { retry, unlessLate } from "@feed/runtime";
import type { Clock, Logger } from "@feed/runtime";
import type { Failure } from "./dead-letters/burying.ts";
import type { ProjectionTarget } from "./target.ts";
import { traceBatches } from "./traced-batches.ts";

/** A store that is away is asked again for as long as it takes; its partitions wait (architecture rule 4). */
export const RETRY = { attemptsMax: Infinity, firstDelayMs: 50, delayMsMax: 5_000 };
export const NO_POSITIONS: ReadonlyMap<number, number> = new Map();

/** Far beyond what a store's own time limits allow: a call that takes longer never ends. */
const CALL_TIMEOUT_MS_DEFAULT = 120_000;

/** Records older than this are read again, by a rebuild or after a long stop: their age says nothing of a crawl. */
const FRESH_MS = 3_600_000;

/** One batch, once its effects are visible. */
export interface BatchMeasure {
  readonly projection: string;
  readonly topic: Topic;
  readonly events: number;
  readonly deadLetters: number;
  readonly tookMs: number;
  /** From the append of the batch's oldest record until now. */
  readonly oldestAgeMs: number;
  /** From the publication of each new article until now; none of what is read again long after it was appended. */
  readonly publishedAgesMs: readonly number[];
}

export interface BatchServices {
  readonly clock: Clock;
  readonly log: Logger;
  readonly onBatch?: (measure: BatchMeasure) => void;
  /** After which a call of a store is taken to hang. Default two minutes. */
  readonly callTimeoutMs?: number;
}

/** A store did not answer at all: the projector ends with it, and whoever started it does so again. */
export class ProjectionHangs extends Error {
  override readonly name = "ProjectionHangs";
}

/** What becomes of records that can't be projected, before they are passed over. */
export type Bury = (failures: readonly Failure[]) => Promise<void>;

/** The work on one call of the consumer. */
export class BatchProjection<Fact, Change> {
  readonly #target: ProjectionTarget<Fact, Change>;
  readonly #services: BatchServices;
  readonly #batches: readonly PartitionBatch[];
  readonly #signal: AbortSignal;
  readonly #bury: Bury;
  #deadLetters = 0;

  constructor(
    target: ProjectionTarget<Fact, Change>,
    services: BatchServices,
    batches: readonly PartitionBatch[],
    { signal, bury }: { readonly signal: AbortSignal; readonly bury: Bury },
  ) {
    this.#bury = bury;
    this.#target = target;
    this.#services = services;
    this.#batches = batches;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    const startMs = performance.now();
    const startedAtMs = this.#services.clock.nowMs();
    const facts = await this.#decode();
    const positions = new Map(
      this.#batches.map(({ partition, nextOffset }) => [partition, nextOffset]),
    );
    await this.#project(facts, positions);
    this.#measure(startMs, facts);
    traceBatches(this.#target.name, this.#batches, {
      startMs: startedAtMs,
      endMs: this.#services.clock.nowMs(),
    });
  }

  async #decode(): Promise<readonly Placed<Fact>[]> {
    const facts: Placed<Fact>[] = [];
    const failures: Failure[] = [];
    for (const batch of this.#batches) {
      for (const decoded of await this.#persistently(() => this.#target.decode(batch))) {
        if ("fact" in decoded) {
          facts.push(decoded);
          continue;
        }
        const { partition, offset, unreadable: reason } = decoded;
        failures.push({ partition, offset, stage: "decode", reason });
      }
    }
    if (this.#target.reportsUnreadable) await this.#report(failures);
    return facts;
  }

  async #project(
    facts: readonly Placed<Fact>[],
    positions: ReadonlyMap<number, number>,
  ): Promise<void> {
    const { changes, refused } = await this.#persistently(() => this.#target.fold(facts));
    const stage = this.#target.name;
    await this.#report(
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
      return this.#report([{ partition, offset, stage, reason: reasonOf(error) }]);
    }
    const half = Math.ceil(facts.length / 2);
    for (const part of [facts.slice(0, half), facts.slice(half)]) {
      await this.#project(part, NO_POSITIONS);
    }
  }

  /** Nothing is passed over before its dead letter is durable. */
  async #report(failures: readonly Failure[]): Promise<void> {
    if (failures.length === 0) return;
    await this.#persistently(() => this.#bury(failures));
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
    return retry(() => this.#unlessHanging(call()), {
      ...RETRY,
      isTransient,
      signal: this.#signal,
    });
  }

  /** What the call does later is no harm: each effect is written once, with its position. */
  #unlessHanging<Result>(call: Promise<Result>): Promise<Result> {
    const { callTimeoutMs = CALL_TIMEOUT_MS_DEFAULT } = this.#services;
    const reason = `${this.#target.name} hangs: no answer within ${callTimeoutMs} ms`;
    return unlessLate(call, callTimeoutMs, () => new ProjectionHangs(reason));
  }

  #measure(startMs: number, facts: readonly Placed<Fact>[]): void {
    const records = this.#batches.flatMap((batch) => batch.records);
    const oldestMs = records.reduce(
      (least, { timestampMs }) => Math.min(least, timestampMs),
      Infinity,
    );
    const nowMs = this.#services.clock.nowMs();
    const oldestAgeMs = records.length === 0 ? 0 : nowMs - oldestMs;
    this.#services.onBatch?.({
      projection: this.#target.name,
      topic: this.#target.topic,
      events: records.length,
      deadLetters: this.#deadLetters,
      tookMs: performance.now() - startMs,
      oldestAgeMs,
      publishedAgesMs: oldestAgeMs > FRESH_MS ? [] : this.#publishedAges(facts, nowMs),
    });
  }

  #publishedAges(facts: readonly Placed<Fact>[], nowMs: number): readonly number[] {
    return facts.flatMap(({ fact }) => {
      const publishedAtMs = this.#target.publishedAtMs?.(fact);
      return publishedAtMs === undefined ? [] : [nowMs - publishedAtMs];
    });
  }
}
function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

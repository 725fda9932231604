import { setTimeout as delay } from "node:timers/promises";
import type { Topic } from "@feed/domain/topics";
import type { EventLog } from "@feed/event-log";
import { projectionsOf } from "../dead-letters/replay-letter.ts";
import type { Letter } from "../dead-letters/letters.ts";
import { differenceName } from "./check.ts";
import type { Check, Difference, Expected, TopicPartition } from "./check.ts";

const RECORDS_PER_READ_MAX = 2_000;
/** A batch that is being applied may be seen in part before the positions pass it. */
const LOOK_INTERVAL_MS = 100;
/** Looks in a row at which nothing may have moved before a difference counts. */
const STILL_LOOKS = 3;
const LOOKS_MAX = 100;

export interface VerifyOptions {
  readonly eventLog: Pick<EventLog, "read">;
  /** What was given up: records that a projection refused are no part of its read model. */
  readonly letters: readonly Letter[];
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

export interface Verification {
  readonly projection: string;
  /** Of the log, folded. */
  readonly records: number;
  /** Records of the read model that there must be. */
  readonly compared: number;
  readonly differences: readonly Difference[];
}

/**
 * Compares read models with a fresh fold of the log up to where they stand, which may go on meanwhile: a difference is
 * looked at again, with what has come since folded too, until nothing moves and it stays.
 *
 * Errors: those of the log and the read models, and the signal's reason.
 */
export async function verifyReadModels(
  checks: readonly Check[],
  options: VerifyOptions,
): Promise<readonly Verification[]> {
  const progress = new Progress(options.onProgress, await recordsOf(checks));
  const verifications: Verification[] = [];
  for (const check of checks) {
    let [records, compared] = [0, 0];
    const differences: Difference[] = [];
    for (const partitions of check.parts) {
      const part = new PartVerification(check, partitions, options, progress);
      differences.push(...(await part.run()));
      records += part.records;
      compared += part.compared;
    }
    verifications.push({ projection: check.projection, records, compared, differences });
  }
  return verifications;
}

async function recordsOf(checks: readonly Check[]): Promise<number> {
  let total = 0;
  for (const check of checks) {
    for (const topic of new Set(check.parts.flat().map((part) => part.topic)))
      for (const end of (await check.positions(topic)).values()) total += end;
  }
  return total;
}

/** Offsets passed of all that there were at first. */
class Progress {
  readonly #onProgress: (done: number, total: number) => void;
  readonly #total: number;
  #done = 0;

  constructor(onProgress: (done: number, total: number) => void, total: number) {
    this.#onProgress = onProgress;
    this.#total = total;
    onProgress(0, total);
  }

  add(offsets: number): void {
    this.#done += offsets;
    this.#onProgress(this.#done, Math.max(this.#done, this.#total));
  }
}

/** One part of a check: folded, compared, and looked at again where it differs. */
class PartVerification {
  readonly #check: Check;
  readonly #partitions: readonly TopicPartition[];
  readonly #options: VerifyOptions;
  readonly #progress: Progress;
  readonly #expected: Expected;
  readonly #next = new Map<TopicPartition, number>();
  records = 0;
  compared = 0;

  constructor(
    check: Check,
    partitions: readonly TopicPartition[],
    options: VerifyOptions,
    progress: Progress,
  ) {
    this.#check = check;
    this.#partitions = partitions;
    this.#options = options;
    this.#progress = progress;
    this.#expected = check.expect();
  }

  async run(): Promise<readonly Difference[]> {
    await this.#foldOn();
    this.compared = this.#expected.size();
    let differing = await this.#expected.differences();
    let still = 0;
    for (let look = 0; differing.length > 0 && still < STILL_LOOKS && look < LOOKS_MAX; look += 1) {
      await delay(LOOK_INTERVAL_MS, undefined, { signal: this.#options.signal });
      still = (await this.#foldOn()) ? 0 : still + 1;
      differing = await this.#expected.differences(new Set(differing.map(differenceName)));
    }
    return differing.filter((difference) => !this.#isGivenUp(difference));
  }

  /** Up to where the read model stands now; false: that is where it stood before. */
  async #foldOn(): Promise<boolean> {
    let hasMoved = false;
    const standing = new Map<Topic, ReadonlyMap<number, number>>();
    for (const topic of new Set(this.#partitions.map((partition) => partition.topic)))
      standing.set(topic, await this.#check.positions(topic));
    for (const partition of this.#partitions) {
      const end = standing.get(partition.topic)?.get(partition.partition) ?? 0;
      const from = this.#next.get(partition) ?? 0;
      if (end <= from) continue;
      hasMoved = true;
      await this.#fold(partition, from, end);
      this.#next.set(partition, end);
    }
    return hasMoved;
  }

  async #fold({ topic, partition }: TopicPartition, from: number, end: number): Promise<void> {
    for (let next = from; next < end;) {
      this.#options.signal.throwIfAborted();
      const count = Math.min(RECORDS_PER_READ_MAX, end - next);
      const batch = await this.#options.eventLog.read(topic, partition, next, count);
      const records = batch.records.filter(({ offset }) => offset < end);
      // Nothing more up to the end: compaction has removed what there was.
      const reached = records.length === 0 ? end : Math.min(end, batch.nextOffset);
      if (records.length > 0) await this.#expected.fold({ ...batch, records, nextOffset: reached });
      this.records += records.length;
      this.#progress.add(reached - next);
      next = reached;
    }
  }

  /** Its projection could not take it, which is what its dead letter says. */
  #isGivenUp({ place }: Difference): boolean {
    if (place === undefined) return false;
    return this.#options.letters.some(
      (letter) =>
        letter.settled?.outcome !== "replayed" &&
        letter.stage === this.#check.projection &&
        projectionsOf(letter).includes(this.#check.projection) &&
        letter.partition === place.partition &&
        letter.offset === place.offset,
    );
  }
}

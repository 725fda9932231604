import { READ_YOUR_WRITES_TIMEOUT_MS } from "@feed/domain/limits";
import type { LogPosition } from "@feed/domain/topics";
import type { ReadState, ReadStateProjection } from "@feed/read-state/port";
import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 2;
/** Between two looks no more than this counts as waited: while a process stands still, what projects has no time either. */
const COUNTED_MS_MAX = 100;

interface Waiter {
  readonly partition: number;
  readonly offset: number;
  readonly deadlineMs: number;
  readonly resolve: (passed: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Waits until a projection of the read state has passed a place of the log (architecture rule 1). However
 * many wait, the positions are asked for by one loop, which runs only while somebody waits.
 */
export class ProjectionWait {
  readonly #readState: Pick<ReadState, "positions">;
  readonly #projection: ReadStateProjection;
  readonly #timeoutMs: number;
  #waiters: Waiter[] = [];
  #isPolling = false;
  /** Time in which it was looked, and when last. */
  #waitedMs = 0;
  #lookedAtMs = 0;

  constructor(
    readState: Pick<ReadState, "positions">,
    projection: ReadStateProjection,
    timeoutMs: number = READ_YOUR_WRITES_TIMEOUT_MS,
  ) {
    this.#readState = readState;
    this.#projection = projection;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * True once the projection has passed `position`; false when it has not within the time. A process that stands still meanwhile
   * takes that longer: it looks again before it says so.
   *
   * @throws ReadStateUnavailable when the positions can't be read.
   */
  passed({ partition, offset }: LogPosition): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const deadlineMs = this.#waitedMs + this.#timeoutMs;
      this.#waiters.push({ partition, offset, deadlineMs, resolve, reject });
      if (!this.#isPolling) void this.#poll();
    });
  }

  async #poll(): Promise<void> {
    this.#isPolling = true;
    this.#lookedAtMs = performance.now();
    while (this.#waiters.length > 0) {
      this.#countTime();
      try {
        this.#settle(await this.#readState.positions(this.#projection));
      } catch (error) {
        for (const { reject } of this.#waiters.splice(0)) reject(error);
      }
      if (this.#waiters.length > 0) await delay(POLL_MS);
    }
    this.#isPolling = false;
  }

  #countTime(): void {
    const nowMs = performance.now();
    this.#waitedMs += Math.min(COUNTED_MS_MAX, nowMs - this.#lookedAtMs);
    this.#lookedAtMs = nowMs;
  }

  #settle(positions: ReadonlyMap<number, number>): void {
    this.#waiters = this.#waiters.filter(({ partition, offset, deadlineMs, resolve }) => {
      const hasPassed = (positions.get(partition) ?? 0) > offset;
      const isLate = this.#waitedMs >= deadlineMs;
      if (hasPassed || isLate) resolve(hasPassed);
      return !hasPassed && !isLate;
    });
  }
}

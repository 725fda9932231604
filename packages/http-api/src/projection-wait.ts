import { READ_YOUR_WRITES_TIMEOUT_MS } from "@feed/domain/limits";
import type { LogPosition } from "@feed/domain/topics";
import type { ReadState, ReadStateProjection } from "@feed/read-state/port";
import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 2;

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
   * True once the projection has passed `position`; false when it has not within the time.
   *
   * @throws ReadStateUnavailable when the positions can't be read.
   */
  passed({ partition, offset }: LogPosition): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const deadlineMs = performance.now() + this.#timeoutMs;
      this.#waiters.push({ partition, offset, deadlineMs, resolve, reject });
      if (!this.#isPolling) void this.#poll();
    });
  }

  async #poll(): Promise<void> {
    this.#isPolling = true;
    while (this.#waiters.length > 0) {
      try {
        this.#settle(await this.#readState.positions(this.#projection));
      } catch (error) {
        for (const { reject } of this.#waiters.splice(0)) reject(error);
      }
      if (this.#waiters.length > 0) await delay(POLL_MS);
    }
    this.#isPolling = false;
  }

  #settle(positions: ReadonlyMap<number, number>): void {
    const nowMs = performance.now();
    this.#waiters = this.#waiters.filter(({ partition, offset, deadlineMs, resolve }) => {
      const hasPassed = (positions.get(partition) ?? 0) > offset;
      if (hasPassed || nowMs >= deadlineMs) resolve(hasPassed);
      return !hasPassed && nowMs < deadlineMs;
    });
  }
}

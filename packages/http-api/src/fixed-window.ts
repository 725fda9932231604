import type { WindowState } from "@feed/read-state/port";

const WINDOW_MS = 1_000;
/**
 * Keys counted within one second; further ones share a count, so that a flood of addresses stays
 * bounded.
 */
const KEYS_MAX = 100_000;
const OVERFLOW_KEY = "";

/**
 * Fixed windows of one second counted in this process: for addresses, and for tenants while the shared
 * windows can't be reached (decisions, "Credits and limits").
 */
export class FixedWindow {
  readonly #counts = new Map<string, number>();
  #windowStartMs = 0;

  /** Counts one request. */
  count(key: string, limitPerSecond: number, nowMs: number): WindowState {
    this.#roll(nowMs);
    const counted = this.#counts.has(key) || this.#counts.size < KEYS_MAX ? key : OVERFLOW_KEY;
    const used = (this.#counts.get(counted) ?? 0) + 1;
    this.#counts.set(counted, used);
    return this.#state(used, limitPerSecond);
  }

  /** What is left, without counting. */
  peek(key: string, limitPerSecond: number, nowMs: number): WindowState {
    this.#roll(nowMs);
    return this.#state(this.#counts.get(key) ?? 0, limitPerSecond);
  }

  #roll(nowMs: number): void {
    const startMs = nowMs - (nowMs % WINDOW_MS);
    if (startMs === this.#windowStartMs) return;
    this.#windowStartMs = startMs;
    this.#counts.clear();
  }

  #state(used: number, limitPerSecond: number): WindowState {
    return {
      allowed: used <= limitPerSecond,
      remaining: Math.max(0, limitPerSecond - used),
      resetAtMs: this.#windowStartMs + WINDOW_MS,
    };
  }
}

import type { WindowState } from "../port.ts";

const WINDOW_MS = 1_000;

/**
 * Requests counted in fixed windows of one second. All windows end together, so only the newest is kept; a time
 * from before it counts into it, so that a clock that steps back opens no second allowance.
 */
export class RequestWindows {
  readonly #counts = new Map<string, number>();
  #window = -1;

  count(limiterKey: string, limitPerSecond: number, nowMs: number): WindowState {
    const window = Math.floor(nowMs / WINDOW_MS);
    if (window > this.#window) {
      this.#window = window;
      this.#counts.clear();
    }
    const counted = this.#counts.get(limiterKey) ?? 0;
    const allowed = counted < limitPerSecond;
    const after = allowed ? counted + 1 : counted;
    this.#counts.set(limiterKey, after);
    const resetAtMs = (this.#window + 1) * WINDOW_MS;
    return { allowed, remaining: Math.max(0, limitPerSecond - after), resetAtMs };
  }
}

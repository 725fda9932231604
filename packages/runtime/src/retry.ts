import { setTimeout as delay } from "node:timers/promises";

export interface RetryLimits {
  /** Calls in all, the first one included. */
  readonly attemptsMax: number;
  /** Upper bound of the first wait; it doubles with each further one. */
  readonly firstDelayMs: number;
  readonly delayMsMax: number;
}

export interface RetryOptions extends RetryLimits {
  /** Whether trying again can help; an error that it refuses is thrown at once. */
  readonly isTransient: (error: unknown) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Calls until it succeeds, with full jitter between calls (Brooker, "Exponential Backoff and Jitter", 2015).
 *
 * @throws the last error of `call`, or the signal's reason when it is aborted during a wait.
 */
export async function retry<Result>(
  call: (signal: AbortSignal) => Promise<Result>,
  options: RetryOptions,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    options.signal.throwIfAborted();
    try {
      return await call(options.signal);
    } catch (error) {
      if (attempt >= options.attemptsMax || !options.isTransient(error)) throw error;
      await pause(retryDelayMs(attempt, options, Math.random()), options.signal);
    }
  }
}

/**
 * Wait after the failed call number `attempt` (from 1): `random` (0 to 1) of the doubled and capped bound.
 */
export function retryDelayMs(attempt: number, limits: RetryLimits, random: number): number {
  return random * Math.min(limits.delayMsMax, limits.firstDelayMs * 2 ** (attempt - 1));
}

interface WaitOptions {
  readonly timeoutMs: number;
  readonly pollMs: number;
  readonly signal: AbortSignal;
}

/**
 * Asks until the condition holds: true, or false when it did not within `timeoutMs`. It is asked at least
 * once, and once more at the end.
 *
 * @throws what the condition throws, or the signal's reason when it is aborted.
 */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  { timeoutMs, pollMs, signal }: WaitOptions,
): Promise<boolean> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    signal.throwIfAborted();
    const leftMs = endMs - performance.now();
    if (await condition()) return true;
    if (leftMs <= 0) return false;
    await pause(Math.min(pollMs, leftMs), signal);
  }
}

/**
 * What `work` resolves or rejects with, unless that takes longer: then what `late` makes is thrown. The work itself goes on,
 * and nobody hears how it ends.
 */
export async function unlessLate<Result>(
  work: Promise<Result>,
  timeoutMs: number,
  late: () => Error,
): Promise<Result> {
  const lateness = Promise.withResolvers<never>();
  const timer = setTimeout(() => lateness.reject(late()), Math.max(0, timeoutMs));
  try {
    return await Promise.race([work, lateness.promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}

async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(delayMs, undefined, { signal });
  } catch (error) {
    // The timer wraps the reason in an AbortError; callers compare with the reason itself.
    signal.throwIfAborted();
    throw error;
  }
}

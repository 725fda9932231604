import type { Effects } from "./effects.ts";
import { AnswerError, ConnectionError, TimeoutError } from "./errors.ts";

/** Of the wait before the first retry, doubled for each further one. */
const BASE_MS = 250;
const CAP_MS = 8_000;
/** A call is not held longer than this for an answer that asks to wait. */
const RETRY_AFTER_MS_MAX = 60_000;
const CONFLICT = 409;
/** Request Timeout, Too Many Requests, and what passes: Internal Error, Bad Gateway, Unavailable, Gateway Timeout. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Whether the same request may succeed later. Every operation may be repeated: writes replace or merge the same
 * values, and POSTs with an effect carry an idempotency key.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true;
  if (!(error instanceof AnswerError)) return false;
  // A conflict that says when to come again: the first request with this idempotency key still runs.
  if (error.status === CONFLICT) return error.retryAfterMs !== undefined;
  return PASSING.has(error.status);
}

/**
 * Full jitter: anything from 0 to a bound that doubles from 250 ms to 8 s. `random` in [0, 1); `attempt` counts from
 * 1.
 */
export function jitterMs(attempt: number, random: number): number {
  return random * Math.min(CAP_MS, BASE_MS * 2 ** (attempt - 1));
}

/** Undefined: don't. What the answer asks to wait is waited, and the jitter besides. */
export function retryDelayMs(error: unknown, attempt: number, random: number): number | undefined {
  if (!isPassing(error)) return undefined;
  const askedMs = error instanceof AnswerError ? (error.retryAfterMs ?? 0) : 0;
  return askedMs > RETRY_AFTER_MS_MAX ? undefined : askedMs + jitterMs(attempt, random);
}

interface RetryOptions {
  readonly retriesMax: number;
  readonly effects: Pick<Effects, "sleep" | "random">;
  readonly signal: AbortSignal | undefined;
}

/** Runs `attempt`, counted from 1, until it succeeds, fails for good, or was retried `retriesMax` times. */
export async function withRetries<Value>(
  { retriesMax, effects, signal }: RetryOptions,
  attempt: (count: number) => Promise<Value>,
): Promise<Value> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt(count);
    } catch (error) {
      const delayMs = count > retriesMax ? undefined : retryDelayMs(error, count, effects.random());
      if (delayMs === undefined) throw error;
      await effects.sleep(delayMs, signal);
    }
  }
}

import { ConnectionError, ContentFeedError, TimeoutError } from "./errors.ts";
import { reasonOf } from "./effects.ts";

/**
 * Runs something that ends with its signal, for `timeoutMs` at most.
 *
 * @throws TimeoutError; the reason of the caller's `signal`; a ContentFeedError as it is; ConnectionError for
 *   everything else, with what was thrown as its cause.
 */
export async function withDeadline<Value>(
  options: {
    readonly what: string;
    readonly timeoutMs: number;
    readonly signal: AbortSignal | undefined;
  },
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const { what, timeoutMs, signal } = options;
  const isEndedByCaller = () => signal?.aborted === true;
  if (isEndedByCaller()) throw reasonOf(signal);
  const controller = new AbortController();
  const follow = () => controller.abort(reasonOf(signal));
  signal?.addEventListener("abort", follow, { once: true });
  const timeout = new TimeoutError(`${what}: no answer within ${timeoutMs} ms`);
  const timer = setTimeout(() => controller.abort(timeout), timeoutMs);
  try {
    return await run(controller.signal);
  } catch (error) {
    if (isEndedByCaller()) throw reasonOf(signal);
    if (controller.signal.aborted) throw timeout;
    if (error instanceof ContentFeedError) throw error;
    throw new ConnectionError(`${what}: ${describe(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", follow);
  }
}

/** `fetch` says only "fetch failed"; why is in its cause. */
function describe(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const { code, message } = cause as { readonly code?: unknown; readonly message?: unknown };
  return String(code ?? message ?? cause);
}

/** What the client does besides computing; tests give their own. */
export interface Effects {
  readonly fetch: typeof globalThis.fetch;
  /** Rejects with the signal's reason when it is aborted meanwhile. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** In [0, 1). */
  readonly random: () => number;
  readonly newId: () => string;
  readonly nowMs: () => number;
}

export const systemEffects: Effects = {
  fetch: (...request) => globalThis.fetch(...request),
  sleep,
  random: () => Math.random(),
  newId: () => globalThis.crypto.randomUUID(),
  nowMs: () => Date.now(),
};

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

export function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error("aborted", { cause: reason });
}

import { setTimeout as delay } from "node:timers/promises";

export type Sleep = (delayMs: number, signal: AbortSignal) => Promise<void>;

/** Waits in real time. Rejects with the signal's reason. */
export async function timerSleep(delayMs: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(delayMs, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

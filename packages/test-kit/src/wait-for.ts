import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 5;

/** What is waited for comes in milliseconds where the machine is idle: this is for one that is not. */
const TIMEOUT_MS_DEFAULT = 120_000;

interface WaitForOptions {
  /** Where a specification or a slow part names another. Default two minutes. */
  readonly timeoutMs?: number;
}

/**
 * Asks until the condition holds, and once more at the end: a process that stood still has not waited in vain.
 *
 * @throws when it did not within `timeoutMs`, naming the condition's source text.
 */
export async function waitFor(
  condition: () => boolean | Promise<boolean>,
  { timeoutMs = TIMEOUT_MS_DEFAULT }: WaitForOptions = {},
): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    const isLastLook = performance.now() >= endMs;
    if (await condition()) return;
    if (isLastLook) throw new Error(`not within ${timeoutMs} ms: ${condition.toString()}`);
    await delay(POLL_MS);
  }
}

import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 5;

interface WaitForOptions {
  readonly timeoutMs: number;
}

/**
 * Asks until the condition holds, and once more at the end: a process that stood still has not waited in vain.
 *
 * @throws when it did not within `timeoutMs`, naming the condition's source text.
 */
export async function waitFor(
  condition: () => boolean | Promise<boolean>,
  { timeoutMs }: WaitForOptions,
): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    const isLastLook = performance.now() >= endMs;
    if (await condition()) return;
    if (isLastLook) throw new Error(`not within ${timeoutMs} ms: ${condition.toString()}`);
    await delay(POLL_MS);
  }
}

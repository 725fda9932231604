import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 5;

interface WaitForOptions {
  readonly timeoutMs: number;
}

/**
 * Asks until the condition holds.
 *
 * @throws when it did not within `timeoutMs`, naming the condition's source text.
 */
export async function waitFor(
  condition: () => boolean | Promise<boolean>,
  { timeoutMs }: WaitForOptions,
): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() >= endMs)
      throw new Error(`not within ${timeoutMs} ms: ${condition.toString()}`);
    await delay(POLL_MS);
  }
}

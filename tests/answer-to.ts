import { setTimeout as delay } from "node:timers/promises";

const UNAVAILABLE = 503;
const PATIENCE_MS_DEFAULT = 120_000;
const PAUSE_MS = 50;

/**
 * The answer to a request that is repeated while it is 503, as clients do: where a machine is busy, what is asked for comes
 * later than an answer may.
 */
export async function answerTo(
  ask: () => Promise<Response>,
  patienceMs: number = PATIENCE_MS_DEFAULT,
): Promise<Response> {
  const endMs = performance.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer.status !== UNAVAILABLE || performance.now() >= endMs) return answer;
    await answer.arrayBuffer();
    await delay(PAUSE_MS);
  }
}

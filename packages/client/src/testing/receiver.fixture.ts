import { waitFor } from "@feed/test-kit";

const REFUSED = 400;
/** A process starts in a second, and in many where others start too. */
const START_TIMEOUT_MS = 60_000;

/** Resolves when a receiver listens, and refuses what nobody signed. */
export async function refusesUnsigned(url: string): Promise<void> {
  const status = () =>
    fetch(url, { method: "POST", body: "{}" }).then(
      (answer) => answer.status,
      () => undefined,
    );
  await waitFor(async () => (await status()) === REFUSED, { timeoutMs: START_TIMEOUT_MS });
}

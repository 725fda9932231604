import { waitUntil } from "@feed/runtime";
import type { Role } from "./run-role.ts";

const LOOK_EVERY_MS = 500;

/**
 * Opens a role at once where it is needed, else as soon as it is: until then nothing of it takes memory. Once opened it
 * stays.
 *
 * @param isNeeded cheap: it is asked twice a second.
 * @throws what `open` throws, where the role is needed at once; later that is what the role fails with.
 */
export async function whenNeeded(
  isNeeded: () => boolean,
  open: () => Promise<Role>,
): Promise<Role> {
  if (isNeeded()) return open();
  const stop = new AbortController();
  const { signal } = stop;
  const opening = (async () => {
    await waitUntil(isNeeded, { timeoutMs: Infinity, pollMs: LOOK_EVERY_MS, signal });
    return open();
  })();
  const failed = opening
    .then((role) => role.failed)
    .catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  // Whoever doesn't watch `failed` must not find the process ended by it.
  failed.catch(() => undefined);
  return {
    failed,
    async [Symbol.asyncDispose]() {
      stop.abort(new Error("the role is closed"));
      const role = await opening.catch(() => undefined);
      await role?.[Symbol.asyncDispose]();
    },
  };
}

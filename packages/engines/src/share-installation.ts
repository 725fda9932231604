import { WritingThread } from "@feed/event-log/embedded/writing-thread";
import type { Logger } from "@feed/runtime";
import type { InstallationConfig } from "./core.ts";
import { WRITER_FAILED } from "./open-log.ts";
import { installationPaths } from "./paths.ts";

/** An installation that several threads of one process open. */
export interface SharedInstallation extends AsyncDisposable {
  /** What one role opens it with. */
  forRole(): InstallationConfig;
}

/**
 * Has all roles of this process write the embedded log by one thread: their writes then go into the same transactions,
 * and no role waits for another's lock. A cluster's log needs none. To be closed after the roles. `log` is told when the
 * thread fails: each role then goes on with one of its own.
 *
 * Errors: LogUnavailable.
 */
export async function shareInstallation(
  config: InstallationConfig,
  log: Pick<Logger, "error">,
): Promise<SharedInstallation> {
  if (config.engines?.eventLog !== undefined) {
    return { forRole: () => config, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const writer = await WritingThread.start(
    installationPaths(config.dataDirectory).eventLog,
    (reason) => log.error({ err: reason }, WRITER_FAILED),
  );
  return {
    forRole: () => ({ ...config, logWriter: writer.door() }),
    [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
  };
}

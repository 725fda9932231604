import { endAtOnce } from "./end-at-once.ts";
import type { Logger } from "./logger.ts";

interface StopOptions {
  /** How long the process may take to end by itself. */
  readonly graceMs: number;
  readonly log: Logger;
}

/**
 * Aborted by the first SIGTERM or SIGINT. A process that still runs after the grace, or gets a second signal,
 * kills itself. Call it once, in a main.
 */
export function stopSignal({ graceMs, log }: StopOptions): AbortSignal {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) {
      log.error({ signal: name }, "second signal, ending at once");
      return endAtOnce();
    }
    log.info({ signal: name, graceMs }, "stopping");
    setTimeout(() => {
      log.error({ graceMs }, "not stopped within the grace, ending at once");
      endAtOnce();
    }, graceMs).unref();
    controller.abort(new Error(`stopped by ${name}`));
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  return controller.signal;
}

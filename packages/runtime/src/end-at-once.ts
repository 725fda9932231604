/**
 * Ends the process whatever its threads do: `process.exit` waits for each of them, and one that is inside a call of the
 * system that never returns would keep the process for ever. By SIGKILL, which loses nothing that was acknowledged; to be
 * called when an orderly end has been given its time, and what there is to say has been said.
 */
export function endAtOnce(): void {
  process.kill(process.pid, "SIGKILL");
}

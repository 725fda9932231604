import { constants, getPriority, setPriority } from "node:os";

/**
 * Has the threads that answer requests run before the one that calls this, where there is more work than processor. On
 * Linux each thread has a priority of its own (setpriority(2), "C library/kernel differences"), which threads it starts
 * inherit; elsewhere the whole process has one, and nothing is changed. A process that was started at a lower priority keeps it:
 * raising it again takes a right of its own.
 */
export function runBehindOthers(): void {
  const priority = constants.priority.PRIORITY_BELOW_NORMAL;
  if (process.platform === "linux" && getPriority() < priority) setPriority(priority);
}

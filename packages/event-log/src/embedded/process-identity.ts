import { readFileSync, readlinkSync } from "node:fs";

/** A process that has ended but was not yet collected by its parent. */
const ENDED_STATES = new Set(["Z", "X"]);
const PROCESS_NAMESPACE = readNamespace();

/** This process among all that ever ran on this machine: its namespace, id and start time. */
export function processIdentity(): string {
  return `${PROCESS_NAMESPACE ?? "?"} ${process.pid} ${readStartTime(process.pid) ?? "?"}`;
}

/**
 * Whether a process is known to have ended. False when that can't be told, because it runs in another
 * container or the system has no /proc: then only its session's expiry ends its membership.
 */
export function isProcessGone(identity: string): boolean {
  const [namespace, pid, startTime] = identity.split(" ");
  if (PROCESS_NAMESPACE === undefined || namespace !== PROCESS_NAMESPACE) return false;
  return readStartTime(Number(pid)) !== startTime;
}

function readNamespace(): string | undefined {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return undefined;
  }
}

/** The kernel's start time of a live process: a process id alone may have been given to another since. */
function readStartTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name, in brackets, may hold anything; state is the first field behind it, start time the 20th.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return ENDED_STATES.has(fields[0] ?? "") ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";

/**
 * In front of `script` and a command: runs the script where it may mount a tiny file system without being root. That goes away
 * with the command, which the script starts as `exec "$0" "$@"`.
 */
export const TINY_DISK = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"];

/** Whether that works on this machine. */
export function canMountTinyDisk(): boolean {
  const [command = "", ...args] = TINY_DISK;
  const script = `mount -t tmpfs -o size=1m none "${tmpdir()}"`;
  const canMount = spawnSync(command, [...args, script]).status === 0;
  if (!canMount) process.stderr.write("no tiny disk can be mounted here: a test is skipped\n");
  return canMount;
}

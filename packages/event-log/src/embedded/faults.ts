import { getSystemErrorMap } from "node:util";

import { LogUnavailable } from "../port.ts";

const LMDB_MAP_FULL = -30792;

/** Any failure of file system or LMDB as the one line an operator needs. */
export function unavailable(directory: string, error: unknown): LogUnavailable {
  return new LogUnavailable(`cannot write to ${directory}: ${reasonOf(error)}`);
}

/** Whether file system or LMDB reported it; any other error is a bug and must not be retried. */
export function isSystemFault(error: unknown): boolean {
  return error instanceof Error && ("errno" in error || "code" in error);
}

/** File system errors carry a negative `errno`, LMDB's carry a positive errno or its own code in `code`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const errno = "errno" in error ? error.errno : "code" in error ? error.code : undefined;
  if (typeof errno === "number") {
    if (errno === LMDB_MAP_FULL) return "the log has reached its largest size";
    const known = getSystemErrorMap().get(-Math.abs(errno));
    if (known !== undefined) return known[1];
  }
  return error.message.split("\n", 1)[0] ?? error.message;
}

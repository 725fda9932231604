import { statfsSync } from "node:fs";
import { constants } from "node:os";
import { getSystemErrorMap } from "node:util";

import { LogUnavailable } from "../port.ts";

const LMDB_MAP_FULL = -30792;
/**
 * A disk with less than this is as good as full: LMDB writes a whole transaction at once, and what the read models have
 * yet to make of the log needs room too.
 */
const ROOM_BYTES_MIN = 64 * 1024 * 1024;
const NO_ROOM = Object.assign(new Error("no room"), { errno: -constants.errno.ENOSPC });

/** Any failure of file system or LMDB as the one line an operator needs. */
export function unavailable(directory: string, error: unknown): LogUnavailable {
  return new LogUnavailable(`cannot write to ${directory}: ${reasonOf(directory, error)}`);
}

/** Whether file system or LMDB reported it; any other error is a bug and must not be retried. */
export function isSystemFault(error: unknown): boolean {
  return error instanceof Error && ("errno" in error || "code" in error);
}

/** File system errors carry a negative `errno`, LMDB's carry a positive errno or its own code in `code`. */
function reasonOf(directory: string, error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "errno" in error ? error.errno : "code" in error ? error.code : undefined;
  const ownLine = error.message.split("\n", 1)[0] ?? error.message;
  if (typeof code !== "number") return ownLine;
  if (code === LMDB_MAP_FULL) return "the log has reached its largest size";
  const errno = Math.abs(code);
  // What LMDB makes of a write that fitted in part only.
  if (errno === constants.errno.EIO && isNearlyFull(directory)) {
    return describe(constants.errno.ENOSPC, ownLine);
  }
  return describe(errno, ownLine);
}

/**
 * Why nothing is appended while the disk is nearly full, or the directory gone; undefined where there is room.
 *
 * It is looked at before LMDB has to find out: lmdb 3.5.6 spells a write that failed into a buffer which may be too
 * small for it, and the process can end by that.
 */
export function lackOfRoom(directory: string): LogUnavailable | undefined {
  try {
    return isNearlyFull(directory) ? unavailable(directory, NO_ROOM) : undefined;
  } catch (error) {
    return unavailable(directory, error);
  }
}

function isNearlyFull(directory: string): boolean {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize < ROOM_BYTES_MIN;
}

function describe(errno: number, otherwise: string): string {
  return getSystemErrorMap().get(-errno)?.[1] ?? otherwise;
}

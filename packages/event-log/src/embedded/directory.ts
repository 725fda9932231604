import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";

import { unavailable } from "./faults.ts";

/** LMDB's first page begins with a header of 24 bytes; then comes this number. */
const MAGIC_OFFSET = 24;
const MAGIC = 0xbeefc0de;

/** Makes the log's directory when it is absent and returns its real path. Throws LogUnavailable. */
export function prepareDirectory(directory: string): string {
  try {
    makeDirectory(directory);
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    const path = realpathSync(directory);
    assertLogFile(join(path, "data.mdb"));
    return path;
  } catch (error) {
    throw unavailable(directory, error);
  }
}

/**
 * Not `recursive`: that one never returns where the system refuses names that it doesn't know, as in
 * /proc.
 */
function makeDirectory(directory: string): void {
  if (isDirectory(directory)) return;
  makeDirectory(dirname(directory));
  try {
    mkdirSync(directory);
  } catch (error) {
    // Another process may have been faster.
    if (!isDirectory(directory)) throw error;
  }
}

function isDirectory(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory()) throw new Error("not a directory");
  return stats !== undefined;
}

/** LMDB ends the process instead of reporting a file that isn't its own. */
function assertLogFile(path: string): void {
  if (!existsSync(path)) return;
  const file = openSync(path, "r");
  try {
    const magic = Buffer.alloc(4);
    const bytes = readSync(file, magic, 0, 4, MAGIC_OFFSET);
    if (bytes > 0 && magic.readUInt32LE() !== MAGIC) throw new Error(`${path} is not a log`);
  } finally {
    closeSync(file);
  }
}

import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ExpiryDays } from "../port.ts";

const DAY_MS = 24 * 3_600_000;
/** No write takes this long. */
const UNFINISHED_AGE_MS = 6 * 3_600_000;

/** What a process that ended left unfinished belongs to nobody; what is young may be another role's write in progress. */
export function removeAbandoned(folder: string, nowMs: number): Promise<void> {
  return removeOlderThan(folder, nowMs - UNFINISHED_AGE_MS);
}

/** Removes the files of objects that have outlived what is said of their prefix. */
export async function removeExpired(
  objectsFolder: string,
  expiryDays: ExpiryDays,
  nowMs: number,
): Promise<void> {
  for (const [prefix, days] of Object.entries(expiryDays)) {
    await removeOlderThan(join(objectsFolder, prefix), nowMs - days * DAY_MS);
  }
}

async function removeOlderThan(folder: string, atMs: number): Promise<void> {
  for (const path of await filesBelow(folder)) {
    // One that is gone meanwhile was removed by another role.
    const file = await stat(path).catch(() => undefined);
    if (file !== undefined && file.mtimeMs < atMs) await rm(path, { force: true });
  }
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    // Nothing was ever put below the prefix.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

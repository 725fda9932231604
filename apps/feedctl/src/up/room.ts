import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inOneLine } from "../failure.ts";
import { DataDirectoryUnusable } from "./data-lock.ts";

/** More than a start writes. */
const ROOM_BYTES = 4 * 1024 * 1024;
/** Of one file: a limit below this was not set for a service whose log grows for ever. */
const FILE_BYTES_MIN = 1024 * 1024 * 1024;
/** The soft limit, which is the one that counts; other systems than Linux have no such file. */
const LIMITS_FILE = "/proc/self/limits";
const FILE_SIZE_LIMIT = /^Max file size\s+(\d+)\s/m;

/**
 * A disk without room is found before anything is started: later each part would have something to say of it.
 *
 * @throws DataDirectoryUnusable with the directory and the reason.
 */
export async function assertRoom(directory: string): Promise<void> {
  await assertFilesGrow(directory);
  const file = join(directory, `room.${process.pid}`);
  try {
    await writeFile(file, Buffer.alloc(ROOM_BYTES));
  } catch (error) {
    throw new DataDirectoryUnusable(`${directory}: ${inOneLine(error)}`, { cause: error });
  } finally {
    await rm(file, { force: true });
  }
}

/** An engine whose file may not grow ends its process, later and without a word that helps. */
async function assertFilesGrow(directory: string): Promise<void> {
  const limits = await readFile(LIMITS_FILE, "utf8").catch(() => "");
  const [, bytes] = FILE_SIZE_LIMIT.exec(limits) ?? [];
  if (bytes === undefined || Number(bytes) >= FILE_BYTES_MIN) return;
  throw new DataDirectoryUnusable(
    `${directory}: no file may grow beyond ${bytes} bytes here, and the log needs more: ` +
      "start with `ulimit -f unlimited`",
  );
}

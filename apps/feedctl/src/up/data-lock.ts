import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const LOCK_FILE = "up.lock";
/** The holder writes its process id within this. */
const BUSY_TIMEOUT_MS = 1_000;
/** https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;
const PREPARE = `
  PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};
  CREATE TABLE IF NOT EXISTS holder (id INTEGER PRIMARY KEY CHECK (id = 1), pid INTEGER NOT NULL);`;

/** The directory can't be taken, in one line: who has it, or what the file system says. */
export class DataDirectoryUnusable extends Error {
  override readonly name = "DataDirectoryUnusable";
}

/**
 * Takes the data directory for this process; disposing lets go of it. The lock is a write transaction of SQLite that
 * stays open: the kernel releases it with the process, however that ends and in whichever container it ran, while
 * others can still read who holds it (https://www.sqlite.org/lockingv3.html, RESERVED).
 *
 * Errors: DataDirectoryUnusable.
 */
export function lockDataDirectory(directory: string): Disposable {
  const path = join(directory, LOCK_FILE);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    take(database);
  } catch (error) {
    const holder = isBusy(error) ? holderOf(database) : undefined;
    database?.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new DataDirectoryUnusable(
      holder === undefined
        ? `cannot lock ${path}: ${reason}`
        : `${directory} is in use by process ${holder}`,
      { cause: error },
    );
  }
  const taken = database;
  return { [Symbol.dispose]: () => taken.close() };
}

function take(database: DatabaseSync): void {
  database.exec(PREPARE);
  database.exec("BEGIN IMMEDIATE");
  database.prepare("INSERT OR REPLACE INTO holder VALUES (1, ?)").run(process.pid);
  database.exec("COMMIT; BEGIN IMMEDIATE");
}

function holderOf(database: DatabaseSync | undefined): string | undefined {
  const row = database?.prepare("SELECT pid FROM holder").get();
  return row === undefined ? undefined : String(row["pid"]);
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}

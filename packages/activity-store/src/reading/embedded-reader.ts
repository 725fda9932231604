import { isServedName, servedDatabaseOf } from "../databases.ts";
import { openEngineSession, type EngineSession, type EngineStatement } from "../engine-session.ts";
import { checkedSelect, StatementRefused, type Statement } from "./checked-select.ts";
import { READING_SETTINGS, WAITING_STATEMENTS_MAX } from "./limits.ts";

/** What a client says that names no database. */
const UNNAMED_DATABASE = "default";

export interface Reading extends EngineStatement {
  /** Where tables without a database are looked for. */
  readonly database: string;
}

/** Answers data teams beside the service. Errors: StatementRefused, and those of the engine. */
export interface Reader extends Disposable {
  read(reading: Reading): Promise<Uint8Array>;
}

/** Opens on the engine of this process, at the first statement, a session in which nothing can be changed. */
export function openReader(directory: string): Reader {
  let session: EngineSession | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  const ask = async ({ sql, parameters }: Statement): Promise<string> =>
    Buffer.from(await run({ sql, parameters, format: "TabSeparatedRaw" })).toString();
  async function run(statement: EngineStatement): Promise<Uint8Array> {
    session ??= await openReadOnly(directory);
    return session.run(statement);
  }

  async function answer(reading: Reading): Promise<Uint8Array> {
    const { parameters, format } = reading;
    const named = reading.database;
    const database = named === UNNAMED_DATABASE ? servedDatabaseOf({}) : named;
    if (!/^\w+$/.test(database) || !isServedName(database))
      throw new StatementRefused(`Database ${database} does not exist`, "UNKNOWN_DATABASE");
    const sql = await checkedSelect(reading, { ask, isReadable: isServedName });
    await run({ sql: `USE ${database}`, parameters: {}, format });
    return run({ sql, parameters, format });
  }

  return {
    read: (reading) => {
      if (waiting > WAITING_STATEMENTS_MAX)
        throw new StatementRefused(
          "too many statements wait already",
          "TOO_MANY_SIMULTANEOUS_QUERIES",
        );
      waiting += 1;
      const result = last.then(() => answer(reading)).finally(() => (waiting -= 1));
      last = result.catch(() => undefined);
      return result;
    },
    [Symbol.dispose]: () => session?.[Symbol.dispose](),
  };
}

async function openReadOnly(directory: string): Promise<EngineSession> {
  const session = openEngineSession(directory);
  const list = Object.entries(READING_SETTINGS).map(([name, value]) => `${name} = '${value}'`);
  const sql = `SET ${list.join(", ")}`;
  await session.run({ sql, parameters: {}, format: "TabSeparated" });
  return session;
}

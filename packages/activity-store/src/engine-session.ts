import { Session } from "chdb";
import { boundStatement } from "./bound-statement.ts";

export interface EngineStatement {
  readonly sql: string;
  /** Values of `{name:Type}` in it, as in ClickHouse's HTTP interface. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Of the answer, where the statement names none. */
  readonly format: string;
}

/** One session of the engine in this process. Statements of one session run one after the other. */
export interface EngineSession extends Disposable {
  run(statement: EngineStatement): Promise<Uint8Array>;
}

/** Opens a session on the engine's directory; those of one process share the engine. */
export function openEngineSession(directory: string): EngineSession {
  const session = new Session(directory);
  const run = async ({ sql, parameters, format }: EngineStatement): Promise<Uint8Array> => {
    const result = await session.queryAsync(boundStatement(sql, parameters), { format });
    return result.bytes();
  };
  return {
    run: async (statement) => {
      try {
        return await run(statement);
      } catch (error) {
        // What the failed statement had written of its answer would stand in front of the next one's.
        await session.queryAsync("SELECT 1").catch(() => undefined);
        throw error;
      }
    },
    [Symbol.dispose]: () => session.close(),
  };
}

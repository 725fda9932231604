import { text } from "node:stream/consumers";
import { ClickHouseLogLevel, createClient, type ClickHouseSettings } from "@clickhouse/client";
import { faultOf } from "../clickhouse-faults.ts";
import type { ClickHouseEndpoint } from "../clickhouse.ts";
import { servedDatabaseOf, type DatabasesOfInstallation } from "../databases.ts";
import { ActivityStoreRejected } from "../port.ts";
import { checkedSelect, StatementRefused, type Statement } from "./checked-select.ts";
import { READING_LIMITS, READING_SETTINGS } from "./limits.ts";

/** Beyond the time that the engine gives a statement. */
const REQUEST_TIMEOUT_MS = 2_000 * READING_LIMITS.max_execution_time;

export interface ActivityQuery extends Statement {
  /** One of ClickHouse's output formats, where the statement names none. */
  readonly format: string;
}

/** Where a query is answered. */
export interface QueriedStore {
  readonly endpoint: ClickHouseEndpoint;
  readonly options: DatabasesOfInstallation;
  /** The embedded engine refuses by itself what data teams may not run; for a server it is done here. */
  readonly isEmbedded: boolean;
}

/**
 * Answers a data team's SELECT over the tables of an installation as text in the format asked for.
 *
 * Errors: ActivityStoreRejected for what is no such SELECT, is wrong or goes beyond a limit; ActivityStoreUnavailable.
 */
export async function queryActivity(
  { endpoint, options, isEmbedded }: QueriedStore,
  { format, ...statement }: ActivityQuery,
): Promise<string> {
  const database = servedDatabaseOf(options);
  const client = createClient({
    ...endpoint,
    request_timeout: REQUEST_TIMEOUT_MS,
    log: { level: ClickHouseLogLevel.OFF },
  });
  const run = async ({ sql, parameters }: Statement, settings: object): Promise<string> => {
    const named = Object.entries(settings).map(([name, value]) => [name, String(value)]);
    const clickhouse_settings: ClickHouseSettings = Object.fromEntries(named);
    const query = { query: sql, query_params: parameters, clickhouse_settings };
    return text((await client.exec(query)).stream);
  };
  try {
    const rules = {
      // Nothing of the statement is run yet. It is not asked as a data team: EXPLAIN is not for them.
      ask: (asked: Statement) => run(asked, { default_format: "TabSeparatedRaw" }),
      isReadable: (named: string) => named === database,
    };
    const sql = isEmbedded ? statement.sql : await checkedSelect(statement, rules);
    const reading = { ...READING_SETTINGS, default_format: format, database };
    return await run({ ...statement, sql }, reading);
  } catch (error) {
    if (error instanceof StatementRefused)
      throw new ActivityStoreRejected(error.message, { cause: error });
    throw faultOf(error);
  } finally {
    await client.close();
  }
}

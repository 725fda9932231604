import type { ClickHouseClient } from "@clickhouse/client";
import { faultOf } from "./clickhouse-faults.ts";
import { clientOf, dropDatabase, type ClickHouseEndpoint } from "./clickhouse.ts";
import {
  databaseOf,
  servedDatabaseOf,
  VERSION_ENDING,
  type DatabasesOfInstallation,
  type VersionOfDatabase,
} from "./databases.ts";
import { ActivityStoreRejected } from "./port.ts";

/** A table or view of a version, as `system.tables` and `system.columns` tell it. */
interface VersionTable {
  readonly name: string;
  readonly engine: string;
  readonly comment: string;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly comment: string;
  }[];
}

/**
 * Points the views that data teams query at a version, and makes those that are missing. Each view is replaced at once: a
 * statement reads one version or the other. May be repeated, and by several processes at the same time.
 *
 * Errors: ViewNameTaken, and then no view is made or replaced; ActivityStoreUnavailable, ActivityStoreRejected.
 */
export async function serveClickHouseVersion(
  endpoint: ClickHouseEndpoint,
  options: VersionOfDatabase,
): Promise<void> {
  const database = databaseOf(options);
  const served = servedDatabaseOf(options);
  const client = clientOf(endpoint);
  try {
    const result = await client.query({
      query: VERSION_TABLES,
      query_params: { database },
      format: "JSONEachRow",
    });
    const tables = await result.json<VersionTable>();
    await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${served}` });
    await assertReplaceable(client, served, tables);
    for (const table of tables)
      await client.command({ query: viewStatement(served, database, table) });
  } catch (error) {
    throw error instanceof ActivityStoreRejected ? error : faultOf(error);
  } finally {
    await client.close();
  }
}

/** Under the name of a view lies what is somebody else's: it is theirs to move away. */
export class ViewNameTaken extends ActivityStoreRejected {
  override readonly name = "ViewNameTaken";
}

/** Removes the views; where there are none is no error. Errors: ActivityStoreUnavailable, ActivityStoreRejected. */
export async function removeClickHouseViews(
  endpoint: ClickHouseEndpoint,
  options: DatabasesOfInstallation,
): Promise<void> {
  await dropDatabase(endpoint, servedDatabaseOf(options));
}

/** Whatever has the name of a view is replaced by it: a table or a view that somebody keeps there must not be. */
async function assertReplaceable(
  client: ClickHouseClient,
  served: string,
  tables: readonly VersionTable[],
): Promise<void> {
  const result = await client.query({
    query: `SELECT name, engine, as_select FROM system.tables WHERE database = {served:String}
      AND name IN {names:Array(String)} ORDER BY name`,
    query_params: { served, names: tables.map(({ name }) => name) },
    format: "JSONEachRow",
  });
  const foreign = (await result.json<ServedTable>()).find((table) => !isOwnView(served, table));
  if (foreign !== undefined)
    throw new ViewNameTaken(
      `${served}.${foreign.name} is no view of this service: move it to another database, or name another one in ACTIVITY_STORE, and start the service again`,
    );
}

interface ServedTable {
  readonly name: string;
  readonly engine: string;
  readonly as_select: string;
}

/** As viewStatement makes them, over whichever version. */
function isOwnView(served: string, { name, engine, as_select }: ServedTable): boolean {
  const own = new RegExp(`^SELECT \\* FROM ${served}${VERSION_ENDING}\\.${name}( FINAL)?$`);
  return engine === "View" && own.test(as_select);
}

/** What only feeds another table is not for data teams. */
const VERSION_TABLES = `
  SELECT tables.name AS name, any(tables.engine) AS engine, any(tables.comment) AS comment,
         arrayMap(column -> column.2, arraySort(groupArray((columns.position, CAST(
           (columns.name, columns.type, columns.comment), 'Tuple(name String, type String, comment String)'
         ))))) AS columns
  FROM system.tables AS tables
  INNER JOIN system.columns AS columns ON columns.database = tables.database AND columns.table = tables.name
  WHERE tables.database = {database:String} AND tables.engine != 'MaterializedView'
  GROUP BY name ORDER BY name`;

/**
 * A view over one table of a version. It reads with the rights of the service, so that an account needs none on the
 * version's own database, and a row that was projected twice is one row in it.
 */
function viewStatement(
  served: string,
  database: string,
  { name, engine, comment, columns }: VersionTable,
): string {
  const described = columns.map(
    (column) => `${column.name} ${column.type} COMMENT ${literal(column.comment)}`,
  );
  const final = engine === "ReplacingMergeTree" ? " FINAL" : "";
  return `CREATE OR REPLACE VIEW ${served}.${name} (${described.join(", ")})
    DEFINER = CURRENT_USER SQL SECURITY DEFINER
    AS SELECT * FROM ${database}.${name}${final} COMMENT ${literal(comment)}`;
}

function literal(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

import {
  ClickHouseLogLevel,
  createClient,
  type ClickHouseClient,
  type ClickHouseSettings,
  type Row,
} from "@clickhouse/client";
import type { ExperimentArm } from "@feed/domain/experiment";
import { asId, type ContentId, type SubjectId, type TenantId } from "@feed/domain/ids";
import type { PushConditions } from "@feed/domain/push-facts";
import type { ActivityRows } from "@feed/projections/activity-rows";
import { audienceParameters, audienceSql, audienceUser, type AudienceRow } from "./audience.ts";
import { faultOf } from "./clickhouse-faults.ts";
import { databaseOf, type VersionOfDatabase } from "./databases.ts";
import { armCounts, armsSql, NO_COUNTS, type ArmRow } from "./experiment.ts";
import { retentionStatements } from "./retention.ts";
import { schemaStatements } from "./migrations.ts";
import {
  ActivityStoreUnavailable,
  type ActivityStore,
  type ActivityTopic,
  type AudienceUser,
  type ContentEngagement,
  type UsageDay,
  type UserListPage,
} from "./port.ts";
import { totalsSql } from "./totals.ts";
import { tableRows } from "./table-rows.ts";

const REQUEST_TIMEOUT_MS = 60_000;
const ENGAGEMENT_ROWS_MAX = 20_000;
const BILLING_TIME_ZONE = "Asia/Tokyo";

/** What answers rely on, whatever the server's own defaults are. */
export const CLICKHOUSE_SETTINGS: ClickHouseSettings = {
  // As strings, so that JSON keeps every digit.
  output_format_json_quote_64bit_integers: 1,
  // A batch that comes again is dropped by each table it was written to, and written to those it did not reach.
  insert_deduplicate: 1,
  deduplicate_blocks_in_dependent_materialized_views: 1,
};

export interface ClickHouseEndpoint {
  readonly url: string;
  readonly username: string;
  readonly password: string;
}

export interface ActivityStoreOptions extends VersionOfDatabase {
  /** Months that events are kept after their receipt; absent: as the tables are set up, at first for ever. */
  readonly keepMonths?: number;
}

/** Opens the store on a ClickHouse server, embedded or not, and makes its tables where they are missing. */
export async function openClickHouseActivityStore(
  endpoint: ClickHouseEndpoint,
  options: ActivityStoreOptions = {},
): Promise<ActivityStore> {
  const { keepMonths } = options;
  const client = clientOf(endpoint);
  const store = new ClickHouseStore(client, databaseOf(options));
  try {
    await store.makeTables(keepMonths);
  } catch (error) {
    await client.close();
    throw error;
  }
  return store;
}

/** Removes a version's database; one that is not there is no error. */
export function removeClickHouseDatabase(
  endpoint: ClickHouseEndpoint,
  options: ActivityStoreOptions,
): Promise<void> {
  return dropDatabase(endpoint, databaseOf(options));
}

/** One that is not there is no error. */
export async function dropDatabase(endpoint: ClickHouseEndpoint, database: string): Promise<void> {
  const client = clientOf(endpoint);
  try {
    await client.command({ query: `DROP DATABASE IF EXISTS ${database} SYNC` });
  } catch (error) {
    throw faultOf(error);
  } finally {
    await client.close();
  }
}

/** A client whose settings answers can rely on; whoever asks for it closes it. */
export function clientOf(endpoint: ClickHouseEndpoint): ClickHouseClient {
  return createClient({
    ...endpoint,
    request_timeout: REQUEST_TIMEOUT_MS,
    keep_alive: { enabled: true },
    clickhouse_settings: CLICKHOUSE_SETTINGS,
    // Every failure reaches the caller as an error; a second account on the console tells nobody more.
    log: { level: ClickHouseLogLevel.OFF },
  });
}

class ClickHouseStore implements ActivityStore {
  readonly #client: ClickHouseClient;
  readonly #database: string;
  #closed = false;

  constructor(client: ClickHouseClient, database: string) {
    this.#client = client;
    this.#database = database;
  }

  async makeTables(keepMonths: number | undefined): Promise<void> {
    await this.#command(`CREATE DATABASE IF NOT EXISTS ${this.#database}`);
    for (const statement of await schemaStatements())
      await this.#command(this.#qualified(statement));
    if (keepMonths === undefined) return;
    const tables = await this.#select<{ name: string; engine_full: string }>(
      "SELECT name, engine_full FROM system.tables WHERE database = {database:String}",
      { database: this.#database },
    );
    const engines = new Map(tables.map(({ name, engine_full }) => [name, engine_full]));
    for (const statement of retentionStatements(this.#database, engines, keepMonths))
      await this.#command(statement);
  }

  async apply(
    topic: ActivityTopic,
    rows: ActivityRows,
    positions: ReadonlyMap<number, number>,
  ): Promise<void> {
    for (const { table, rows: values } of tableRows(rows)) await this.#insert(table, values);
    for (const { tenantId, subjectId } of rows.forgotten) {
      const where = "tenant_id = {tenantId:String} AND subject_id = {subjectId:String}";
      await this.#command(`DELETE FROM ${this.#database}.identities WHERE ${where}`, {
        tenantId,
        subjectId,
      });
    }
    // After the rows: a crash in between repeats them, which changes nothing.
    const marks = [...positions].map(([partition, next]) => ({
      topic,
      log_partition: partition,
      next_offset: next,
    }));
    if (marks.length > 0) await this.#insert("projection_positions", marks);
  }

  async positions(topic: ActivityTopic): Promise<ReadonlyMap<number, number>> {
    const rows = await this.#select<{ log_partition: number; next: string }>(
      `SELECT log_partition, max(next_offset) AS next FROM ${this.#database}.projection_positions
       WHERE topic = {topic:String} GROUP BY log_partition`,
      { topic },
    );
    return new Map(rows.map(({ log_partition, next }) => [log_partition, Number(next)]));
  }

  /** In one thread: each more would hold the ids of the events it has met once again. */
  async engagement(tenantId: TenantId, sinceMs: number): Promise<readonly ContentEngagement[]> {
    const rows = await this.#select<{ content_id: string; impressions: string; clicks: string }>(
      `SELECT content_id, uniqExactMerge(impressions) AS impressions, uniqExactMerge(clicks) AS clicks
       FROM ${this.#database}.content_engagement
       WHERE tenant_id = {tenantId:String} AND day >= toDate(fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC'))
       GROUP BY content_id ORDER BY clicks DESC, content_id LIMIT ${ENGAGEMENT_ROWS_MAX}
       SETTINGS max_threads = 1`,
      { tenantId, sinceMs },
    );
    return rows.map(({ content_id, impressions, clicks }) => ({
      contentId: asId<ContentId>(content_id),
      impressions: Number(impressions),
      clicks: Number(clicks),
    }));
  }

  async listUsers(
    tenantId: TenantId,
    after: SubjectId | null,
    limit: number,
  ): Promise<UserListPage> {
    const rows = await this.#select<{ subject_id: string }>(
      `SELECT subject_id FROM ${this.#database}.user_states
       WHERE tenant_id = {tenantId:String} AND subject_id > {after:String}
       GROUP BY subject_id HAVING max(created) = 1 AND max(deleted) = 0
       ORDER BY subject_id LIMIT {limit:UInt32}`,
      { tenantId, after: after ?? "", limit },
    );
    return { subjectIds: rows.map(({ subject_id }) => asId<SubjectId>(subject_id)) };
  }

  async totals(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#select<{ name: string; total: string }>(totalsSql(this.#database), {});
    const totals = rows.map(({ name, total }) => [name, Number(total)] as const);
    return new Map(totals.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  async usageByDay(tenantId: TenantId, month: string): Promise<readonly UsageDay[]> {
    const rows = await this.#select<{
      day: string;
      endpoint: UsageDay["endpoint"];
      requests: string;
      tenths: string;
    }>(
      `SELECT toString(toDate(served_at, '${BILLING_TIME_ZONE}')) AS day, endpoint,
              count() AS requests, sum(credits_tenths) AS tenths
       FROM ${this.#database}.deliveries FINAL
       WHERE tenant_id = {tenantId:String} AND formatDateTime(served_at, '%Y-%m', '${BILLING_TIME_ZONE}') = {month:String}
       GROUP BY day, endpoint ORDER BY day, endpoint`,
      { tenantId, month },
    );
    return rows.map(({ day, endpoint, requests, tenths }) => ({
      day,
      endpoint,
      requests: Number(requests),
      creditsTenths: Number(tenths),
    }));
  }

  async experimentArms(tenantId: TenantId, experimentId: string, sinceMs: number) {
    const query = armsSql(this.#database);
    const rows = await this.#select<ArmRow>(query, { tenantId, experimentId, sinceMs });
    const of = (arm: ExperimentArm) => {
      const row = rows.find((one) => one.arm === arm);
      return row === undefined ? NO_COUNTS : armCounts(row);
    };
    return { control: of("control"), variant: of("variant") };
  }

  async *audience(
    tenantId: TenantId,
    conditions: PushConditions,
    atMs: number,
  ): AsyncGenerator<readonly AudienceUser[]> {
    const result = await this.#guarded(() =>
      this.#client.query({
        query: audienceSql(this.#database),
        query_params: audienceParameters(tenantId, conditions, atMs),
        format: "JSONCompactEachRow",
      }),
    );
    const blocks = result.stream<AudienceRow>()[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.#guarded(() => blocks.next());
      if (next.done === true) return;
      const rows: readonly Row[] = next.value;
      yield rows.map((row) => audienceUser(row.json<AudienceRow>()));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.#client.close();
  }

  /** Statements of the schema name tables alone; the database is this store's. */
  #qualified(statement: string): string {
    return statement.replace(
      /\b(CREATE (?:TABLE|VIEW|MATERIALIZED VIEW) IF NOT EXISTS|ALTER TABLE|TO|FROM|JOIN \(SELECT .*? FROM) (\w+)/g,
      `$1 ${this.#database}.$2`,
    );
  }

  /** Compact rows: without the names of the columns in each, half the bytes to write and to parse. */
  #insert(table: string, rows: readonly Readonly<Record<string, unknown>>[]): Promise<unknown> {
    const columns = Object.keys(rows[0] ?? {}) as [string, ...string[]];
    return this.#guarded(() =>
      this.#client.insert({
        table: `${this.#database}.${table}`,
        columns,
        values: rows.map((row) => Object.values(row)),
        format: "JSONCompactEachRow",
      }),
    );
  }

  #command(query: string, query_params: Record<string, unknown> = {}): Promise<unknown> {
    return this.#guarded(() => this.#client.command({ query, query_params }));
  }

  #select<Row>(query: string, query_params: Record<string, unknown>): Promise<Row[]> {
    return this.#guarded(async () => {
      const result = await this.#client.query({ query, query_params, format: "JSONEachRow" });
      return result.json<Row>();
    });
  }

  async #guarded<Result>(call: () => Promise<Result>): Promise<Result> {
    if (this.#closed) throw new ActivityStoreUnavailable("the activity store is closed");
    try {
      return await call();
    } catch (error) {
      throw faultOf(error);
    }
  }
}

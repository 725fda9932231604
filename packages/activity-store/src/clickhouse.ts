import {
  ClickHouseError,
  ClickHouseLogLevel,
  createClient,
  type ClickHouseClient,
  type Row,
} from "@clickhouse/client";
import { asId, type ContentId, type SubjectId, type TenantId } from "@feed/domain/ids";
import type { PushConditions } from "@feed/domain/push-facts";
import type { ActivityRows } from "@feed/projections/activity-rows";
import { audienceParameters, audienceSql, audienceUser, type AudienceRow } from "./audience.ts";
import { schemaStatements } from "./migrations.ts";
import {
  ActivityRowRefused,
  ActivityStoreRejected,
  ActivityStoreUnavailable,
  type ActivityStore,
  type ActivityTopic,
  type AudienceUser,
  type ContentEngagement,
  type UsageDay,
  type UserListPage,
} from "./port.ts";
import { tableRows } from "./table-rows.ts";

const REQUEST_TIMEOUT_MS = 60_000;
const ENGAGEMENT_ROWS_MAX = 20_000;
/** Complaints of the server that pass: TIMEOUT_EXCEEDED, TOO_MANY_QUERIES, MEMORY_LIMIT, NOT_ENOUGH_SPACE, TOO_MANY_PARTS. */
const TRANSIENT_CODES = new Set(["159", "202", "241", "243", "252"]);
/** Complaints about a value: CANNOT_PARSE_*, INCORRECT_DATA, out of range, type mismatch. */
const ROW_CODES = new Set([
  "6",
  "26",
  "27",
  "38",
  "41",
  "53",
  "69",
  "70",
  "72",
  "117",
  "131",
  "321",
  "407",
]);
const BILLING_TIME_ZONE = "Asia/Tokyo";
/** Layout of the tables: a changed layout is a new database beside the old one (architecture rule 5). */
const LAYOUT_VERSION = 1;

export interface ClickHouseEndpoint {
  readonly url: string;
  readonly username: string;
  readonly password: string;
}

/** Opens the store on a ClickHouse server, embedded or not, and makes its tables where they are missing. */
export async function openClickHouseActivityStore(
  endpoint: ClickHouseEndpoint,
  options: { readonly databasePrefix?: string } = {},
): Promise<ActivityStore> {
  const database = `${options.databasePrefix ?? "feed"}_v${LAYOUT_VERSION}`;
  const client = createClient({
    ...endpoint,
    request_timeout: REQUEST_TIMEOUT_MS,
    keep_alive: { enabled: true },
    // Every failure reaches the caller as an error; a second account on the console tells nobody more.
    log: { level: ClickHouseLogLevel.OFF },
  });
  const store = new ClickHouseStore(client, database);
  await store.makeTables();
  return store;
}

class ClickHouseStore implements ActivityStore {
  readonly #client: ClickHouseClient;
  readonly #database: string;
  #closed = false;

  constructor(client: ClickHouseClient, database: string) {
    this.#client = client;
    this.#database = database;
  }

  async makeTables(): Promise<void> {
    await this.#command(`CREATE DATABASE IF NOT EXISTS ${this.#database}`);
    for (const statement of await schemaStatements())
      await this.#command(this.#qualified(statement));
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

  async engagement(tenantId: TenantId, sinceMs: number): Promise<readonly ContentEngagement[]> {
    const rows = await this.#select<{ content_id: string; impressions: string; clicks: string }>(
      `SELECT content_id, uniqExactMerge(impressions) AS impressions, uniqExactMerge(clicks) AS clicks
       FROM ${this.#database}.content_engagement
       WHERE tenant_id = {tenantId:String} AND day >= toDate(fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC'))
       GROUP BY content_id ORDER BY clicks DESC, content_id LIMIT ${ENGAGEMENT_ROWS_MAX}`,
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
      /\b(CREATE (?:TABLE|VIEW|MATERIALIZED VIEW) IF NOT EXISTS|TO|FROM|JOIN \(SELECT .*? FROM) (\w+)/g,
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
      // The server's own complaint is about the statement, but for a few; anything else is about reaching it.
      if (error instanceof ClickHouseError && !TRANSIENT_CODES.has(error.code)) {
        const Rejection = ROW_CODES.has(error.code) ? ActivityRowRefused : ActivityStoreRejected;
        throw new Rejection(error.message, { cause: error });
      }
      const message = error instanceof Error ? error.message : String(error);
      throw new ActivityStoreUnavailable(`ClickHouse can't be reached: ${message}`, {
        cause: error,
      });
    }
  }
}

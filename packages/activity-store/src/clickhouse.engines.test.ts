import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createClient } from "@clickhouse/client";
import { asId, type ContentId, type SubjectId, type TenantId } from "@feed/domain/ids";
import { NO_ROWS } from "@feed/projections/activity-rows";
import { engineUrl, linkTo, waitFor } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { parseClickHouseUrl } from "./clickhouse-url.ts";
import {
  CLICKHOUSE_SETTINGS,
  openClickHouseActivityStore,
  removeClickHouseDatabase,
  type ActivityStoreOptions,
  type ClickHouseEndpoint,
} from "./clickhouse.ts";
import { describeActivityStore, type OpenedForConformance } from "./conformance.ts";
import { statementsOf } from "./migrations.ts";
import { ActivityStoreRejected, ActivityStoreUnavailable } from "./port.ts";
import { serveClickHouseVersion, ViewNameTaken } from "./served-views.ts";

const server = (): ClickHouseEndpoint => {
  const { url, username, password } = parseClickHouseUrl(engineUrl("ACTIVITY_STORE"));
  return { url, username, password };
};
const ACCOUNTS = fileURLToPath(new URL("../../../infra/clickhouse/accounts.sql", import.meta.url));
const tenantId = asId<TenantId>("t");
const click = {
  tenantId,
  subjectId: asId<SubjectId>("s"),
  ofUser: true,
  eventId: "e1",
  kind: "click",
  contentId: asId<ContentId>("c"),
  occurredAtMs: Date.UTC(2026, 0, 1),
  receivedAtMs: Date.UTC(2026, 0, 1),
  offset: 0,
} as const;

interface InFreshDatabase extends OpenedForConformance, AsyncDisposable {
  reopen(options: ActivityStoreOptions): Promise<AsyncDisposable>;
  /** Default 1. */
  serve(version?: number): Promise<void>;
  command(sql: string): Promise<unknown>;
}

/** A database of its own in the server that tests share; it goes when it is closed. */
async function openInFreshDatabase(
  endpoint: ClickHouseEndpoint = server(),
): Promise<InFreshDatabase> {
  const databasePrefix = `test_${randomUUID().replaceAll("-", "")}`;
  const store = await openClickHouseActivityStore(endpoint, { databasePrefix });
  const client = createClient({ ...server(), clickhouse_settings: CLICKHOUSE_SETTINGS });
  const named = (sql: string) =>
    sql.replaceAll("{db}", `${databasePrefix}_v1`).replaceAll("{served}", databasePrefix);
  const close = async () => {
    await store[Symbol.asyncDispose]();
    for (const database of [`${databasePrefix}_v1`, `${databasePrefix}_v1_r2`, databasePrefix])
      await client.command({ query: `DROP DATABASE IF EXISTS ${database}` });
    await client.close();
  };
  return {
    store,
    select: async (sql) => {
      const result = await client.query({ query: named(sql), format: "JSONEachRow" });
      return result.json<Record<string, unknown>>();
    },
    command: (sql) => client.command({ query: named(sql) }),
    reopen: (options) => openClickHouseActivityStore(endpoint, { databasePrefix, ...options }),
    serve: (version = 1) => serveClickHouseVersion(endpoint, { databasePrefix, version }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

describeActivityStore("ClickHouse server", () => openInFreshDatabase());

describe("The activity store in a ClickHouse server", () => {
  it("keeps events for as many months as it is told, and charges for ever", async () => {
    await using subject = await openInFreshDatabase();
    await using _reopened = await subject.reopen({ keepMonths: 25 });
    const rows = await subject.select(
      `SELECT name, extract(engine_full, 'toIntervalMonth\\\\((\\\\d+)\\\\)') AS months
       FROM system.tables WHERE database = '{db}' AND engine_full LIKE '%TTL%' ORDER BY name`,
    );
    expect(rows).toEqual([
      { name: "content_engagement", months: "25" },
      { name: "events", months: "25" },
    ]);
  });

  it("removes events beyond that time and leaves the users they made", async () => {
    await using subject = await openInFreshDatabase();
    await subject.store.apply("users", { ...NO_ROWS, events: [click] }, new Map());
    const longAgo = { ...click, eventId: "old", receivedAtMs: Date.UTC(2001, 0, 1) };
    await subject.store.apply("users", { ...NO_ROWS, events: [longAgo] }, new Map());
    await using _reopened = await subject.reopen({ keepMonths: 240 });
    const eventIds = () => subject.select("SELECT event_id FROM {db}.events");
    await waitFor(async () => (await eventIds()).length === 1, { timeoutMs: 120_000 });
    expect(await eventIds()).toEqual([{ event_id: "e1" }]);
    expect((await subject.store.listUsers(tenantId, null, 10)).subjectIds).toEqual(["s"]);
  });

  it("keeps each version in a database of its own, and removes one alone", async () => {
    const databasePrefix = `test_${randomUUID().replaceAll("-", "")}`;
    const open = (version: number) =>
      openClickHouseActivityStore(server(), { databasePrefix, version });
    const remove = (version: number) =>
      removeClickHouseDatabase(server(), { databasePrefix, version });
    await using first = await open(1);
    await using second = await open(2);
    await first.apply("users", { ...NO_ROWS, events: [click] }, new Map([[0, 1]]));
    expect((await second.totals()).get("events")).toBe(0);
    expect(await second.positions("users")).toEqual(new Map());
    await remove(2);
    await remove(2);
    expect((await first.totals()).get("events")).toBe(1);
    await remove(1);
  });

  it("shows data teams a view of each of its tables, that they need no right on and that counts a repeat once", async () => {
    await using subject = await openInFreshDatabase();
    await Promise.all([subject.serve(), subject.serve()]);
    const twice = { ...NO_ROWS, events: [click] };
    await subject.store.apply("users", twice, new Map());
    await subject.store.apply("users", { ...twice, events: [click, click] }, new Map());
    expect(await subject.select("SELECT event_id FROM {served}.events")).toEqual([
      { event_id: "e1" },
    ]);
    const names = (database: string) =>
      subject.select(`SELECT name FROM system.tables WHERE database = '${database}'
        AND engine != 'MaterializedView' ORDER BY name`);
    expect(await names("{served}")).toEqual(await names("{db}"));
    const described = (database: string) =>
      subject.select(
        `SELECT name, type, comment FROM system.columns WHERE database = '${database}'
          AND table = 'events' ORDER BY position`,
      );
    expect(await described("{served}")).toEqual(await described("{db}"));
    const rights = await subject.select(
      "SELECT DISTINCT definer != '' AS defined FROM system.tables WHERE database = '{served}'",
    );
    expect(rights).toEqual([{ defined: 1 }]);
  });

  it("replaces its own views, over whichever version they are", async () => {
    await using subject = await openInFreshDatabase();
    await using _second = await subject.reopen({ version: 2 });
    const read = () =>
      subject.select(`SELECT DISTINCT extract(as_select, 'FROM (\\\\w+)') = '{db}_r2' AS second
        FROM system.tables WHERE database = '{served}'`);
    for (const version of [1, 2, 1, 2]) {
      await subject.serve(version);
      expect(await read()).toEqual([{ second: version - 1 }]);
    }
  });

  it.each([
    ["table", "CREATE TABLE {served}.events (mine Int8) ENGINE = Memory AS SELECT 7 AS mine"],
    ["view", "CREATE VIEW {served}.events AS SELECT toInt8(7) AS mine"],
  ])("replaces no %s that somebody else has under the name of a view", async (_kind, statement) => {
    await using subject = await openInFreshDatabase();
    await subject.command("CREATE DATABASE {served}");
    await subject.command(statement);
    await expect(subject.serve()).rejects.toThrow(ViewNameTaken);
    await expect(subject.serve()).rejects.toThrow(/^test_\w+\.events is no view of this service: /);
    expect(await subject.select("SELECT * FROM {served}.events")).toEqual([{ mine: 7 }]);
    const others = "SELECT name FROM system.tables WHERE database = '{served}'";
    expect(await subject.select(others)).toEqual([{ name: "events" }]);
  });

  it("is unavailable while the server is away, and serves again when it is back", async () => {
    const address = new URL(server().url);
    await using link = await linkTo({ host: address.hostname, port: Number(address.port) });
    await using subject = await openInFreshDatabase({
      ...server(),
      url: `http://127.0.0.1:${link.port}`,
    });
    const { store } = subject;
    await store.apply("users", { ...NO_ROWS, events: [click] }, new Map([[0, 1]]));
    await link.break();
    await expect(store.positions("users")).rejects.toThrow(ActivityStoreUnavailable);
    await link.mend();
    expect(await store.positions("users")).toEqual(new Map([[0, 1]]));
  });

  it("says in one line that nobody listens", async () => {
    const opening = openClickHouseActivityStore({ ...server(), url: "http://127.0.0.1:1" });
    await expect(opening).rejects.toThrow(ActivityStoreUnavailable);
    await expect(opening).rejects.toThrow(/^ClickHouse can't be reached: [^\n]+$/);
  });

  it("says in one line that the password is wrong", async () => {
    const opening = openClickHouseActivityStore({ ...server(), password: "another" });
    await expect(opening).rejects.toThrow(ActivityStoreRejected);
    await expect(opening).rejects.toThrow(/^Authentication failed[^\n]+$/i);
  });
});

describe("The accounts of infra/clickhouse/accounts.sql", () => {
  it("are statements of this server about views that there are, one policy on each with a tenant", async () => {
    await using subject = await openInFreshDatabase();
    await subject.serve();
    const text = await readFile(ACCOUNTS, "utf8");
    for (const statement of statementsOf(text)) {
      const quoted = statement.replace(/[\\']/g, "\\$&");
      await subject.select(`SELECT formatQuery('${quoted}')`);
    }
    const columns = await subject.select(
      "SELECT table, name FROM system.columns WHERE database = '{served}'",
    );
    const known = new Set(columns.map(({ table }) => table));
    const named = [...text.matchAll(/\bfeed\.(\w+)/g)].map(([, name]) => name);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    const withTenants = columns
      .filter(({ name }) => name === "tenant_id")
      .map(({ table }) => table);
    const ruled = [...text.matchAll(/^ {4}feed\.(\w+)/gm)].map(([, name]) => name);
    expect([...new Set(ruled)].toSorted()).toEqual(withTenants.toSorted());
  });
});

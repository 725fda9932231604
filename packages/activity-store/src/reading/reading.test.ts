import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@clickhouse/client";
import { asId, type ContentId, type SubjectId, type TenantId } from "@feed/domain/ids";
import { NO_ROWS } from "@feed/projections/activity-rows";
import { freePort, temporaryDirectory, waitFor } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openClickHouseActivityStore, type ClickHouseEndpoint } from "../clickhouse.ts";
import { startEmbeddedClickHouse } from "../embedded.ts";
import type { ActivityStore } from "../port.ts";
import { serveClickHouseVersion } from "../served-views.ts";
import { READING_LIMITS } from "./limits.ts";

/**
 * Goal: a data team's account on the embedded engine reads what it should and nothing else. Method: every sentence is sent
 * over HTTP to the real engine, as a ClickHouse client would; what must not be read is a file made for it.
 */
const SECRET = "not for data teams";
const stack = new AsyncDisposableStack();
let path: string;
let service: ClickHouseEndpoint;
let reading: ClickHouseEndpoint;
let store: ActivityStore;
beforeAll(async () => {
  ({ path } = stack.use(await temporaryDirectory()));
  await writeFile(join(path, "secret.txt"), SECRET);
  const url = `http://127.0.0.1:${await freePort()}`;
  reading = { url, username: "analyst", password: "a password of analysts" };
  const directory = join(path, "engine");
  const engine = stack.use(
    await startEmbeddedClickHouse({ directory, onExit: () => undefined, reading }),
  );
  service = engine.endpoint;
  store = stack.use(await openClickHouseActivityStore(service));
  await serveClickHouseVersion(service, {});
  await store.apply("users", { ...NO_ROWS, events: [click("e1"), click("e2")] }, new Map());
});
afterAll(() => stack.disposeAsync());

function click(eventId: string) {
  const at = { occurredAtMs: Date.UTC(2026, 0, 1), receivedAtMs: Date.UTC(2026, 0, 1), offset: 0 };
  const tenantId = asId<TenantId>("t");
  const subject = { tenantId, subjectId: asId<SubjectId>("s"), ofUser: true };
  return { ...subject, eventId, kind: "click", contentId: asId<ContentId>("c"), ...at } as const;
}

interface Answer {
  readonly status: number;
  readonly code: string | null;
  readonly text: string;
}

async function ask(sql: string, { search = "", account = reading } = {}): Promise<Answer> {
  const authorization = `Basic ${btoa(`${account.username}:${account.password}`)}`;
  const answer = await fetch(`${account.url}/?${search}`, {
    method: "POST",
    headers: { authorization },
    body: sql,
  });
  const code = answer.headers.get("x-clickhouse-exception-code");
  return { status: answer.status, code, text: await answer.text() };
}

const rowsOf = async () => (await ask("SELECT count() FROM feed.events")).text;
/** As a literal: `{file}` in a statement. */
const secret = () => `'${join(path, "secret.txt")}'`;
const stolen = () => join(path, "stolen.txt");

/** Whether a row was written between two looks of the service that both found a long statement running. */
async function isWrittenMeanwhile(): Promise<boolean> {
  let isAnswered = false;
  const long = ask(
    "SELECT count() FROM (SELECT number FROM system.numbers LIMIT 10000000) WHERE sipHash64(number) % 7 = 1",
  ).finally(() => (isAnswered = true));
  const isRunning = async (): Promise<boolean> => {
    const sql = "SELECT count() FROM system.processes WHERE query LIKE 'SELECT count() FROM (%'";
    return (await ask(sql, { account: service })).text === "1\n";
  };
  await waitFor(async () => isAnswered || (await isRunning()));
  await store.apply("users", { ...NO_ROWS, events: [click("e3")] }, new Map());
  const isMeanwhile = await isRunning();
  expect(await long).toMatchObject({ status: 200, text: "1429168\n" });
  return isMeanwhile;
}

describe("A data team's account on the embedded engine", () => {
  it("is answered as the official client asks, with parameters, formats and the live tables", async () => {
    const session = { session_id: "a-session-of-the-client" };
    await using client = createClient({ ...reading, ...session, database: "feed" });
    const result = await client.query({
      query:
        "SELECT kind, count() AS events FROM events WHERE tenant_id = {t:String} GROUP BY kind",
      query_params: { t: "t" },
      format: "JSONEachRow",
    });
    expect(await result.json()).toEqual([{ kind: "click", events: "2" }]);
    expect(await client.ping()).toMatchObject({ success: true });
  });

  it("may take its tables from subqueries, unions, joins and names of its own", async () => {
    const sql = `-- what is clicked; by whom
      WITH clicks AS (SELECT content_id, subject_id FROM events WHERE kind = 'click')
      SELECT count() FROM clicks INNER JOIN (SELECT 'c' AS content_id) AS named USING (content_id)
      UNION ALL SELECT count() FROM system.tables WHERE database = 'feed' AND name = 'events';`;
    expect((await ask(sql)).text.trim().split("\n").toSorted()).toEqual(["1", "2"]);
    expect((await ask("SELECT 1 AS one FORMAT JSONEachRow")).text).toBe('{"one":1}\n');
  });

  it.each([
    ["INSERT INTO feed_v1.projection_positions VALUES ('users', 0, 9)"],
    ["DROP TABLE feed_v1.events"],
    ["DROP VIEW feed.events"],
    ["CREATE OR REPLACE VIEW feed.events AS SELECT 1"],
    ["ALTER TABLE feed_v1.events DELETE WHERE 1"],
    ["TRUNCATE TABLE feed_v1.events"],
    ["CREATE TABLE feed_v1.mine (a Int8) ENGINE = Memory"],
    ["SELECT 1; DROP TABLE feed_v1.events"],
    ["SET readonly = 0"],
    ["SYSTEM SHUTDOWN"],
    ["SELECT 1 PARALLEL WITH SELECT 2"],
    ["EXPLAIN AST SELECT 1"],
    ["BACKUP DATABASE feed_v1 TO File('/tmp/stolen')"],
  ])("is refused what is no SELECT, and nothing has changed: %s", async (sql) => {
    expect((await ask(sql)).status).toBe(500);
    expect(await rowsOf()).toBe("2\n");
  });

  it.each([
    ["SELECT * FROM file({file}, 'LineAsString')"],
    ["SELECT * FROM (SELECT * FROM file({file}, 'LineAsString') SETTINGS readonly = 0)"],
    [
      "SELECT 1 UNION ALL (SELECT line = '' FROM file({file}, 'LineAsString') SETTINGS readonly = 0)",
    ],
    ["WITH x AS (SELECT * FROM file({file}, 'LineAsString')) SELECT * FROM x"],
    ["SELECT 1 IN (SELECT * FROM file({file}, 'LineAsString'))"],
    ["SELECT file({file})"],
    ["SELECT upper(file({file}))"],
    ["SELECT `file`({file})"],
    ["SELECT arrayMap(x -> file(x), [{file}])"],
    ["SELECT arrayMap(file, [{file}])"],
    ["WITH file AS f SELECT f({file})"],
    ["SELECT * APPLY(file) FROM (SELECT {file})"],
    ["SELECT COLUMNS('x') APPLY(x -> file(x)) FROM (SELECT {file} AS x)"],
    ["SELECT * REPLACE (file(x) AS x) FROM (SELECT {file} AS x)"],
    ["SELECT 1 AS `a\n TableIdentifier events`, file({file})"],
  ])("can't read a file of the machine: %s", async (sql) => {
    const answer = await ask(sql.replace("{file}", secret()));
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain(SECRET);
  });

  it.each([
    ["SELECT 'x' INTO OUTFILE {out}"],
    ["SELECT 'x' INTO OUTFILE {out} FORMAT CSV"],
    ["SELECT 1 UNION ALL SELECT 2 INTO OUTFILE {out} TRUNCATE"],
  ])("can't write one: %s", async (sql) => {
    expect((await ask(sql.replace("{out}", `'${stolen()}'`))).status).toBe(500);
    expect(existsSync(stolen())).toBe(false);
  });

  it.each([
    ["SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')"],
    ["SELECT * FROM remote('127.0.0.1', system.one)"],
    ["SELECT hasColumnInTable('127.0.0.1:1', 'd', 't', 'c')"],
    ["SELECT * FROM merge('system', '.*')"],
    ["SELECT * FROM numbers(3)"],
    ["SELECT * FROM feed_v1.events"],
    ["SELECT * FROM system.processes"],
    ["SELECT * FROM system.query_log"],
    ["SELECT 'x' IN system.processes"],
    ["SELECT * FROM `system`.`server_settings`"],
    ["SELECT 1 SETTINGS max_execution_time = 0"],
    ["SELECT * FROM (SELECT 1 SETTINGS max_execution_time = 0)"],
  ])("reaches no other server, table or setting: %s", async (sql) => {
    expect(await ask(sql)).toMatchObject({
      status: 500,
      code: expect.stringMatching(/^(497|164|62)$/),
    });
  });

  it("is told what is wrong with a statement as a server tells it", async () => {
    expect(await ask("SELEC 1")).toMatchObject({ status: 500, code: "62" });
    expect(await ask("SELECT nothing FROM events")).toMatchObject({ status: 500, code: "47" });
    const changed = await ask("SELECT 1", { search: "readonly=0" });
    expect(changed).toMatchObject({ status: 500, code: "164" });
    expect(changed.text).toMatch(/^Code: 164\. DB::Exception: Cannot modify 'readonly' setting/);
    expect(await ask("SELECT 1", { search: "database=feed_v1" })).toMatchObject({ code: "81" });
  });

  it("needs its name and its password, which are not the service's", async () => {
    const wrong = { ...reading, password: "another" };
    expect(await ask("SELECT 1", { account: wrong })).toMatchObject({ status: 403, code: "516" });
    const unnamed = { ...reading, username: "default" };
    expect((await ask("SELECT 1", { account: unnamed })).status).toBe(403);
  });

  it("has limits of time, memory, threads and rows, which the engine keeps", async () => {
    const names = Object.keys(READING_LIMITS).map((name) => `toUInt64(getSetting('${name}'))`);
    const { text } = await ask(`SELECT ${names.join(", ")}`);
    expect(text.trim().split("\t").map(Number)).toEqual(Object.values(READING_LIMITS));
    const rows = READING_LIMITS.max_result_rows + 1;
    const many = await ask(`SELECT number FROM system.numbers LIMIT ${rows}`);
    expect(many).toMatchObject({ status: 500, code: "396" });
  });

  it("never holds up the projector: its rows are written while a long statement runs", async () => {
    // Where this process stands still for as long as the statement runs, nothing is shown: then it is tried once more.
    await waitFor(isWrittenMeanwhile);
    expect(await rowsOf()).toBe("3\n");
  });
});

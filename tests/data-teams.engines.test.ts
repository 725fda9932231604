import { documentedQueries } from "@feed/activity-store/reading/documented-queries.fixture";
import { parseClickHouseUrl } from "@feed/activity-store/clickhouse-url";
import type { FeedctlProcess } from "@feed/test-kit/service-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { untilProjected } from "./projector-lag.ts";
import { openRolesCluster, type RolesCluster } from "./roles-cluster.ts";

/**
 * Goal: what data teams are told in docs/data holds on a ClickHouse server, and goes on while the activity store is rebuilt.
 * Method: an API node and a projector, readers who click what they are shown, and `feedctl sql` as it is typed.
 */
const READERS = ["reader-1", "reader-2", "reader-3"];
const CLICKS_PER_READER = 2;
const TEST_TIMEOUT_MS = 600_000;
const queries = await documentedQueries();

let cluster: RolesCluster;
/** Of the views: the one that the service's address names. */
let database: string;
/** What each query answers while nothing happens. */
let answers: readonly unknown[] = [];

beforeAll(async () => {
  const opened = await openRolesCluster({ apis: 1, projectors: 1 });
  ({ cluster } = opened);
  const { options } = parseClickHouseUrl(cluster.environment["ACTIVITY_STORE"] ?? "");
  database = options?.databasePrefix ?? "";
  await readAndClick(opened.apis[0] as FeedctlProcess);
}, TEST_TIMEOUT_MS);

afterAll(() => cluster[Symbol.asyncDispose]());

async function readAndClick(node: FeedctlProcess): Promise<void> {
  const client = cluster.client(node);
  for (const user_id of READERS) {
    const shown = await client.feedIds(user_id);
    const clicked = shown.slice(0, CLICKS_PER_READER);
    const of = { user_id, session_id: `${user_id}-1` };
    const events = clicked.flatMap((content_id) => [
      { type: "impression", ...of, content_id },
      { type: "click", ...of, content_id },
    ]);
    await client.recordEvents([{ type: "session_start", ...of }, ...events]);
  }
  // Also what the readers were shown, and what was asked for before there were articles.
  await untilProjected(cluster.feedctl);
  const all = READERS.length * (1 + 2 * CLICKS_PER_READER);
  expect(await rows("SELECT event_id FROM events")).toHaveLength(all);
}

const sql = (statement: string) =>
  cluster.feedctl(
    "sql",
    "--json",
    "--param",
    "tenant=acme",
    "--param",
    `since=${SINCE}`,
    statement,
  );
const SINCE = new Date(Date.now() - 7 * 24 * 3_600_000).toISOString().slice(0, "2026-01-01".length);

async function rows(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { code, stdout, stderr } = await sql(statement);
  if (code !== 0) throw new Error(stderr);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The databases that the views read. */
async function behindTheViews(): Promise<readonly unknown[]> {
  const found = await rows(
    `SELECT DISTINCT extract(as_select, 'FROM (\\\\w+)') AS name FROM system.tables WHERE database = '${database}'`,
  );
  return found.map(({ name }) => name);
}

describe("feedctl sql on a ClickHouse server", { timeout: TEST_TIMEOUT_MS }, () => {
  it("answers every query of docs/data", async () => {
    const answered: unknown[] = [];
    for (const query of queries) answered.push(await rows(query.sql));
    answers = answered;
    expect(answers).toHaveLength(10);
    const [clicks] = await rows("SELECT count() AS clicks FROM events WHERE kind = 'click'");
    expect(clicks).toEqual({ clicks: String(READERS.length * CLICKS_PER_READER) });
    const users = await rows("SELECT user_id FROM users ORDER BY user_id");
    expect(users.map(({ user_id }) => user_id)).toEqual(READERS);
  });

  it("refuses what is no SELECT over the views, before the server is asked", async () => {
    for (const refused of [
      `DROP VIEW ${database}.events`,
      `SELECT * FROM ${database}_v1.events`,
      "SELECT * FROM file('/etc/passwd', 'LineAsString')",
      "SELECT * FROM system.processes",
    ])
      expect(await sql(refused)).toMatchObject({ code: 2, stdout: "" });
  });

  it("answers the same while the activity store is rebuilt, after it, and after a roll-back", async () => {
    const asking = { isOver: false };
    const looking = (async () => {
      let looks = 0;
      for (; !asking.isOver; looks += 1) {
        const at = looks % queries.length;
        expect(await rows(queries[at]?.sql ?? "")).toEqual(answers[at]);
      }
      return looks;
    })();
    try {
      const rebuilt = await cluster.feedctl("rebuild", "activity-store", "--json");
      expect(rebuilt).toMatchObject({ code: 0 });
      expect(await behindTheViews()).toEqual([`${database}_v1_r2`]);
      expect(await cluster.feedctl("rebuild", "activity-store", "--roll-back")).toMatchObject({
        code: 0,
      });
      expect(await behindTheViews()).toEqual([`${database}_v1`]);
    } finally {
      asking.isOver = true;
    }
    expect(await looking).toBeGreaterThan(0);
    for (const [at, query] of queries.entries()) expect(await rows(query.sql)).toEqual(answers[at]);
  });
});

import { ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { temporaryDirectory } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  openClickHouseActivityStore,
  removeClickHouseDatabase,
  type ClickHouseEndpoint,
} from "../clickhouse.ts";
import { startEmbeddedClickHouse } from "../embedded.ts";
import { serveClickHouseVersion } from "../served-views.ts";
import { checkedSelect, StatementRefused, type Statement } from "./checked-select.ts";
import { documentedQueries } from "./documented-queries.fixture.ts";
import { queryActivity } from "./query-activity.ts";
import { BATCHES, TENANT } from "./small-installation.fixture.ts";

/** Goal: what docs/data/queries.md prints below each query is what the engine answers. */
const DOCUMENTED = 10;
const queries = await documentedQueries();

const stack = new AsyncDisposableStack();
let endpoint: ClickHouseEndpoint;
beforeAll(async () => {
  const { path } = stack.use(await temporaryDirectory());
  const engine = stack.use(
    await startEmbeddedClickHouse({ directory: `${path}/engine`, onExit: () => undefined }),
  );
  ({ endpoint } = engine);
  await fill(1);
  await serveClickHouseVersion(endpoint, { version: 1 });
});
afterAll(() => stack.disposeAsync());

/** Every batch twice, as after an answer that was lost. */
async function fill(version: number): Promise<void> {
  await using store = await openClickHouseActivityStore(endpoint, { version });
  for (const [topic, rows] of [...BATCHES, ...BATCHES]) await store.apply(topic, rows, new Map());
}

const parameters = { tenant: TENANT, since: "2026-10-01" };
const answered = (sql: string) => {
  const query = { sql, parameters, format: "PrettyCompactMonoBlock" };
  return queryActivity({ endpoint, options: {}, isEmbedded: true }, query);
};

describe("docs/data/queries.md", () => {
  it("has ten queries", () => {
    expect(queries).toHaveLength(DOCUMENTED);
  });

  it.each(queries)("prints the answer to: $title", async ({ sql, answer }) => {
    expect(await answered(sql)).toBe(answer);
  });

  it("prints the same while a version is filled beside the live one, is switched to, and is left again", async () => {
    const ending = new AbortController();
    const asking = (async () => {
      let rounds = 0;
      for (; !ending.signal.aborted || rounds === 0; rounds += 1)
        for (const { sql, answer } of queries) expect(await answered(sql)).toBe(answer);
      return rounds;
    })();
    await fill(2);
    for (const version of [2, 1, 2]) await serveClickHouseVersion(endpoint, { version });
    ending.abort();
    expect(await asking).toBeGreaterThan(0);
    // Nothing is left that reads the former version.
    await removeClickHouseDatabase(endpoint, { version: 1 });
    for (const { sql, answer } of queries) expect(await answered(sql)).toBe(answer);
  });

  it("passes what is looked at before a server is asked, as its client writes it, and nothing else does", async () => {
    await using client = createClient({ ...endpoint, log: { level: ClickHouseLogLevel.OFF } });
    const ask = async ({ sql, parameters }: Statement) => {
      const format = "TabSeparatedRaw";
      return (await client.query({ query: sql, query_params: parameters, format })).text();
    };
    const check = (sql: string) =>
      checkedSelect({ sql, parameters }, { ask, isReadable: (name) => name === "feed" });
    for (const { sql } of queries) expect(await check(sql)).toMatch(/^(SELECT|WITH) /);
    await expect(check("SELECT file('x') -- it's")).rejects.toThrow(StatementRefused);
    await expect(check("SELECT 1; DROP TABLE feed.events")).rejects.toThrow(/Multi-statements/);
    await expect(check("SELECT * FROM feed_v1.events")).rejects.toThrow(StatementRefused);
  });
});

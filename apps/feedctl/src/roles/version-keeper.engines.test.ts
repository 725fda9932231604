import { randomUUID } from "node:crypto";
import { createClient } from "@clickhouse/client";
import { removeClickHouseDatabase } from "@feed/activity-store/clickhouse";
import { parseClickHouseUrl } from "@feed/activity-store/clickhouse-url";
import { removeClickHouseViews } from "@feed/activity-store/served-views";
import { asId, type ContentId, type TenantId } from "@feed/domain/ids";
import { followReadModelVersions, openActivityStore, openCore } from "@feed/engines";
import { createLogger, systemClock } from "@feed/runtime";
import { engineUrl, temporaryDirectory, waitFor } from "@feed/test-kit";
import { expect, it } from "vitest";
import { keepVersions } from "./version-keeper.ts";

/** On a ClickHouse server; the log is embedded. */
const PARTITION = 3;
const DELIVERED = {
  type: "content.delivered",
  tenantId: asId<TenantId>("one"),
  requestId: "request",
  servedAtMs: Date.UTC(2026, 10, 1),
  contentId: asId<ContentId>("content"),
  creditsTenths: 1,
} as const;

it("A projector that finds somebody else's table under the name of a view says so, and goes on", async () => {
  await using opened = new AsyncDisposableStack();
  const databasePrefix = `test_${randomUUID().replaceAll("-", "")}`;
  const { options: _named, ...server } = parseClickHouseUrl(engineUrl("ACTIVITY_STORE"));
  const activity = { ...server, options: { databasePrefix } };
  opened.defer(() => removeClickHouseViews(server, { databasePrefix }));
  opened.defer(() => removeClickHouseDatabase(server, { databasePrefix }));
  const client = createClient({ ...server });
  opened.defer(() => client.close());
  await client.command({ query: `CREATE DATABASE ${databasePrefix}` });
  const table = `${databasePrefix}.deliveries`;
  await client.command({ query: `CREATE TABLE ${table} (mine Int8) ENGINE = Memory` });

  const { path: dataDirectory } = opened.use(await temporaryDirectory());
  const installation = { dataDirectory, embedder: "hashed:256" };
  const core = opened.use(await openCore(installation, systemClock));
  const versions = opened.use(await followReadModelVersions(core));
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLogger({ service: "test", level: "error", destination });
  const surroundings = { installation, activity };
  const readModels = ["activity-store"] as const;
  const options = { readModels, core, surroundings, versions, log, post: () => undefined };
  const keeper = opened.use(await keepVersions(options));
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({
      level: "error",
      msg: expect.stringMatching(`left as they are: ${table} is no view of this service: move`),
    }),
  ]);

  const value = core.codec.encode(DELIVERED);
  const record = { topic: "deliveries", partition: PARTITION, key: "request", value } as const;
  await core.eventLog.append([{ ...record, timestampMs: DELIVERED.servedAtMs }]);
  const store = opened.use(await openActivityStore(activity));
  const isProjected = async () => (await store.totals()).get("deliveries") === 1;
  await Promise.race([keeper.failed, waitFor(isProjected, { timeoutMs: 120_000 })]);
  expect(lines).toHaveLength(1);
});

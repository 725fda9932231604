import { join } from "node:path";
import { rename, rm, stat, writeFile } from "node:fs/promises";
import { createClient } from "@clickhouse/client";
import { asId, type ContentId, type SubjectId, type TenantId } from "@feed/domain/ids";
import { NO_ROWS } from "@feed/projections/activity-rows";
import { temporaryDirectory, waitFor } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { describeActivityStore } from "./conformance.ts";
import {
  CLICKHOUSE_SETTINGS,
  openClickHouseActivityStore,
  removeClickHouseDatabase,
  type ClickHouseEndpoint,
} from "./clickhouse.ts";
import { runningClickHouse, startEmbeddedClickHouse } from "./embedded.ts";
import { ActivityStoreUnavailable } from "./port.ts";

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

describeActivityStore("embedded ClickHouse", async () => {
  const directory = await temporaryDirectory();
  const engine = await startEmbeddedClickHouse({
    directory: directory.path,
    onExit: () => undefined,
  });
  const store = await openClickHouseActivityStore(engine.endpoint);
  const client = createClient({
    ...engine.endpoint,
    clickhouse_settings: CLICKHOUSE_SETTINGS,
  });
  return {
    store,
    select: async (sql) => {
      const query = sql.replaceAll("{db}", "feed_v1");
      return (await client.query({ query, format: "JSONEachRow" })).json<Record<string, unknown>>();
    },
    close: async () => {
      await client.close();
      await store[Symbol.asyncDispose]();
      await engine[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
});

describe("A database of before there were experiments", () => {
  it("gets their columns when it is opened, and its deliveries are in no arm", async () => {
    await using directory = await temporaryDirectory();
    await using engine = await startEmbeddedClickHouse({
      directory: directory.path,
      onExit: () => undefined,
    });
    await (await openClickHouseActivityStore(engine.endpoint))[Symbol.asyncDispose]();
    await using client = createClient({ ...engine.endpoint });
    for (const query of [
      "ALTER TABLE feed_v1.deliveries DROP COLUMN experiment_id, DROP COLUMN arm",
      "INSERT INTO feed_v1.deliveries (tenant_id, request_id, endpoint, served_at) VALUES ('t', 'old', 'feed', '2026-01-01')",
    ])
      await client.command({ query });
    await using store = await openClickHouseActivityStore(engine.endpoint);
    const servedAtMs = Date.UTC(2026, 0, 2);
    const served = { tenantId, requestId: "new", endpoint: "feed", servedAtMs } as const;
    const place = { subjectId: click.subjectId, scenario: "home", creditsTenths: 10 };
    const experiment = { experimentId: "exp", arm: "variant" } as const;
    const items = { contentIds: [click.contentId], positions: [0], scores: [1] };
    const deliveries = [{ ...served, ...place, ...items, experiment }];
    await store.apply("deliveries", { ...NO_ROWS, deliveries }, new Map());
    const query = "SELECT request_id, arm FROM feed_v1.deliveries FINAL ORDER BY request_id";
    const rows = await client.query({ query, format: "JSONEachRow" });
    expect(await rows.json()).toEqual([
      { request_id: "new", arm: "variant" },
      { request_id: "old", arm: "" },
    ]);
  });
});

describe("The embedded ClickHouse", () => {
  it("is started again when its process is killed, and has every row that was acknowledged", async () => {
    await using directory = await temporaryDirectory();
    const exits: string[] = [];
    await using engine = await startEmbeddedClickHouse({
      directory: directory.path,
      onExit: (reason) => exits.push(reason),
    });
    await using store = await openClickHouseActivityStore(engine.endpoint);
    await store.apply("users", { ...NO_ROWS, events: [click] }, new Map([[0, 1]]));
    const killed = engine.pid ?? 0;
    process.kill(killed, "SIGKILL");
    await waitFor(() => exits.length > 0 && engine.pid !== killed);
    const isCounted = async () => (await store.engagement(tenantId, 0).catch(() => [])).length > 0;
    await waitFor(isCounted);
    expect(await store.engagement(tenantId, 0)).toHaveLength(1);
    expect(await store.positions("users")).toEqual(new Map([[0, 1]]));
  });

  it("is tried again for as long as it does not start, and each failure is reported", async () => {
    await using directory = await temporaryDirectory();
    const data = join(directory.path, "data");
    const exits: string[] = [];
    await using engine = await startEmbeddedClickHouse({
      directory: data,
      onExit: (reason) => exits.push(reason),
    });
    // Stopped first: what runs would make its folders anew where they are missing.
    process.kill(engine.pid ?? 0, "SIGSTOP");
    await rename(data, `${data}-away`);
    await writeFile(data, "");
    process.kill(engine.pid ?? 0, "SIGKILL");
    await waitFor(() => exits.length >= 3);
    await rm(data);
    await rename(`${data}-away`, data);
    const answers = () => fetch(`${engine.endpoint.url}/ping`).then(Boolean, () => false);
    await waitFor(answers);
    expect(exits.every((reason) => reason !== "")).toBe(true);
  });

  it("can be stopped after its process was killed", async () => {
    await using directory = await temporaryDirectory();
    const exits: string[] = [];
    const engine = await startEmbeddedClickHouse({
      directory: directory.path,
      onExit: (reason) => exits.push(reason),
    });
    const killed = engine.pid ?? 0;
    process.kill(killed, "SIGKILL");
    await engine[Symbol.asyncDispose]();
    await engine[Symbol.asyncDispose]();
    expect(exits).toEqual([]);
    expect(engine.pid).toBe(killed);
  });

  it("says that it can't be reached once it has stopped", async () => {
    await using directory = await temporaryDirectory();
    const engine = await startEmbeddedClickHouse({
      directory: directory.path,
      onExit: () => undefined,
    });
    await using store = await openClickHouseActivityStore(engine.endpoint);
    await engine[Symbol.asyncDispose]();
    await expect(store.engagement(tenantId, 0)).rejects.toThrow(ActivityStoreUnavailable);
  });

  it("says in one line that its directory can't be written", async () => {
    await using directory = await temporaryDirectory();
    const file = join(directory.path, "a-file");
    await writeFile(file, "");
    const starting = startEmbeddedClickHouse({
      directory: join(file, "below"),
      onExit: () => undefined,
    });
    await expect(starting).rejects.toThrow(/^cannot write to [^\n]+: [A-Z]+$/);
  });

  it("is found by other processes of the machine while it runs, and its totals count a repeat once", async () => {
    await using directory = await temporaryDirectory();
    const data = join(directory.path, "data");
    expect(await runningClickHouse(data)).toBeUndefined();
    const engine = await startEmbeddedClickHouse({ directory: data, onExit: () => undefined });
    expect((await stat(`${data}.json`)).mode & 0o777).toBe(0o600);
    // One that is busy may be asked again.
    let found: ClickHouseEndpoint | undefined;
    await waitFor(async () => (found = await runningClickHouse(data)) !== undefined);
    expect(found).toEqual(engine.endpoint);
    await using store = await openClickHouseActivityStore(engine.endpoint, { version: 2 });
    for (const eventId of ["e1", "e2", "e1"])
      await store.apply("users", { ...NO_ROWS, events: [{ ...click, eventId }] }, new Map());
    const totals = await store.totals();
    expect(Object.fromEntries(totals)).toMatchObject({ events: 2, "clicks counted": 2, users: 1 });
    await using first = await openClickHouseActivityStore(engine.endpoint);
    expect((await first.totals()).get("events")).toBe(0);
    await removeClickHouseDatabase(engine.endpoint, { version: 2 });
    await using again = await openClickHouseActivityStore(engine.endpoint, { version: 2 });
    expect((await again.totals()).get("events")).toBe(0);
    await engine[Symbol.asyncDispose]();
    expect(await runningClickHouse(data)).toBeUndefined();
  });

  it("answers nobody without its password", async () => {
    await using directory = await temporaryDirectory();
    await using engine = await startEmbeddedClickHouse({
      directory: directory.path,
      onExit: () => undefined,
    });
    const answer = await fetch(engine.endpoint.url, { method: "POST", body: "SELECT 1" });
    expect(answer.status).toBe(403);
  });
});

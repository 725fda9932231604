import { createClient, type ClickHouseClient } from "@clickhouse/client";
import { documentedQueries } from "@feed/activity-store/reading/documented-queries.fixture";
import { asId, type ContentId, type SubjectId } from "@feed/domain/ids";
import {
  changeReadModel,
  followReadModelVersions,
  openActivityStore,
  openCore,
  startActivityEngine,
  type Core,
} from "@feed/engines";
import { projectionLag } from "@feed/projector";
import { appendUserFacts, recordOf } from "@feed/projector/testing/installation";
import { createLogger, systemClock } from "@feed/runtime";
import {
  BUILT_AT_MS,
  buildArticle,
  buildBehaviourRecorded,
  temporaryDirectory,
  waitFor,
} from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepVersions } from "../roles/version-keeper.ts";
import { openRebuild, type RebuildWork } from "./rebuild-role.ts";

/**
 * Goal: data teams notice nothing of a rebuild: the queries of docs/data answer the same under the same name all the
 * time. Method: an installation's log and engine, a projector, and a client of data teams that names no version.
 */
const PATIENCE = { timeoutMs: 120_000 };
const READERS = 5;
const log = createLogger({ service: "test", level: "silent" });
const queries = await documentedQueries();
const { tenantId } = buildBehaviourRecorded({});
const query_params = { tenant: tenantId, since: "2026-01-01", month: "2026-11" };

const opened = new AsyncDisposableStack();
let installation: { readonly dataDirectory: string; readonly embedder: string };
let core: Core;
let dataTeam: ClickHouseClient;

beforeAll(async () => {
  const { path } = opened.use(await temporaryDirectory());
  installation = { dataDirectory: path, embedder: "hashed:16" };
  core = opened.use(await openCore(installation, systemClock));
  const engine = opened.use(await startActivityEngine(installation, () => undefined));
  dataTeam = opened.use(
    createClient({
      ...engine.endpoint,
      database: "feed",
      clickhouse_settings: { readonly: "1" },
      request_timeout: PATIENCE.timeoutMs,
    }),
  );
  const versions = opened.use(await followReadModelVersions(core));
  const surroundings = { installation, activity: engine.endpoint };
  const keeping = { readModels: ["activity-store"], core, surroundings, versions, log } as const;
  opened.use(await keepVersions({ ...keeping, post: () => undefined }));
  await appendActivity();
  await using store = await openActivityStore(engine.endpoint);
  for (const topic of ["users", "contents"] as const) {
    const lag = async () => projectionLag(core.eventLog, topic, await store.positions(topic));
    await waitFor(async () => (await lag()) === 0);
  }
});
afterAll(() => opened.disposeAsync());

/** Everybody sees an article and clicks it. */
async function appendActivity(): Promise<void> {
  const contentId = asId<ContentId>("content-1");
  const article = buildArticle({ contentId });
  await core.eventLog.append([recordOf("contents", 0, { type: "article.published", article })]);
  const facts = Array.from({ length: READERS }, (_, at) =>
    (["impression", "click"] as const).map((kind) =>
      buildBehaviourRecorded({
        kind,
        subjectId: asId<SubjectId>(`subject-${at}`),
        eventId: `${kind}-${at}`,
        contentId,
        occurredAtMs: BUILT_AT_MS + at,
      }),
    ),
  );
  await appendUserFacts(core, facts.flat());
}

async function answered(query: string, params = query_params): Promise<unknown> {
  return (await dataTeam.query({ query, query_params: params, format: "JSONEachRow" })).json();
}

async function events(): Promise<number> {
  const [row] = (await answered("SELECT count() AS events FROM events")) as [{ events: string }];
  return Number(row.events);
}

/** One query after the other, as the engine answers them: each has its time for itself. */
async function answers(): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for (const { sql } of queries) all.push(await answered(sql));
  return all;
}

/** The databases that the views read. */
async function behindTheName(): Promise<readonly string[]> {
  const rows = (await answered(
    "SELECT DISTINCT extract(as_select, 'FROM (\\\\w+)') AS name FROM system.tables WHERE database = 'feed'",
  )) as { readonly name: string }[];
  return rows.map(({ name }) => name);
}

async function rebuild(work: RebuildWork) {
  const { signal } = new AbortController();
  const output = { write: () => undefined };
  await using role = await openRebuild({
    installation,
    readModel: "activity-store",
    log,
    output,
    signal,
  });
  return await role.run(work);
}

describe("What data teams query, while the activity store is rebuilt", () => {
  it("answers the same before, meanwhile, after it, and after a roll-back", async () => {
    expect(await events()).toBe(2 * READERS);
    const before = await answers();
    expect(before.filter((rows) => (rows as unknown[]).length > 0).length).toBeGreaterThan(2);
    expect(await behindTheName()).toEqual(["feed_v1"]);
    const ending = new AbortController();
    const asking = (async () => {
      let rounds = 0;
      for (; !ending.signal.aborted; rounds += 1) expect(await answers()).toEqual(before);
      return rounds;
    })();
    // Reported at the end, where it is waited for.
    asking.catch(() => undefined);
    try {
      expect((await rebuild("build-and-switch")).versions).toMatchObject({ live: 2, previous: 1 });
      expect(await behindTheName()).toEqual(["feed_v1_r2"]);
      expect((await rebuild("roll-back")).versions).toMatchObject({ live: 1, previous: 2 });
      // The projector names versions too, and may be at the former one still.
      await waitFor(async () => String(await behindTheName()) === "feed_v1");
    } finally {
      ending.abort();
    }
    expect(await asking).toBeGreaterThan(0);
  });

  it("is switched by the projector where the command is killed before it has done so", async () => {
    const change = { version: 2, state: "live", atMs: systemClock.nowMs() } as const;
    await changeReadModel(core, "activity-store", change);
    await waitFor(async () => String(await behindTheName()) === "feed_v1_r2");
    expect(await events()).toBe(2 * READERS);
  });
});

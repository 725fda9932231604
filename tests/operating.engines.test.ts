import { randomUUID } from "node:crypto";
import type { SealedUserFact } from "@feed/domain/facts";
import { asId, type ContentId, type SubjectId, type TenantId } from "@feed/domain/ids";
import { USER_PARTITIONS } from "@feed/domain/limits";
import { openCore, openReadState, type Core, type InstallationConfig } from "@feed/engines";
import { systemClock } from "@feed/runtime";
import { userPartition } from "@feed/signing";
import { buildBehaviourRecorded, temporaryDirectory } from "@feed/test-kit";
import { runFeedctl, startFeedctl, type FeedctlProcess } from "@feed/test-kit/service-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { enginesOf, removeTopicsAndIndexes } from "./outside-engines.ts";
import { behind, untilProjected } from "./projector-lag.ts";
import { importArticles } from "./tenant-and-articles.ts";

/**
 * Goal: an operator's commands beside a projector on the real engines, and after it was stopped. Method: articles,
 * events, deliveries, and a record that nobody can read, appended as the API and the crawler do.
 */
const ARTICLES = 20;
const USERS = 30;
const DELIVERIES = 10;
const TENANT = asId<TenantId>("acme");
const TEST_TIMEOUT_MS = 600_000;

const run = `t${randomUUID().slice(0, 8)}`;
const environment = enginesOf(run);
const opened = new AsyncDisposableStack();
let installation: InstallationConfig;
let core: Core;
let projector: FeedctlProcess;

beforeAll(async () => {
  const dataDirectory = opened.use(await temporaryDirectory()).path;
  const {
    EVENT_LOG: eventLog,
    SCHEMA_REGISTRY: schemaRegistry,
    READ_STATE: readState,
  } = environment;
  const engines = { eventLog, schemaRegistry, readState };
  // Appends of a test are no requests of the API.
  const engineAnswerTimeoutMs = 30_000;
  installation = { dataDirectory, embedder: "hashed:256", engines, engineAnswerTimeoutMs };
  core = opened.use(await openCore(installation, systemClock));
  const flags = ["projector", "--port", "0", "--data", dataDirectory];
  projector = opened.use(await startFeedctl(flags, { environment }));
  await importArticles(feedctl, { directory: dataDirectory, count: ARTICLES });
  await appendEvents();
  await appendDeliveries();
  await untilProjected(feedctl);
}, TEST_TIMEOUT_MS);

afterAll(async () => {
  await opened.disposeAsync();
  await removeTopicsAndIndexes(run);
});

const feedctl = (...args: readonly string[]) =>
  runFeedctl([...args, "--data", installation.dataDirectory], { environment });

/** A start of a session for each user, and one record that is no fact. */
async function appendEvents(): Promise<void> {
  const { eventLog, personalData, codec } = core;
  const timestampMs = systemClock.nowMs();
  for (let user = 0; user < USERS; user += 1) {
    const subjectId = asId<SubjectId>(`subject-of-user-${user}`.padEnd(22, "-"));
    const fact = buildBehaviourRecorded({ kind: "session_start", tenantId: TENANT, subjectId });
    const partition = userPartition(subjectId, USER_PARTITIONS);
    const item = { tenantId: TENANT, subjectId, partition, personal: fact.personal ?? {} };
    const [personal] = await personalData.sealAll([item]);
    const value = codec.encode({ ...fact, personal } as SealedUserFact);
    await eventLog.append([{ topic: "users", partition, key: "key", value, timestampMs }]);
  }
  const garbage = { partition: 1, key: "key", value: Buffer.from("garbage"), timestampMs };
  await eventLog.append([{ topic: "users", ...garbage }]);
}

async function appendDeliveries(): Promise<void> {
  const servedAtMs = Date.UTC(2026, 10, 1);
  const values = Array.from({ length: DELIVERIES }, (_, at) =>
    core.codec.encode({
      type: "content.delivered",
      tenantId: TENANT,
      requestId: `request-${at}`,
      contentId: asId<ContentId>("content"),
      creditsTenths: 1,
      servedAtMs,
    }),
  );
  const place = { topic: "deliveries", partition: 1, key: "key" } as const;
  const timestampMs = systemClock.nowMs();
  await core.eventLog.append(values.map((value) => ({ ...place, value, timestampMs })));
}

describe("feedctl on the real engines", { timeout: TEST_TIMEOUT_MS }, () => {
  it("verify finds every read model as the log makes it, beside a projector", async () => {
    const { stdout, stderr, code } = await feedctl("verify");
    expect({ stderr, code }).toMatchObject({ code: 0 });
    expect(stdout).toMatch(new RegExp(`^content-index +${ARTICLES} +${ARTICLES} +0$`, "m"));
    expect(stdout).toMatch(new RegExp(`^read-state\\.users +${USERS + 1} +${USERS} +0$`, "m"));
    expect(stdout).toMatch(new RegExp(`^activity-store\\.deliveries +${DELIVERIES} +1 +0$`, "m"));
  });

  it("replay goes into an index and an activity store beside a projector, and changes nothing", async () => {
    const replayed = await feedctl("replay", "content-index");
    expect(replayed.stdout).toContain(`content-index: ${ARTICLES} records of`);
    const activity = await feedctl("replay", "activity-store.deliveries");
    expect(activity.stdout).toContain(`${DELIVERIES} records of 1 partition were read again`);
    expect((await feedctl("verify", "content-index", "activity-store")).code).toBe(0);
  });

  it("dead-letters replay asks the projector that keeps the read state", async () => {
    const { stdout, code } = await feedctl("dead-letters", "replay", "0");
    expect(stdout).toMatch(/^0: \S+ refuses it still: .*zero byte/);
    expect(code).toBe(1);
  });

  it("replays into a read state only when no projector keeps it, and says so", async () => {
    const { stderr, code } = await feedctl("replay", "read-state.users");
    expect(stderr).toMatch(/^feedctl: a projector keeps read-state\.users: stop those that/m);
    expect(code).toBe(2);
    expect((await projector.stop("SIGTERM")).code).toBe(0);
    const replayed = await feedctl("replay", "read-state.users");
    expect(replayed.stdout).toMatch(/^read-state\.users: 31 records of \d+ partitions/);
    const letter = await feedctl("dead-letters", "replay", "0");
    expect(letter.stdout).toMatch(/^0: \S+ refuses it still: .*zero byte/);
    expect(letter.code).toBe(1);
  });

  it("lag says what waits while no projector runs, and since when", async () => {
    await appendDeliveries();
    const waiting = await behind(feedctl);
    expect(waiting).toHaveLength(2);
    expect(waiting[0]).toMatchObject({ topic: "deliveries", lag_records: DELIVERIES });
    expect(waiting[0]?.lag_seconds).toBeGreaterThan(0);
    expect((await feedctl("lag", "--max-seconds", "0")).code).toBe(1);
  });

  it("verify ends with 1 and names a sum that is not the log's", async () => {
    await using readState = await openReadState(installation);
    const usage = { tenantId: TENANT, month: "2026-11", partition: 1, tenths: 11 };
    const change = { kind: "put-usage", ...usage, offset: DELIVERIES } as const;
    await readState.apply("deliveries", [change], new Map());
    const { stdout, code } = await feedctl("verify", "read-state");
    expect(stdout).toContain("credits used 2026-11 of acme, partition 1");
    expect(code).toBe(1);
  });
});

import { randomUUID } from "node:crypto";
import { createServer } from "node:net";
import { asId } from "@feed/domain/ids";
import type { SourceId } from "@feed/domain/ids";
import { engineUrl, linkTo, manualClock, waitFor } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { describeReadState } from "./conformance.ts";
import {
  forgetUser,
  KEY,
  keyOf,
  markRead,
  mergeSession,
  MONTH,
  NO_POSITIONS,
  NOW_MS,
  putCap,
  putUser,
  SESSION_REF,
  TENANT,
} from "./conformance/harness.ts";
import { describeVersions } from "./conformance/versions.ts";
import { ReadStateUnavailable } from "./port.ts";
import { openRedisReadState, removeRedisModels } from "./redis.ts";
import { openUnderFreshKeys, UNHURRIED } from "./testing/redis-under-test.ts";

const AWAY: unknown = expect.stringMatching(/^Redis at 127\.0\.0\.1:\d+ can't be used: /);
const server = () => openUnderFreshKeys(engineUrl("READ_STATE"));

describeReadState("Redis", server);
// A cluster refuses a script whose keys lie in different slots.
describeReadState("Redis Cluster", () => openUnderFreshKeys(engineUrl("READ_STATE_CLUSTER")));

for (const engine of ["READ_STATE", "READ_STATE_CLUSTER"] as const)
  describeVersions(engine, async () => {
    const url = engineUrl(engine);
    const keyPrefix = `test-${randomUUID()}*:`;
    const clock = manualClock(NOW_MS);
    const opened = new AsyncDisposableStack();
    return {
      open: async (version) =>
        opened.use(await openRedisReadState({ url, clock, keyPrefix, version, ...UNHURRIED })),
      remove: (version) => removeRedisModels({ url, keyPrefix, version }),
      [Symbol.asyncDispose]: async () => {
        await opened.disposeAsync();
        for (const version of [1, 2]) await removeRedisModels({ url, keyPrefix, version });
      },
    };
  });

describe("Nodes that share a Redis", () => {
  it("count requests and tokens into the same windows and buckets", async () => {
    await using subject = await server();
    const other = await subject.openAnother();
    expect((await subject.state.countRequest("t", 1, NOW_MS)).allowed).toBe(true);
    expect((await other.countRequest("t", 1, NOW_MS)).allowed).toBe(false);
    const bucket = { ratePerSecond: 1, burst: 1 };
    expect((await subject.state.takeToken("t", bucket, NOW_MS)).allowed).toBe(true);
    expect((await other.takeToken("t", bucket, NOW_MS)).allowed).toBe(false);
  });

  it("grant together exactly what a cap allows", async () => {
    await using subject = await server();
    const nodes = [subject.state, await subject.openAnother(), await subject.openAnother()];
    await subject.state.apply("credits", [putCap(0, 300)], NO_POSITIONS);
    const taking = Array.from({ length: 90 }, (_, at) =>
      nodes[at % nodes.length]!.takeCredits(TENANT, MONTH, 10),
    );
    const granted = (await Promise.all(taking)).filter(({ kind }) => kind === "granted");
    expect(granted).toHaveLength(30);
  });

  it("show each other's page walks and running requests", async () => {
    await using subject = await server();
    const other = await subject.openAnother();
    await subject.state.putSnapshot(TENANT, "walk", ["a"], NOW_MS + 1);
    expect(await other.getSnapshot(TENANT, "walk", NOW_MS)).toEqual(["a"]);
    expect((await subject.state.startIdempotent(TENANT, "k", "sha", NOW_MS)).kind).toBe("started");
    expect((await other.startIdempotent(TENANT, "k", "sha", NOW_MS)).kind).toBe("running");
  });

  it("never answer one request with another's answer after it was let go", async () => {
    await using subject = await server();
    const other = await subject.openAnother();
    const laterMs = NOW_MS + 60_000;
    await subject.state.startIdempotent(TENANT, "k", "slow", NOW_MS);
    await other.startIdempotent(TENANT, "k", "next", laterMs);
    const answer = { status: 200, body: "of the slow one", headers: {} };
    await subject.state.finishIdempotent(TENANT, "k", answer, laterMs);
    const again = await other.startIdempotent(TENANT, "k", "next", laterMs);
    expect(again.kind).toBe("running");
  });

  it("leave nothing of a forgotten user when one of them comes late with older changes", async () => {
    await using subject = await server();
    const late = await subject.openAnother();
    const owner = { subjectId: KEY.subjectId, receivedAtMs: NOW_MS, eventId: "e" };
    const changes = [putUser(1), markRead("a"), mergeSession({ owner })];
    await subject.state.apply("users", [...changes, forgetUser(2)], NO_POSITIONS);
    await late.apply("users", changes, NO_POSITIONS);
    expect(await subject.state.users([KEY])).toEqual([{ kind: "forgotten", offset: 2 }]);
    expect(await subject.state.readMarks(KEY)).toEqual(new Set());
    expect(await subject.state.session(TENANT, SESSION_REF)).toBeUndefined();
  });

  it("merge into a session what several of them say of it at once", async () => {
    await using subject = await server();
    const nodes = await Promise.all(Array.from({ length: 4 }, () => subject.openAnother()));
    const saying = nodes.map((node, at) =>
      node.apply("users", [mergeSession({ lastEventAtMs: NOW_MS + at })], NO_POSITIONS),
    );
    await Promise.all(saying);
    const session = await subject.state.session(TENANT, SESSION_REF);
    expect(session?.lastEventAtMs).toBe(NOW_MS + 3);
  });
});

describe("The read state in Redis", () => {
  it("keeps ids apart that look like parts of keys", async () => {
    await using subject = await server();
    const strange = ["a}{b", "a/b", "a:b", "渋谷", "%7D"];
    const changes = strange.map((id, at) => putUser(at, { totalSessions: at }, keyOf(id)));
    await subject.state.apply("users", changes, NO_POSITIONS);
    const records = await subject.state.users(strange.map((id) => keyOf(id)));
    expect(records.map((record) => record?.offset)).toEqual([0, 1, 2, 3, 4]);
  });

  it("takes the changes of ten thousand users in one call", async () => {
    await using subject = await server();
    const keys = Array.from({ length: 10_000 }, (_, at) => keyOf(`subject-${at}`));
    const followedSources = [asId<SourceId>("s")];
    const changes = keys.map((key) => putUser(1, { followedSources }, key));
    await subject.state.apply("users", changes, new Map([[0, 2]]));
    expect((await subject.state.users(keys)).filter(Boolean)).toHaveLength(10_000);
  });

  it("fails at once while Redis is away, and serves again when it is back", async () => {
    const { hostname, port } = new URL(engineUrl("READ_STATE"));
    await using link = await linkTo({ host: hostname, port: Number(port) });
    await using subject = await openUnderFreshKeys(`redis://127.0.0.1:${link.port}`);
    const { state } = subject;
    await state.apply("users", [putUser(1)], NO_POSITIONS);
    await link.break();
    // One that waited would say that there is no answer, and for how long.
    const fault = { name: ReadStateUnavailable.name, message: AWAY };
    for (const call of [
      () => state.users([KEY]),
      () => state.apply("users", [], new Map([[0, 1]])),
      () => state.readMarks(KEY),
    ])
      await expect(call()).rejects.toMatchObject(fault);
    await link.mend();
    await waitFor(async () => (await state.users([KEY]).catch(() => [])).length === 1, {
      timeoutMs: 120_000,
    });
  });

  it("says in one line that it can't be reached", async () => {
    const clock = manualClock(NOW_MS);
    const opening = openRedisReadState({ url: "redis://127.0.0.1:1", clock });
    await expect(opening).rejects.toThrow(ReadStateUnavailable);
    await expect(opening).rejects.toThrow(/^Redis at 127\.0\.0\.1:1 can't be used: [^\n]+$/);
  });

  it("says within seconds that a server accepts and never answers", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    const address = await new Promise((resolve) => {
      silent.once("listening", () => resolve(silent.address()));
    });
    const { port } = address as { readonly port: number };
    const clock = manualClock(NOW_MS);
    const opening = openRedisReadState({ url: `redis://127.0.0.1:${port}`, clock });
    await expect(opening).rejects.toThrow(ReadStateUnavailable);
    silent.close();
  });
});

import { asId, type SubjectId, type TenantId } from "@feed/domain/ids";
import { createFactCodec, openBundledRegistry } from "@feed/event-codec";
import type { EventLog } from "@feed/event-log";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import type { ReadState, ReadStateChange } from "@feed/read-state";
import { createLogger } from "@feed/runtime";
import { buildUserState, temporaryDirectory, waitFor } from "@feed/test-kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLiveReadState } from "./live-read-models.ts";
import { installationPaths } from "./paths.ts";
import {
  changeReadModel,
  followReadModelVersions,
  type VersionsFollower,
} from "./read-model-versions.ts";
import { openReadState } from "./stores.ts";

const ASKED_OFTEN = 50;
const NOW_MS = 1_000;
const codec = createFactCodec(openBundledRegistry());
const log = createLogger({ service: "test", level: "silent" });
const tenantId = asId<TenantId>("acme");
const key = { tenantId, subjectId: asId<SubjectId>("subject-1") };

const userWith = (totalSessions: number, offset = 0): readonly ReadStateChange[] => [
  { kind: "put-user", key, state: buildUserState({ totalSessions }), offset },
];

describe("The live read state", () => {
  let opened: AsyncDisposableStack;
  let eventLog: EventLog;
  let versions: VersionsFollower;
  let live: ReadState;
  let first: ReadState;
  let second: ReadState;

  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    const dataDirectory = opened.use(await temporaryDirectory()).path;
    const installation = { dataDirectory, embedder: "hashed:16" };
    const { eventLog: directory } = installationPaths(dataDirectory);
    eventLog = opened.use(await openEmbeddedEventLog({ directory }));
    versions = opened.use(await followReadModelVersions({ eventLog, codec }));
    first = opened.use(await openReadState(installation));
    await first.apply("users", userWith(1), new Map([[3, 5]]));
    second = opened.use(await openReadState(installation, 2));
    live = opened.use(await openLiveReadState(installation, { versions, log, catchUpMs: 60_000 }));
  });
  afterEach(() => opened.disposeAsync());

  const change = (version: number, state: "kept" | "live") =>
    changeReadModel({ eventLog, codec }, "read-state", { version, state, atMs: NOW_MS });
  const sessions = async (): Promise<number | undefined> => {
    const [user] = await live.users([key]);
    return user?.kind === "user" ? user.state.totalSessions : undefined;
  };

  it("is another version once that has passed everything that was read", async () => {
    await second.apply("users", userWith(2), new Map([[3, 4]]));
    await change(2, "live");
    await waitFor(async () => (await live.positions("users")).get(3) === 4);
    expect(await sessions()).toBe(1);
    await second.apply("users", [], new Map([[3, 6]]));
    await waitFor(async () => (await sessions()) === 2);
    expect(await live.positions("users")).toEqual(new Map([[3, 6]]));
  });

  it("is not that version yet where readers have seen more meanwhile", async () => {
    await second.apply("users", userWith(2), new Map([[3, 4]]));
    await change(2, "live");
    await waitFor(async () => (await live.positions("users")).get(3) === 4);
    await first.apply("users", userWith(3, 5), new Map([[3, 6]]));
    await waitFor(async () => (await sessions()) === 3);
    await second.apply("users", [], new Map([[3, 5]]));
    // Time and again: it has all that was there when the switch began.
    const answers: (number | undefined)[] = [];
    await waitFor(async () => answers.push(await sessions()) > ASKED_OFTEN);
    expect([...new Set(answers)]).toEqual([3]);
    await second.apply("users", userWith(4, 5), new Map([[3, 6]]));
    await waitFor(async () => (await sessions()) === 4);
  });

  it("stays where it is when a switch is called off", async () => {
    await change(2, "live");
    await waitFor(async () => (await live.positions("users")).get(3) === 0);
    await change(1, "live");
    await waitFor(async () => (await live.positions("users")).get(3) === 5);
    expect(await sessions()).toBe(1);
  });

  it("keeps requests in progress, windows and lists across versions", async () => {
    const limit = 2;
    expect(await live.countRequest("key", limit, NOW_MS)).toMatchObject({ remaining: 1 });
    expect(await live.startIdempotent(tenantId, "k", "sha", NOW_MS)).toEqual({ kind: "started" });
    await live.putSnapshot(tenantId, "list", ["a"], NOW_MS + 60_000);
    await second.apply("users", userWith(2), new Map([[3, 6]]));
    await change(2, "live");
    await waitFor(async () => (await sessions()) === 2);
    expect(await live.countRequest("key", limit, NOW_MS)).toMatchObject({ remaining: 0 });
    expect(await live.getSnapshot(tenantId, "list", NOW_MS)).toEqual(["a"]);
    const answer = { status: 201, body: "{}", headers: {} };
    await live.finishIdempotent(tenantId, "k", answer, NOW_MS);
    expect(await live.startIdempotent(tenantId, "k", "sha", NOW_MS)).toMatchObject(answer);
  });
});

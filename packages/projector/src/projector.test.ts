import type { UserFact } from "@feed/domain/facts";
import { asId } from "@feed/domain/ids";
import type { TenantId, UserRef } from "@feed/domain/ids";
import type { LogPosition } from "@feed/domain/topics";
import { LogUnavailable } from "@feed/event-log";
import type { EventLog } from "@feed/event-log";
import { ReadStateUnavailable } from "@feed/read-state";
import type { ReadState } from "@feed/read-state";
import { buildBehaviourRecorded as event, temporaryDirectory, waitFor } from "@feed/test-kit";
import type { TemporaryDirectory } from "@feed/test-kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { projectionLag } from "./lag.ts";
import type { BatchMeasure } from "./batch-projection.ts";
import { runProjector } from "./projector.ts";
import type { Projector, ProjectorOptions } from "./projector.ts";
import {
  appendUserFacts,
  clock,
  codec,
  log,
  openInstallation,
  partitionOf,
  recordOf,
} from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";
import { randomUserFacts } from "./testing/random-facts.ts";
import { differencesFrom } from "./verify/differences.ts";
import { foldUsersLog } from "./verify/expected-users.ts";
import { waitForProjection } from "./wait-for-projection.ts";

const TIMEOUT = { timeoutMs: 120_000 };
const TENANT = asId<TenantId>("tenant-1");
const KEY = { tenantId: TENANT, subjectId: event().subjectId };
const MIXED = { users: 60, profileShare: 0.2, deletionShare: 0.01 };

let directory: TemporaryDirectory;
let installation: Installation;

beforeEach(async () => {
  directory = await temporaryDirectory();
  installation = await openInstallation(directory.path);
});
afterEach(async () => {
  await installation[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

function project(options: Partial<ProjectorOptions> = {}): Promise<Projector> {
  const { eventLog, personalData, readState } = installation;
  return runProjector({ eventLog, personalData, readState, codec, clock, log, ...options });
}

async function visible(position: LogPosition | undefined): Promise<boolean> {
  if (position === undefined) throw new Error("nothing was appended");
  const { signal } = new AbortController();
  return waitForProjection(installation.readState, "users", position, { ...TIMEOUT, signal });
}

async function usersLag(): Promise<number> {
  const { eventLog, readState } = installation;
  return projectionLag(eventLog, "users", await readState.positions("users"));
}

/** `object` with some of its methods replaced. */
function wrap<T extends object>(object: T, changes: Partial<T>): T {
  return new Proxy(object, {
    get: (target, name) => {
      const member: unknown = Reflect.get(name in changes ? changes : target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

describe("the projector", () => {
  it("makes a fact visible that was appended before or after it started", async () => {
    const [before] = await appendUserFacts(installation, [event({ kind: "session_start" })]);
    await using _projector = await project();
    expect(await visible(before)).toBe(true);
    const second = event({ kind: "session_start", eventId: "event-2" });
    const [after] = await appendUserFacts(installation, [second]);
    expect(await visible(after)).toBe(true);
    const [user] = await installation.readState.users([KEY]);
    expect(user).toMatchObject({ state: { totalSessions: 2 } });
  });

  it("keeps the read state as a fold of the log, fact by fact, would have it", async () => {
    await appendUserFacts(installation, randomUserFacts(1, 3_000, MIXED));
    await using _projector = await project();
    await waitFor(async () => (await usersLag()) === 0);
    const expected = await foldUsersLog(installation.eventLog, installation.personalData);
    expect(expected.subjects.size).toBe(120);
    expect(await differencesFrom(expected, installation.readState)).toEqual([]);
    const [subject] = expected.subjects.values();
    const key = subject?.key ?? KEY;
    const userRef = asId<UserRef>("user-ref");
    const changes = [
      { kind: "forget-user", key, userRef, nextGeneration: 1, offset: 1e9 },
    ] as const;
    await installation.readState.apply("users", changes, new Map());
    expect(await differencesFrom(expected, installation.readState)).not.toEqual([]);
  });

  it("adds up what deliveries cost and follows caps", async () => {
    const { eventLog, readState } = installation;
    const served = { tenantId: TENANT, servedAtMs: clock.nowMs(), creditsTenths: 10 };
    const delivered = { type: "feed.delivered", scenario: "main", items: [], ...served } as const;
    const cap = {
      type: "usage-cap.set",
      tenantId: TENANT,
      capTenths: 20,
      actor: "a",
      atMs: 1,
    } as const;
    await using _projector = await project();
    await eventLog.append([
      recordOf("deliveries", 3, { ...delivered, requestId: "request-1" }),
      recordOf("deliveries", 4, { ...delivered, requestId: "request-2" }),
      recordOf("credits", 0, cap),
    ]);
    const standing = () => readState.creditStanding(TENANT, "2026-11");
    const isFull = async () => {
      const { usedTenths, capTenths } = await standing();
      return usedTenths === 20 && capTenths === 20;
    };
    await waitFor(isFull);
    expect((await readState.takeCredits(TENANT, "2026-11", 1)).kind).toBe("cap-reached");
  });

  it("puts a record that nobody can read into the dead letters and goes on", async () => {
    const bad = { topic: "users", partition: partitionOf(KEY), key: "k", timestampMs: 1 } as const;
    await installation.eventLog.append([{ ...bad, value: new Uint8Array([9, 9, 9]) }]);
    const [good] = await appendUserFacts(installation, [event()]);
    const measures: BatchMeasure[] = [];
    await using _projector = await project({ onBatch: (measure) => measures.push(measure) });
    expect(await visible(good)).toBe(true);
    const { records } = await installation.eventLog.read("dead-letters", 0, 0, 10);
    expect(records.map((record) => record.value && codec.decode(record.value))).toMatchObject([
      {
        type: "dead-letter",
        sourceTopic: "users",
        sourcePartition: bad.partition,
        sourceOffset: 0,
        stage: "decode",
        original: Buffer.from([9, 9, 9]),
      },
    ]);
    const measured = () => measures.reduce((sum, { deadLetters }) => sum + deadLetters, 0);
    await waitFor(() => measured() > 0);
    expect(measured()).toBe(1);
  });

  it("puts a fact that makes no sense into the dead letters, with the projection's name", async () => {
    const [, good] = await appendUserFacts(installation, [event({ personal: {} }), event()]);
    await using _projector = await project();
    expect(await visible(good)).toBe(true);
    const { records } = await installation.eventLog.read("dead-letters", 0, 0, 10);
    const letters = records.map((record) => record.value && codec.decode(record.value));
    expect(letters).toMatchObject([{ stage: "read-state.users", sourceOffset: 0 }]);
  });

  it("does not pass a record whose dead letter can't be written, and does when it can", async () => {
    let away = true;
    const eventLog: EventLog = wrap(installation.eventLog, {
      append: (records) => {
        if (away) return Promise.reject(new LogUnavailable("away"));
        return installation.eventLog.append(records);
      },
    });
    let tries = 0;
    const warned = wrap(log, { warn: () => void (tries += 1) });
    const [bad] = await appendUserFacts(installation, [event({ personal: {} })]);
    await using _projector = await project({ eventLog, log: warned });
    await waitFor(() => tries >= 2);
    expect(await installation.readState.positions("users")).toEqual(new Map());
    away = false;
    expect(await visible(bad)).toBe(true);
  });

  it("waits for a store that is away, and then goes on in order", async () => {
    let refusals = 3;
    const readState: ReadState = wrap(installation.readState, {
      apply: (...call) => {
        refusals -= 1;
        if (refusals >= 0) return Promise.reject(new ReadStateUnavailable("away"));
        return installation.readState.apply(...call);
      },
    });
    const [position] = await appendUserFacts(installation, [event({ kind: "session_start" })]);
    await using _projector = await project({ readState });
    expect(await visible(position)).toBe(true);
    const [user] = await installation.readState.users([KEY]);
    expect(user).toMatchObject({ state: { totalSessions: 1 } });
  });

  it("stops loudly at an error that neither waiting nor a dead letter cures", async () => {
    const readState: ReadState = wrap(installation.readState, {
      apply: () => Promise.reject(new TypeError("a bug")),
    });
    await using projector = await project({ readState });
    await appendUserFacts(installation, [event()]);
    await expect(projector.failed).rejects.toThrow("a bug");
    expect(await installation.readState.positions("users")).toEqual(new Map());
  });

  it("stops loudly when a store never answers, and goes on where it was when it is started again", async () => {
    const readState: ReadState = wrap(installation.readState, {
      apply: () => new Promise(() => {}),
    });
    const [position] = await appendUserFacts(installation, [event({ kind: "session_start" })]);
    {
      await using projector = await project({ readState, callTimeoutMs: 50 });
      await expect(projector.failed).rejects.toThrow("read-state.users hangs");
    }
    await using _again = await project();
    expect(await visible(position)).toBe(true);
    const [user] = await installation.readState.users([KEY]);
    expect(user).toMatchObject({ state: { totalSessions: 1 } });
  });

  it("begins where the store stands, not where the group does", async () => {
    const [position] = await appendUserFacts(installation, [event({ kind: "session_start" })]);
    {
      await using _projector = await project();
      expect(await visible(position)).toBe(true);
    }
    await using elsewhere = await temporaryDirectory();
    const { openEmbeddedReadState } = await import("@feed/read-state/embedded");
    await using fresh = await openEmbeddedReadState({ directory: elsewhere.path });
    await using _rebuild = await project({ readState: fresh });
    const rebuilt = async () => (await fresh.users([KEY]))[0] !== undefined;
    await waitFor(rebuilt);
    expect(await fresh.users([KEY])).toEqual(await installation.readState.users([KEY]));
  });

  it("forgets a deleted user, whose late facts change nothing", async () => {
    const deleted: UserFact = {
      type: "user.deleted",
      ...KEY,
      userRef: asId<UserRef>("user-ref"),
      generation: 0,
      receivedAtMs: clock.nowMs(),
    };
    const positions = await appendUserFacts(installation, [event(), deleted, event()]);
    await using _projector = await project();
    expect(await visible(positions.at(-1))).toBe(true);
    expect(await installation.readState.users([KEY])).toMatchObject([{ kind: "forgotten" }]);
    expect(await installation.readState.readMarks(KEY)).toEqual(new Set());
    expect(await installation.readState.generations(TENANT, [asId<UserRef>("user-ref")])).toEqual([
      1,
    ]);
  });
});

describe("waiting for a projection (architecture rule 1)", () => {
  it("ends with false when the fact is not visible in time", async () => {
    const [position] = await appendUserFacts(installation, [event()]);
    if (position === undefined) throw new Error("nothing was appended");
    const options = { timeoutMs: 20, signal: new AbortController().signal };
    const waiting = waitForProjection(installation.readState, "users", position, options);
    expect(await waiting).toBe(false);
  });

  it("ends with the reason of the signal", async () => {
    const [position] = await appendUserFacts(installation, [event()]);
    if (position === undefined) throw new Error("nothing was appended");
    const options = { timeoutMs: 5_000, signal: AbortSignal.abort(new Error("gone")) };
    const waiting = waitForProjection(installation.readState, "users", position, options);
    await expect(waiting).rejects.toThrow("gone");
  });
});

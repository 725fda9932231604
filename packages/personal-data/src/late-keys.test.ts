import type { NewRecord } from "@feed/event-log";
import { LogUnavailable } from "@feed/event-log";
import { waitFor } from "@feed/test-kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  alice,
  bob,
  openGate,
  openInstallation,
  openOne,
  personal,
  sealOne,
} from "./installation.fixture.ts";
import type { Installation } from "./installation.fixture.ts";

let installation: Installation;

beforeEach(async () => {
  installation = await openInstallation();
});
afterEach(() => installation[Symbol.asyncDispose]());

const makesKey = (records: readonly NewRecord[]) => records.some(({ value }) => value !== null);

/** Names of the keys that compaction would leave: the last record of each is no tombstone. */
async function keysLeft(): Promise<readonly string[]> {
  const last = new Map((await installation.keyRecords()).map(({ key, value }) => [key, value]));
  return [...last].flatMap(([key, value]) => (value === null ? [] : [key]));
}

/** A tombstone for one of them may come at any time. */
async function keysMade(): Promise<number> {
  return (await installation.keyRecords()).filter(({ value }) => value !== null).length;
}

async function noKeyIsLeft(): Promise<void> {
  await waitFor(async () => (await keysLeft()).length === 0);
}

/** A process with a table of its own, whose next key is held back on its way into the log. */
async function sealWithKeyOnItsWay() {
  const gate = openGate();
  const late = await installation.start("late", {
    replace: (log) => ({
      append: async (records) => {
        if (makesKey(records)) await gate.pass();
        return log.append(records);
      },
    }),
  });
  const sealing = sealOne(late);
  await gate.reached;
  return { late, sealing, gate };
}

describe("fields sealed for a subject that is forgotten", () => {
  it.each([
    ["at once where it was deleted", "keys"],
    ["in another process once it knows", "other"],
  ])("are left out, %s, and no key is made", async (_, table) => {
    const [data, other] = [await installation.start(), await installation.start(table)];
    // In one partition, so that who knows of the one knows of the other.
    const carol = { ...bob, partition: alice.partition };
    await sealOne(data);
    await data.forgetAll([alice, carol]);
    await waitFor(async () => (await sealOne(other)).bytes.length === 0);
    const made = await keysMade();
    const sealer = table === "keys" ? data : other;
    const items = [alice, carol].map((subject) => ({ ...subject, personal }));
    const [ofAlice, ofCarol] = await sealer.sealAll(items);
    expect([ofAlice?.bytes.length, ofCarol?.bytes.length]).toEqual([0, 0]);
    expect(await openOne(data, ofAlice!)).toEqual({ fields: null });
    expect(await openOne(await installation.start("fresh"), ofCarol!, carol)).toEqual({
      fields: null,
    });
    expect(await keysMade()).toBe(made);
  });
});

describe("a key that another process makes for a subject while it is forgotten", () => {
  it.each([
    ["had a key", true],
    ["had none", false],
  ])("opens nothing and is destroyed, where the subject %s", async (_, hadKey) => {
    const data = await installation.start();
    const { late, sealing, gate } = await sealWithKeyOnItsWay();
    if (hadKey) await sealOne(data);
    await data.forgetAll([alice]);
    gate.release();
    const sealed = await sealing;
    expect(await openOne(data, sealed)).toEqual({ fields: null });
    await waitFor(() => late.open({ ...alice, sealed }) === null);
    await noKeyIsLeft();
  });

  it.each([
    ["had a key", true],
    ["had none", false],
  ])("is destroyed too when it comes just before, where the subject %s", async (_, hadKey) => {
    const tombstones = openGate();
    const data = await installation.start("keys", {
      replace: (log) => ({
        append: async (records) => {
          if (!makesKey(records)) await tombstones.pass();
          return log.append(records);
        },
      }),
    });
    const { late, sealing, gate } = await sealWithKeyOnItsWay();
    if (hadKey) await sealOne(data);
    const forgetting = data.forgetAll([alice]);
    await tombstones.reached;
    gate.release();
    const sealed = await sealing;
    tombstones.release();
    await forgetting;
    expect(data.open({ ...alice, sealed })).toBeNull();
    await waitFor(() => late.open({ ...alice, sealed }) === null);
    await noKeyIsLeft();
  });

  it("is destroyed after a restart when the process that found it could not", async () => {
    const found = openGate();
    let tombstoneAppends = 0;
    const data = await installation.start("keys", {
      replace: (log) => ({
        append: async (records) => {
          if (makesKey(records) || (tombstoneAppends += 1) === 1) return log.append(records);
          void found.pass();
          throw new LogUnavailable("killed");
        },
      }),
    });
    data.failed.catch(() => undefined);
    const { late, sealing, gate } = await sealWithKeyOnItsWay();
    await sealOne(data);
    await data.forgetAll([alice]);
    // Its own table would destroy the key as well.
    const leaving = late[Symbol.asyncDispose]();
    gate.release();
    await Promise.all([sealing, leaving, found.reached]);
    await data[Symbol.asyncDispose]();
    expect(await keysLeft()).toHaveLength(1);
    await installation.start();
    await noKeyIsLeft();
  });

  it("is made to its end where its process is closed meanwhile", async () => {
    const data = await installation.start();
    const { late, sealing, gate } = await sealWithKeyOnItsWay();
    const leaving = late[Symbol.asyncDispose]();
    // By the time this is in the log, a process that waits for nothing has closed its table.
    await sealOne(data, bob);
    gate.release();
    expect(await openOne(data, await sealing)).toEqual({ fields: personal });
    await leaving;
  });

  it("is not kept in memory where it is forgotten before its append is acknowledged", async () => {
    const gate = openGate();
    const late = await installation.start("late", {
      replace: (log) => ({
        append: async (records) => {
          const positions = await log.append(records);
          if (makesKey(records)) await gate.pass();
          return positions;
        },
      }),
    });
    const sealing = sealOne(late);
    await gate.reached;
    const data = await installation.start();
    const known = await sealOne(data);
    // Else it would take the key that is on its way, which waits for the gate.
    await waitFor(() => late.open({ ...alice, sealed: known }) !== undefined);
    await data.forgetAll([alice]);
    await waitFor(async () => (await sealOne(late)).bytes.length === 0);
    gate.release();
    expect(late.open({ ...alice, sealed: await sealing })).toBeNull();
  });
});

import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SealedUserFact } from "@feed/domain/facts";
import { asId } from "@feed/domain/ids";
import type { SubjectId, TenantId, UserRef } from "@feed/domain/ids";
import { openKeyring } from "@feed/signing";
import { buildBehaviourRecorded, waitFor } from "@feed/test-kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  alice,
  bob,
  clock,
  codec,
  openInstallation,
  openOne,
  personal,
  sealOne,
  tenantId,
} from "./installation.fixture.ts";
import type { Installation } from "./installation.fixture.ts";

let installation: Installation;

beforeEach(async () => {
  installation = await openInstallation();
});
afterEach(() => installation[Symbol.asyncDispose]());

async function appendFact(fact: SealedUserFact, partition = alice.partition): Promise<void> {
  const value = codec.encode(fact);
  const record = {
    topic: "users",
    partition,
    key: "user-ref",
    value,
    timestampMs: clock.nowMs(),
  } as const;
  await installation.eventLog.append([record]);
}

async function bytesOnDisk(): Promise<Buffer> {
  const files = await readdir(installation.directory, { recursive: true, withFileTypes: true });
  const whole = files.filter((file) => file.isFile());
  return Buffer.concat(
    await Promise.all(whole.map((file) => readFile(join(file.parentPath, file.name)))),
  );
}

describe("sealed personal fields", () => {
  it("are opened by the process that sealed them, at once", async () => {
    const data = await installation.start();
    const sealed = await sealOne(data);
    expect(data.open({ ...alice, sealed })).toEqual(personal);
  });

  it("are opened by another process, which reads the keys it lacks", async () => {
    const sealed = await sealOne(await installation.start());
    expect(await openOne(await installation.start("other"), sealed)).toEqual({ fields: personal });
  });

  it("wait for their key rather than look deleted, while the table has not passed it", async () => {
    const other = await installation.start("other");
    const sealed = await sealOne(await installation.start());
    const ahead = { ...sealed, keyOffset: sealed.keyOffset + 1 };
    await waitFor(() => other.open({ ...alice, sealed }) !== undefined);
    expect(other.open({ ...bob, sealed: ahead })).toBeUndefined();
    expect(await openOne(other, ahead, bob)).toEqual({
      unreadable: "it names a key that is not in the log",
    });
  });

  it("are sealed under one key for each subject, all made in one append", async () => {
    const data = await installation.start();
    const items = [alice, bob, alice].map((subject) => ({ ...subject, personal }));
    const [first, second, third] = await data.sealAll(items);
    expect(third?.keyId).toBe(first?.keyId);
    expect(second?.keyId).not.toBe(first?.keyId);
    expect((await installation.keyRecords()).map(({ key }) => key)).toEqual([
      `${alice.subjectId}:${first?.keyId}`,
      `${bob.subjectId}:${second?.keyId}`,
    ]);
  });

  it("keep their key over calls at once, later calls and restarts", async () => {
    const first = await installation.start();
    const sealed = await Promise.all([sealOne(first), sealOne(first), sealOne(first)]);
    const again = await sealOne(first);
    await first.openAll([{ ...alice, sealed: again }]);
    await first[Symbol.asyncDispose]();
    const restarted = await installation.start("other");
    await openOne(restarted, again);
    sealed.push(again, await sealOne(restarted));
    expect(new Set(sealed.map(({ keyId }) => keyId)).size).toBe(1);
    expect(await installation.keyRecords()).toHaveLength(1);
  });

  it("are all opened when two processes made a key for one subject", async () => {
    const [one, two] = [await installation.start("one"), await installation.start("two")];
    const [first, second] = await Promise.all([sealOne(one), sealOne(two)]);
    expect(first.keyId).not.toBe(second.keyId);
    for (const data of [one, two]) {
      expect(await openOne(data, first)).toEqual({ fields: personal });
      expect(await openOne(data, second)).toEqual({ fields: personal });
    }
  });

  it("differ each time they are sealed", async () => {
    const data = await installation.start();
    expect((await sealOne(data)).bytes).not.toEqual((await sealOne(data)).bytes);
  });
});

describe("sealed personal fields do not open", () => {
  it("with the key of another subject", async () => {
    const data = await installation.start();
    const [ofAlice, ofBob] = [await sealOne(data), await sealOne(data, bob)];
    expect(await openOne(data, ofAlice, bob)).toEqual({ fields: null });
    const mixed = { ...ofBob, bytes: ofAlice.bytes };
    expect(await openOne(data, mixed, bob)).toEqual({
      unreadable: "its personal fields can't be opened",
    });
  });

  it("for another tenant", async () => {
    const data = await installation.start();
    const sealed = await sealOne(data);
    const foreign = { ...alice, tenantId: asId<TenantId>("tenant-2") };
    expect(await openOne(data, sealed, foreign)).toHaveProperty("unreadable");
    expect(await openOne(await installation.start("other"), sealed, foreign)).toHaveProperty(
      "unreadable",
    );
  });

  it.each([0, 11, 12, 27, 28, -1])("when they are damaged at byte %i, or cut there", async (at) => {
    const data = await installation.start();
    const sealed = await sealOne(data);
    const bytes = Buffer.from(sealed.bytes);
    const index = at < 0 ? bytes.length + at : at;
    bytes[index] = (bytes[index] ?? 0) ^ 1;
    expect(await openOne(data, { ...sealed, bytes })).toHaveProperty("unreadable");
    const cut = { ...sealed, bytes: sealed.bytes.subarray(0, index) };
    expect(await openOne(data, cut)).toHaveProperty("unreadable");
  });

  it("under another root secret", async () => {
    const sealed = await sealOne(await installation.start());
    const other = await installation.start("other", {
      keyring: openKeyring({ root: randomBytes(32), clock }),
    });
    expect(await openOne(other, sealed)).toEqual({ unreadable: "its key can't be unwrapped" });
  });

  it("when their key's record is damaged: unreadable, not deleted", async () => {
    const record = {
      topic: "user-keys",
      partition: alice.partition,
      key: `${alice.subjectId}:k1`,
      value: Buffer.from("garbage"),
      timestampMs: 0,
    } as const;
    await installation.eventLog.append([record]);
    const sealed = { keyId: "k1", keyOffset: 0, bytes: Buffer.alloc(40) };
    const outcome = await openOne(await installation.start(), sealed);
    expect(outcome).toEqual({ unreadable: "its key's record can't be read" });
  });
});

describe("the log", () => {
  it("never holds a user id, a session id or a property in clear", async () => {
    const data = await installation.start();
    const { personal: _, ...click } = buildBehaviourRecorded(alice);
    await appendFact({ ...click, personal: await sealOne(data) });
    const disk = await bytesOnDisk();
    expect(disk.includes(click.eventId)).toBe(true);
    for (const secret of ["alice@example.com", "session-of-alice-4711", "telephone-of-alice"]) {
      expect(disk.includes(secret)).toBe(false);
    }
  });
});

describe("a batch of users", () => {
  it("is opened one outcome for each record, in order, the bad ones among them", async () => {
    const data = await installation.start();
    const { partition: _, ...subject } = alice;
    const { personal: opened, ...click } = buildBehaviourRecorded({ ...subject, personal });
    const userRef = asId<UserRef>("user-ref");
    const deleted = {
      ...subject,
      type: "user.deleted",
      userRef,
      generation: 0,
      receivedAtMs: 5,
    } as const;
    const source = {
      topic: "users",
      partition: alice.partition,
      key: "k",
      timestampMs: 0,
    } as const;
    await appendFact({ ...click, personal: await sealOne(data) });
    await installation.eventLog.append([
      { ...source, value: Buffer.from("garbage") },
      { ...source, value: null },
      {
        ...source,
        value: codec.encode({ type: "usage-cap.set", tenantId, capTenths: 1, actor: "a", atMs: 0 }),
      },
    ]);
    await appendFact({ ...click, personal: { keyId: "k", keyOffset: 9, bytes: Buffer.alloc(40) } });
    await appendFact(deleted);
    const batch = await installation.eventLog.read("users", alice.partition, 0, 100);
    const other = await installation.start("other");
    const outcomes = await other.openUserFacts(batch);
    expect(outcomes.map(({ offset }) => offset)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(
      outcomes.map((outcome) => ("fact" in outcome ? outcome.fact : outcome.unreadable)),
    ).toEqual([
      { ...click, personal: opened },
      "it does not begin with a zero byte and a schema id",
      "it is a tombstone",
      "usage-cap.set is no fact about a user",
      "it names a key that is not in the log",
      deleted,
    ]);
    await data.forgetAll([alice]);
    const [first] = await data.openUserFacts(batch);
    expect(first).toMatchObject({ fact: { type: "behaviour.recorded", personal: null } });
  });
});

describe("the key table", () => {
  it("is folded anew when its log is another one", async () => {
    const data = await installation.start();
    const items = Array.from({ length: 5 }, (_, index) => {
      const subjectId = asId<SubjectId>(`subject-number-${index}`);
      return { ...alice, subjectId, personal };
    });
    const before = await data.sealAll(items);
    await openOne(data, before[4]!, items[4]);
    await data[Symbol.asyncDispose]();
    await installation.replaceLog();
    const sealed = await sealOne(await installation.start());
    expect(sealed.keyOffset).toBe(0);
    expect(await openOne(await installation.start("other"), sealed)).toEqual({ fields: personal });
    expect(await openOne(await installation.start(), sealed)).toEqual({ fields: personal });
  });
});

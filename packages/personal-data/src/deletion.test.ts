import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import { waitFor } from "@feed/test-kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  alice,
  bob,
  codec,
  openInstallation,
  openOne,
  personal,
  sealOne,
  TIMEOUT,
} from "./installation.fixture.ts";
import type { Installation } from "./installation.fixture.ts";

let installation: Installation;

beforeEach(async () => {
  installation = await openInstallation();
});
afterEach(() => installation[Symbol.asyncDispose]());

describe("a deleted subject", () => {
  it("is unreadable at once where it was deleted, and the others of its partition are not", async () => {
    const data = await installation.start();
    const [ofAlice, ofBob] = [await sealOne(data), await sealOne(data, bob)];
    await data.forget(alice, alice.partition);
    expect(data.open({ ...alice, sealed: ofAlice })).toBeNull();
    expect(data.open({ ...bob, sealed: ofBob })).toEqual(personal);
  });

  it.each(["keys", "other"])(
    "becomes unreadable in a process with table %s that had its key",
    async (name) => {
      const data = await installation.start();
      const other = await installation.start(name);
      const sealed = await sealOne(data);
      expect(await openOne(other, sealed)).toEqual({ fields: personal });
      await data.forget(alice, alice.partition);
      await waitFor(() => other.open({ ...alice, sealed }) === null, TIMEOUT);
    },
  );

  it("loses every key it has", async () => {
    const [one, two] = [await installation.start("one"), await installation.start("two")];
    const sealed = await Promise.all([sealOne(one), sealOne(two)]);
    await one.forget(alice, alice.partition);
    for (const each of sealed) expect(one.open({ ...alice, sealed: each })).toBeNull();
    const tombstones = (await installation.keyRecords()).filter(({ value }) => value === null);
    const expected = sealed.map(({ keyId }) => `${alice.subjectId}:${keyId}`);
    expect(tombstones.map(({ key }) => key).toSorted()).toEqual(expected.toSorted());
  });

  it("is not brought back by a rebuild of the table from the log", async () => {
    const data = await installation.start();
    const sealed = await sealOne(data);
    await data.forget(alice, alice.partition);
    await data[Symbol.asyncDispose]();
    await rm(join(installation.directory, "keys"), { recursive: true });
    expect(await openOne(await installation.start(), sealed)).toEqual({ fields: null });
  });

  it("is not brought back once compaction has removed its key and its tombstone", async () => {
    const data = await installation.start();
    const [sealed, ofBob] = [await sealOne(data), await sealOne(data, bob)];
    await data.forget(alice, alice.partition);
    const path = join(installation.directory, "log");
    await using compacting = await openEmbeddedEventLog({ directory: path, compactionLagMs: 0 });
    const left = async () => (await installation.keyRecords()).map(({ key }) => key);
    await waitFor(async () => {
      await compacting.compact();
      return (await left()).length === 1;
    }, TIMEOUT);
    expect(await left()).toEqual([`${bob.subjectId}:${ofBob.keyId}`]);
    const fresh = await installation.start("fresh");
    expect(await openOne(fresh, sealed)).toEqual({ fields: null });
    expect(await openOne(fresh, ofBob, bob)).toEqual({ fields: personal });
  });

  it("is not brought back by a key that another process makes late", async () => {
    const [data, late] = [await installation.start(), await installation.start("other")];
    await sealOne(data);
    await data.forget(alice, alice.partition);
    const sealed = await sealOne(late);
    expect(await openOne(data, sealed)).toEqual({ fields: null });
    await waitFor(() => late.open({ ...alice, sealed }) === null, TIMEOUT);
    // The late key itself is destroyed in the log: a table built after compaction can't know it was late.
    const isTombstone = ({ key, value }: { key: string; value: unknown }) =>
      value === null && key === `${alice.subjectId}:${sealed.keyId}`;
    await waitFor(async () => (await installation.keyRecords()).some(isTombstone), TIMEOUT);
  });

  it("leaves none of its key's bytes in the table's files", async () => {
    const data = await installation.start();
    const sealed = await sealOne(data);
    await openOne(await installation.start("other"), sealed);
    const [record] = await installation.keyRecords();
    const fact = codec.decode(record!.value!);
    const wrapped = fact.type === "user-key.created" ? Buffer.from(fact.wrapped) : Buffer.alloc(60);
    const table = () => readFile(join(installation.directory, "other", "wrapped-keys"));
    const lmdb = () => readFile(join(installation.directory, "other", "data.mdb"));
    await waitFor(async () => (await table()).includes(wrapped), TIMEOUT);
    await data.forget(alice, alice.partition);
    await waitFor(async () => !(await table()).includes(wrapped), TIMEOUT);
    expect((await lmdb()).includes(wrapped)).toBe(false);
  });

  it("may be deleted again, and so may one that never was", async () => {
    const data = await installation.start();
    await sealOne(data);
    await data.forget(alice, alice.partition);
    const records = await installation.keyRecords();
    await data.forget(alice, alice.partition);
    await data.forget(bob, bob.partition);
    expect(await installation.keyRecords()).toHaveLength(records.length);
  });

  it("has an open key and its tombstone folded in one batch", async () => {
    const data = await installation.start();
    const sealed = await sealOne(data);
    await data.forget(alice, alice.partition);
    const fresh = await installation.start("fresh");
    expect(await openOne(fresh, sealed)).toEqual({ fields: null });
  });
});

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import { waitFor } from "@feed/test-kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  alice,
  bob,
  codec,
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

describe("a deleted subject", () => {
  it("is unreadable at once where it was deleted, and the others of its partition are not", async () => {
    const data = await installation.start();
    const [ofAlice, ofBob] = [await sealOne(data), await sealOne(data, bob)];
    await data.forgetAll([alice]);
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
      await data.forgetAll([alice]);
      await waitFor(() => other.open({ ...alice, sealed }) === null);
    },
  );

  it("is unreadable at once where it is deleted again before the first deletion was heard of", async () => {
    const data = await installation.start();
    const deaf = openGate();
    const other = await installation.start("keys", {
      replace: (log) => ({
        follow: (options) => log.follow({ ...options, onBatches: deaf.pass }),
      }),
    });
    const sealed = await sealOne(data);
    expect(await openOne(other, sealed)).toEqual({ fields: personal });
    await data.forgetAll([alice]);
    await other.forgetAll([alice]);
    expect(other.open({ ...alice, sealed })).toBeNull();
    deaf.release();
  });

  it("loses every key it has", async () => {
    const [one, two] = [await installation.start("one"), await installation.start("two")];
    const sealed = await Promise.all([sealOne(one), sealOne(two)]);
    await one.forgetAll([alice]);
    for (const each of sealed) expect(one.open({ ...alice, sealed: each })).toBeNull();
    const tombstones = (await installation.keyRecords()).filter(({ value }) => value === null);
    const expected = sealed.map(({ keyId }) => `${alice.subjectId}:${keyId}`);
    expect(tombstones.map(({ key }) => key).toSorted()).toEqual(expected.toSorted());
  });

  it("is not brought back by a rebuild of the table from the log", async () => {
    const data = await installation.start();
    const sealed = await sealOne(data);
    await data.forgetAll([alice]);
    await data[Symbol.asyncDispose]();
    await rm(join(installation.directory, "keys"), { recursive: true });
    expect(await openOne(await installation.start(), sealed)).toEqual({ fields: null });
  });

  it("is not brought back once compaction has removed its key and its tombstone", async () => {
    const data = await installation.start();
    const [sealed, ofBob] = [await sealOne(data), await sealOne(data, bob)];
    await data.forgetAll([alice]);
    const path = join(installation.directory, "log");
    await using compacting = await openEmbeddedEventLog({ directory: path, compactionLagMs: 0 });
    const left = async () => (await installation.keyRecords()).map(({ key }) => key);
    await waitFor(async () => {
      await compacting.compact();
      return (await left()).length === 1;
    });
    expect(await left()).toEqual([`${bob.subjectId}:${ofBob.keyId}`]);
    const fresh = await installation.start("fresh");
    expect(await openOne(fresh, sealed)).toEqual({ fields: null });
    expect(await openOne(fresh, ofBob, bob)).toEqual({ fields: personal });
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
    await waitFor(async () => (await table()).includes(wrapped));
    await data.forgetAll([alice]);
    await waitFor(async () => !(await table()).includes(wrapped));
    expect((await lmdb()).includes(wrapped)).toBe(false);
  });

  it("may be deleted again, which appends nothing", async () => {
    const data = await installation.start();
    await sealOne(data);
    await data.forgetAll([alice]);
    const records = await installation.keyRecords();
    await data.forgetAll([alice]);
    await Promise.all([data.forgetAll([alice]), data.forgetAll([alice])]);
    expect(await installation.keyRecords()).toHaveLength(records.length);
  });

  it("is told from others by one tombstone where it never had a key", async () => {
    const data = await installation.start();
    await Promise.all([data.forgetAll([bob]), data.forgetAll([bob])]);
    await data.forgetAll([bob]);
    const records = await installation.keyRecords();
    expect(records.map(({ key, value }) => [key, value])).toEqual([[`${bob.subjectId}:`, null]]);
  });

  it("has an open key and its tombstone folded in one batch", async () => {
    const data = await installation.start();
    const sealed = await sealOne(data);
    await data.forgetAll([alice]);
    const fresh = await installation.start("fresh");
    expect(await openOne(fresh, sealed)).toEqual({ fields: null });
  });
});

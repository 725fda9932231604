import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { readAll, textOf, until } from "../conformance/harness.ts";
import type { NewRecord } from "../port.ts";
import { LAG_MS, openInFreshDirectory } from "../testing/under-test.ts";
import type { EmbeddedUnderTest } from "../testing/under-test.ts";

const HOUR_MS = 3_600_000;

function wrappedKey(key: string, value: Uint8Array | null): NewRecord {
  return { topic: "user-keys", partition: 5, key, value, timestampMs: 0 };
}

/** Names of the log's files that hold these bytes anywhere, freed pages included. */
function filesWith(directory: string, bytes: Buffer | string): string[] {
  return readdirSync(directory).filter((name) =>
    readFileSync(join(directory, name)).includes(bytes),
  );
}

/** The one-time key of the nth sealed record, as it lies on disk. */
function slotBytes(subject: EmbeddedUnderTest, slot: number): Buffer {
  return readFileSync(join(subject.directory, "user-keys.slots")).subarray(
    slot * 32,
    slot * 32 + 32,
  );
}

describe("a user's key that was forgotten", () => {
  /**
   * Method: read all files of the log as raw bytes. LMDB leaves old pages behind, so that a sealed record
   * may stay in them; what must be gone is the one-time key that alone opens it.
   */
  it("is not in any file in the clear, and what opens it is in no file after compaction", async () => {
    await using subject = await openInFreshDirectory();
    const secret = randomBytes(48);
    const kept = randomBytes(48);
    await subject.log.append([wrappedKey("forgotten", secret), wrappedKey("kept", kept)]);
    const opens = Buffer.from(slotBytes(subject, 0));
    const opensKept = Buffer.from(slotBytes(subject, 1));
    expect(opens.equals(Buffer.alloc(32))).toBe(false);
    expect(filesWith(subject.directory, opens)).toEqual(["user-keys.slots"]);

    await subject.log.append([wrappedKey("forgotten", null)]);
    const opensTombstone = Buffer.from(slotBytes(subject, 2));
    await subject.compacted();

    expect(filesWith(subject.directory, opens)).toEqual([]);
    expect(filesWith(subject.directory, opensTombstone)).toEqual([]);
    expect(filesWith(subject.directory, secret)).toEqual([]);
    expect(filesWith(subject.directory, "forgotten")).toEqual([]);
    expect(filesWith(subject.directory, opensKept)).toEqual(["user-keys.slots"]);
    const records = await readAll(subject.log, "user-keys", 5);
    expect(records.map((one) => one.key)).toEqual(["kept"]);
    expect(records[0]?.value?.every((byte, index) => byte === kept[index])).toBe(true);
  });

  it("finds the same bytes in another topic's file, so that the search above can find", async () => {
    await using subject = await openInFreshDirectory();
    const secret = randomBytes(48);
    await subject.log.append([{ ...wrappedKey("k", secret), topic: "contents" }]);
    await subject.log.append([{ ...wrappedKey("k", null), topic: "contents" }]);
    await subject.compacted();
    expect(await readAll(subject.log, "contents", 5)).toEqual([]);
    expect(filesWith(subject.directory, secret)).toEqual(["data.mdb"]);
  });

  it("is gone 24 hours after its tombstone at the latest, for every opener, and not within 23", async () => {
    await using subject = await openInFreshDirectory();
    const other = await subject.openAnother();
    await subject.log.append([wrappedKey("u", Buffer.from("secret"))]);
    await other.append([wrappedKey("u", null)]);
    subject.advance(23 * HOUR_MS);
    expect(await subject.log.compact()).toBe(0);
    expect((await readAll(other, "user-keys", 5)).map(textOf)).toEqual(["secret", null]);
    // Ten minutes are left to the next sweep, which must not be too late.
    subject.advance(LAG_MS - 23 * HOUR_MS - 10 * 60_000);
    expect(await other.compact()).toBe(2);
    expect(await readAll(subject.log, "user-keys", 5)).toEqual([]);
  });
});

describe("a log that was closed while compaction was due", () => {
  it("makes up for it when it is opened", async () => {
    await using subject = await openInFreshDirectory();
    await subject.log.append([wrappedKey("u", Buffer.from("secret")), wrappedKey("u", null)]);
    await subject.log[Symbol.asyncDispose]();
    subject.advance(LAG_MS);
    const reopened = await subject.openAnother();
    await until("the removal", subject.patienceMs, async () => {
      return (await readAll(reopened, "user-keys", 5)).length === 0;
    });
    expect((await reopened.endOffsets("user-keys"))[5]).toBe(2);
  });
});

describe("records of an expiring topic", () => {
  it("are removed when they are older than 7 days", async () => {
    await using subject = await openInFreshDirectory();
    const nowMs = 1_800_000_000_000;
    const chunk = (timestampMs: number): NewRecord => ({
      ...wrappedKey("chunk", Buffer.from("x")),
      topic: "push-chunks",
      timestampMs,
    });
    await subject.log.append([
      chunk(nowMs - 7 * 24 * HOUR_MS),
      chunk(nowMs - 7 * 24 * HOUR_MS + 1),
    ]);
    expect(await subject.log.compact()).toBe(1);
    expect((await readAll(subject.log, "push-chunks", 5)).map((one) => one.offset)).toEqual([1]);
    expect((await subject.log.endOffsets("push-chunks"))[5]).toBe(2);
  });
});

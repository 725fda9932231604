import { text } from "node:stream/consumers";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  ObjectRejected,
  ObjectStoreUnavailable,
  type ExpiryDays,
  type ObjectStore,
} from "./port.ts";

const bytesOf = (value: string) => new TextEncoder().encode(value);

/** A store as the suite needs it, opened with EXPIRY_DAYS. Disposing closes it and removes what it kept. */
export interface ObjectStoreUnderTest extends AsyncDisposable {
  readonly store: ObjectStore;
  /** Puts an object that is as old already as told. */
  putAged(key: string, ageDays: number): Promise<void>;
  /** Resolves when what has outlived its time is gone. */
  swept(): Promise<void>;
}

export const EXPIRY_DAYS: ExpiryDays = { "results/": 8, "work/": 30 };

/**
 * What every ObjectStore adapter must do. An adapter's test file is one call:
 *     describeObjectStore("embedded", () => openInFreshDirectory());
 * Method: each test gets a fresh, empty store and drives it through the port alone.
 */
export function describeObjectStore(
  adapterName: string,
  open: () => Promise<ObjectStoreUnderTest>,
): void {
  describe(`ObjectStore: ${adapterName}`, () => {
    let subject: ObjectStoreUnderTest;
    let store: ObjectStore;
    beforeEach(async () => {
      subject = await open();
      store = subject.store;
    });
    afterEach(async () => {
      await subject[Symbol.asyncDispose]();
    });

    it("gives back what was put, with its type, size and a tag that follows the content", async () => {
      const put = await store.put("a/b/c.txt", bytesOf("hello"), "text/plain");
      const got = await store.get("a/b/c.txt");
      expect(got?.object).toEqual(put);
      expect(put).toMatchObject({ key: "a/b/c.txt", bytes: 5, contentType: "text/plain" });
      expect(await text(got?.body ?? Readable.from([]))).toBe("hello");
      const other = await store.put("a/b/d.txt", bytesOf("other"), "text/plain");
      expect(other.etag).not.toBe(put.etag);
    });

    it("takes a stream of many chunks", async () => {
      const chunks = Array.from({ length: 500 }, (_, at) => bytesOf(`line ${at}\n`));
      const put = await store.put("stream", Readable.from(chunks), "application/x-ndjson");
      const got = await store.get("stream");
      const all = await text(got?.body ?? Readable.from([]));
      expect(all.split("\n")).toHaveLength(501);
      expect(put.bytes).toBe(all.length);
    });

    it("keeps an empty object apart from none", async () => {
      await store.put("empty", new Uint8Array(0), "application/x-ndjson");
      expect(await store.head("empty")).toMatchObject({ bytes: 0 });
      expect(await store.head("absent")).toBeUndefined();
      expect(await store.get("absent")).toBeUndefined();
    });

    it("replaces an object that is written again", async () => {
      await store.put("one", bytesOf("first"), "text/plain");
      await store.put("one", bytesOf("2nd"), "text/html");
      const got = await store.get("one");
      expect(got?.object).toMatchObject({ bytes: 3, contentType: "text/html" });
      expect(await text(got?.body ?? Readable.from([]))).toBe("2nd");
    });

    it("shows nothing of a write that fails half-way", async () => {
      const failing = Readable.from(
        (async function* () {
          yield bytesOf("half");
          throw new Error("the sender went away");
        })(),
      );
      await expect(store.put("torn", failing, "text/plain")).rejects.toThrow(
        ObjectStoreUnavailable,
      );
      expect(await store.head("torn")).toBeUndefined();
    });

    it("deletes, also what is not there", async () => {
      await store.put("gone", bytesOf("x"), "text/plain");
      await store.delete("gone");
      await store.delete("gone");
      expect(await store.head("gone")).toBeUndefined();
    });

    it("removes by itself what has outlived the days of its prefix, and nothing else", async () => {
      const gone = ["results/2026-01-01/1", "work/1/part"];
      const kept = ["pictures/1", "results-of-others/1", "results/2026-01-09/2", "work/2/part"];
      await subject.putAged(gone[0]!, 10);
      await subject.putAged(gone[1]!, 32);
      await subject.putAged(kept[0]!, 400);
      await subject.putAged(kept[1]!, 400);
      await subject.putAged(kept[2]!, 7);
      await subject.putAged(kept[3]!, 10);
      await subject.swept();
      for (const key of gone) expect(await store.head(key)).toBeUndefined();
      for (const key of kept) expect(await store.head(key)).toMatchObject({ key });
    });

    it("lists keys below a prefix in ascending order", async () => {
      for (const key of ["jobs/2", "jobs/1", "pictures/1"])
        await store.put(key, bytesOf(key), "text/plain");
      const keys: string[] = [];
      for await (const { key } of store.list("jobs/")) keys.push(key);
      expect(keys).toEqual(["jobs/1", "jobs/2"]);
    });

    it.each(["", "a//b", "../secret", "a/../b", "/a", "a b", "ä", "a".repeat(513)])(
      "refuses the key %j",
      async (key) => {
        await expect(store.put(key, bytesOf("x"), "text/plain")).rejects.toThrow(ObjectRejected);
        await expect(store.get(key)).rejects.toThrow(ObjectRejected);
      },
    );

    it("signs an address for at most 7 days", async () => {
      await store.put("result.jsonl", bytesOf("{}"), "application/x-ndjson");
      const url = await store.presignGet("result.jsonl", {
        expiresInMs: 3_600_000,
        downloadName: "a.jsonl",
      });
      expect(new URL(url).protocol).toMatch(/^https?:$/);
      const tooLong = store.presignGet("result.jsonl", { expiresInMs: 8 * 24 * 3_600_000 });
      await expect(tooLong).rejects.toThrow(ObjectRejected);
    });

    it("rejects every call once closed", async () => {
      await store[Symbol.asyncDispose]();
      await expect(store.put("a", bytesOf("x"), "text/plain")).rejects.toThrow("closed");
      await expect(store.head("a")).rejects.toThrow("closed");
    });
  });
}

import { text } from "node:stream/consumers";
import type { ObjectStore } from "@feed/object-store";
import { openEmbeddedObjectStore } from "@feed/object-store/embedded";
import { manualClock, temporaryDirectory } from "@feed/test-kit";
import { openKeyring } from "@feed/signing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { copyObjects, countObjects } from "./object-copy.ts";

/** Between two directories, which have the same port as S3; tests/move-to-a-cluster is about the real one. */
const clock = manualClock(Date.UTC(2026, 0, 1));
const keyring = openKeyring({ root: new Uint8Array(32).fill(7), clock });
const { signal } = new AbortController();
const PICTURE = "pictures/original/ab/abcd";
const RESULT = "push-results/2026-01-01/job.jsonl";

describe("Objects that are copied", () => {
  let opened: AsyncDisposableStack;
  let source: ObjectStore;
  let target: ObjectStore;

  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    const open = async () => {
      const { path: directory } = opened.use(await temporaryDirectory());
      const options = { directory, keyring, clock, baseUrl: () => "http://127.0.0.1:1" };
      return opened.use(await openEmbeddedObjectStore(options));
    };
    [source, target] = [await open(), await open()];
    await source.put(PICTURE, Buffer.from("a picture"), "image/png");
    await source.put(RESULT, Buffer.from("{}\n"), "application/x-ndjson");
  });
  afterEach(() => opened.disposeAsync());

  const copy = (from: Pick<ObjectStore, "list" | "get"> = source) =>
    copyObjects({ source: from, target, signal }, () => undefined);
  const contentThere = async (key: string): Promise<string | undefined> => {
    const found = await target.get(key);
    return found && text(found.body);
  };

  it("lie there under their keys, with their types, and are told of one by one", async () => {
    const total = await countObjects(source);
    let done = 0;
    const copied = await copyObjects({ source, target, signal }, () => (done += 1));
    expect(copied).toEqual({ copied: 2, copiedBytes: 12, alreadyThere: 0, differing: 0 });
    expect([done, total]).toEqual([2, 2]);
    for (const key of [PICTURE, RESULT])
      expect(await target.head(key)).toEqual(await source.head(key));
    expect(await contentThere(PICTURE)).toBe("a picture");
  });

  it("are copied once: what lies there as large as here is passed over, and the rest goes on", async () => {
    await target.put(RESULT, Buffer.from("[]\n"), "application/x-ndjson");
    await target.put(PICTURE, Buffer.from("a pict"), "image/png");
    expect(await copy()).toMatchObject({ copied: 1, copiedBytes: 9, alreadyThere: 1 });
    expect(await contentThere(RESULT)).toBe("[]\n");
    expect(await contentThere(PICTURE)).toBe("a picture");
    expect(await copy()).toMatchObject({ copied: 0, copiedBytes: 0, alreadyThere: 2 });
  });

  it("are found to differ where fewer bytes came than they say they have", async () => {
    const torn = { list: source.list.bind(source), get: () => source.get(RESULT) };
    expect(await copy(torn)).toEqual({ copied: 2, copiedBytes: 6, alreadyThere: 0, differing: 1 });
  });

  it("are not counted where they go meanwhile", async () => {
    const goes = async (key: string) => (key === RESULT ? undefined : source.get(key));
    const swept = { list: source.list.bind(source), get: goes };
    expect(await copy(swept)).toMatchObject({ copied: 1, alreadyThere: 0, differing: 0 });
  });

  it("are left where they are when the copy is stopped", async () => {
    const stopped = AbortSignal.abort(new Error("interrupted"));
    const copying = copyObjects({ source, target, signal: stopped }, () => undefined);
    await expect(copying).rejects.toThrow("interrupted");
    expect(await countObjects(target)).toBe(0);
  });
});

import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openKeyring } from "@feed/signing";
import { manualClock, temporaryDirectory } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { describeObjectStore, EXPIRY_DAYS } from "./conformance.ts";
import { openEmbeddedObjectStore } from "./embedded.ts";
import { ObjectStoreUnavailable } from "./port.ts";

const clock = manualClock(Date.UTC(2026, 0, 1));
const keyring = openKeyring({ root: new Uint8Array(32).fill(7), clock });
const baseUrl = () => "http://127.0.0.1:1";
const openAt = (directory: string) =>
  openEmbeddedObjectStore({ directory, keyring, clock, baseUrl, expiryDays: EXPIRY_DAYS });

describeObjectStore("embedded", async () => {
  const directory = await temporaryDirectory();
  const store = await openAt(directory.path);
  return {
    store,
    putAged: async (key, ageDays) => {
      await store.put(key, Buffer.from("x"), "text/plain");
      const writtenAtS = clock.nowMs() / 1_000 - ageDays * 24 * 3_600;
      await utimes(join(directory.path, "objects", key), writtenAtS, writtenAtS);
    },
    // Whoever opens it sweeps.
    swept: async () => (await openAt(directory.path))[Symbol.asyncDispose](),
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
});

describe("The embedded object store", () => {
  it("removes what an ended process left unfinished, and leaves alone what another is writing", async () => {
    await using directory = await temporaryDirectory();
    const folder = join(directory.path, "unfinished");
    await mkdir(folder, { recursive: true });
    const writtenAt = (name: string, atMs: number) =>
      writeFile(join(folder, name), "half").then(() =>
        utimes(join(folder, name), atMs / 1000, atMs / 1000),
      );
    await writtenAt("abandoned", clock.nowMs() - 24 * 3_600_000);
    await writtenAt("in-progress", clock.nowMs() - 1_000);
    await using _store = await openAt(directory.path);
    expect(await readdir(folder)).toEqual(["in-progress"]);
  });

  it("signs addresses that hold for the path, the download name and the time they were made for", async () => {
    await using directory = await temporaryDirectory();
    await using store = await openAt(directory.path);
    const url = new URL(
      await store.presignGet("r/1.jsonl", { expiresInMs: 60_000, downloadName: "r.jsonl" }),
    );
    const signature = url.searchParams.get("signature") ?? "";
    expect(keyring.verifyPath("object", "/objects/r/1.jsonl?download=r.jsonl", signature)).toBe(
      "valid",
    );
    expect(keyring.verifyPath("object", "/objects/r/2.jsonl?download=r.jsonl", signature)).toBe(
      "invalid",
    );
    clock.advance(3_600_000);
    expect(keyring.verifyPath("object", "/objects/r/1.jsonl?download=r.jsonl", signature)).toBe(
      "expired",
    );
  });

  it("says in one line that its directory can't be written", async () => {
    await using directory = await temporaryDirectory();
    const file = join(directory.path, "a-file");
    await writeFile(file, "");
    const opening = openAt(join(file, "below"));
    await expect(opening).rejects.toThrow(ObjectStoreUnavailable);
    await expect(opening).rejects.toThrow(/^cannot write to [^\n]+: not a directory$/);
  });
});

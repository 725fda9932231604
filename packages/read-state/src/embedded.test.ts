import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { describeReadState } from "./conformance.ts";
import { NOW_MS, TENANT } from "./conformance/harness.ts";
import { describeVersions } from "./conformance/versions.ts";
import { openEmbeddedReadState, removeEmbeddedModels } from "./embedded.ts";
import { Snapshots } from "./embedded/snapshots.ts";
import { ReadStateUnavailable } from "./port.ts";
import { openInFreshDirectory } from "./testing/under-test.ts";

describeReadState("embedded", openInFreshDirectory);
describeVersions("embedded", async () => {
  const temporary = await temporaryDirectory();
  const { path: directory } = temporary;
  return {
    [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose](),
    open: (version) => openEmbeddedReadState({ directory, version }),
    remove: (version) => removeEmbeddedModels({ directory, version }),
  };
});

describe("the embedded read state", () => {
  it("says in one line why a directory can't be used", async () => {
    await using directory = await temporaryDirectory();
    const file = join(directory.path, "read-state");
    await mkdir(directory.path, { recursive: true });
    await writeFile(file, "in the way");
    const opening = openEmbeddedReadState({ directory: directory.path });
    await expect(opening).rejects.toThrow(ReadStateUnavailable);
    await expect(opening).rejects.toThrow(/^cannot use [^\n]+$/);
  });

  it("holds snapshots up to so many bytes, the latest ones", () => {
    const snapshots = new Snapshots(3_000);
    for (const id of ["a", "b", "c"]) snapshots.put(TENANT, id, "x".repeat(1_000), NOW_MS + 1);
    expect(snapshots.get(TENANT, "a", NOW_MS)).toBeUndefined();
    expect(snapshots.get(TENANT, "b", NOW_MS)).toHaveLength(1_000);
    expect(snapshots.get(TENANT, "c", NOW_MS)).toHaveLength(1_000);
  });

  it("removes answers that nobody asks for again", async () => {
    await using subject = await openInFreshDirectory();
    const { state } = subject;
    const answer = { status: 200, body: "", headers: {} };
    for (let index = 0; index < 8; index += 1) {
      await state.startIdempotent(TENANT, `key-${index}`, "sha", NOW_MS);
      await state.finishIdempotent(TENANT, `key-${index}`, answer, NOW_MS);
    }
    const laterMs = NOW_MS + 48 * 3_600_000;
    await state.startIdempotent(TENANT, "new", "sha", laterMs);
    await state.startIdempotent(TENANT, "newer", "sha", laterMs);
    // Asked as of a time at which an answer still there would be given.
    for (let index = 0; index < 8; index += 1) {
      const started = await state.startIdempotent(TENANT, `key-${index}`, "sha", NOW_MS);
      expect(started.kind).toBe("started");
    }
  });
});

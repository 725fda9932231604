import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildBehaviourRecorded as event, temporaryDirectory, waitFor } from "@feed/test-kit";
import type { TemporaryDirectory } from "@feed/test-kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BatchMeasure } from "./project-into.ts";
import { startProjectorThread } from "./start-thread.ts";
import { appendUserFacts, openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";
import { waitForProjection } from "./wait-for-projection.ts";

const entry = new URL("./testing/thread-entry.ts", import.meta.url);
const KEY = { tenantId: event().tenantId, subjectId: event().subjectId };

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

async function appendAndWait(eventId: string): Promise<boolean> {
  const [position] = await appendUserFacts(installation, [
    event({ kind: "session_start", eventId }),
  ]);
  if (position === undefined) throw new Error("nothing was appended");
  const options = { timeoutMs: 2_000, signal: new AbortController().signal };
  return waitForProjection(installation.readState, "users", position, options);
}

describe("a projector in a thread of its own", () => {
  it("shows each write to the thread that waits for it, and reads it whole at once", async () => {
    const measures: BatchMeasure[] = [];
    const workerData = { directory: directory.path };
    const onBatch = (measure: BatchMeasure) => measures.push(measure);
    await using _projector = await startProjectorThread({ entry, workerData, onBatch });
    for (let count = 1; count <= 20; count += 1) {
      expect(await appendAndWait(`event-${count}`)).toBe(true);
      const [user] = await installation.readState.users([KEY]);
      expect(user).toMatchObject({ state: { totalSessions: count } });
    }
    await waitFor(() => measures.length >= 20, { timeoutMs: 5_000 });
    expect(measures[0]).toMatchObject({
      projection: "read-state.users",
      topic: "users",
      events: 1,
    });
  });

  it("ends when it is disposed, and another takes over where it stood", async () => {
    const workerData = { directory: directory.path };
    const first = await startProjectorThread({ entry, workerData });
    expect(await appendAndWait("event-1")).toBe(true);
    await first[Symbol.asyncDispose]();
    await expect(first.failed).resolves.toBeUndefined();
    await using _second = await startProjectorThread({ entry, workerData });
    expect(await appendAndWait("event-2")).toBe(true);
    const [user] = await installation.readState.users([KEY]);
    expect(user).toMatchObject({ state: { totalSessions: 2 } });
  });

  it("says why when its engines can't be opened", async () => {
    const file = join(directory.path, "a-file");
    await writeFile(file, "in the way");
    const starting = startProjectorThread({ entry, workerData: { directory: file } });
    await expect(starting).rejects.toThrow(/cannot write to .*a-file/);
  });
});

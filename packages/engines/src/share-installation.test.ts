import type { NewRecord } from "@feed/event-log";
import { LogUnavailable } from "@feed/event-log";
import { createLogger } from "@feed/runtime";
import { temporaryDirectory } from "@feed/test-kit";
import { expect, it } from "vitest";
import { openLog } from "./open-log.ts";
import { shareInstallation } from "./share-installation.ts";

const record: NewRecord = {
  topic: "users",
  partition: 0,
  key: "k",
  value: new Uint8Array(1),
  timestampMs: 0,
};

function loggerInto(lines: string[]) {
  const destination = { write: (line: string) => void lines.push(line) };
  return createLogger({ service: "test", level: "warn", destination });
}

it("A writer of several roles that fails is told of once, and each role goes on with one of its own", async () => {
  await using directory = await temporaryDirectory();
  const config = { dataDirectory: directory.path, embedder: "hashed:256" };
  const lines: string[] = [];
  const ofRoles: string[] = [];
  await using shared = await shareInstallation(config, loggerInto(lines));
  const open = async () => (await openLog(shared.forRole(), loggerInto(ofRoles))).eventLog;
  await using one = await open();
  await using other = await open();
  // By then the thread has done what each was opened with, too.
  for (const log of [one, other]) await log.append([record]);
  // No role sends this: it stands for a bug in the thread.
  const broken = { id: 1, op: { kind: "heartbeat", members: null, nowMs: 0 } };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  shared.forRole().logWriter?.postMessage([broken]);
  const offsets: number[] = [];
  for (const log of [one, other]) {
    // What was on its way to the thread is refused, as an API node answers with 503.
    const append = () =>
      log.append([record]).catch((error: unknown) => {
        if (!(error instanceof LogUnavailable)) throw error;
        return log.append([record]);
      });
    offsets.push((await append())[0]?.offset ?? -1);
  }
  expect(offsets.toSorted()).toEqual([2, 3]);
  await expect.poll(() => lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    level: "error",
    msg: expect.stringContaining("the thread that writes the event log has failed") as string,
    err: { message: expect.stringContaining(`cannot write to ${directory.path}`) as string },
  });
  expect(ofRoles).toEqual([]);
});

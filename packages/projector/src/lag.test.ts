import { temporaryDirectory } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { groupLags, type PartitionLag } from "./lag.ts";
import { openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";

const FOLLOWED = { group: "projector.read-state.users", topic: "users" } as const;
const PARTITION = 7;
const START_MS = Date.UTC(2026, 10, 1);

const stack = new AsyncDisposableStack();
let installation: Installation;
beforeAll(async () => {
  const { path } = stack.use(await temporaryDirectory());
  installation = stack.use(await openInstallation(path));
});
afterAll(() => stack.disposeAsync());

async function appendAt(secondsLater: number): Promise<void> {
  const timestampMs = START_MS + secondsLater * 1_000;
  const record = { topic: "users", partition: PARTITION, key: "key", timestampMs } as const;
  await installation.eventLog.append([{ ...record, value: new Uint8Array() }]);
}

async function lagAt(secondsLater: number): Promise<PartitionLag | undefined> {
  const nowMs = START_MS + secondsLater * 1_000;
  const lags = await groupLags(installation.eventLog, [FOLLOWED], nowMs);
  expect(lags).toHaveLength(64);
  expect(lags.filter(({ lagRecords }) => lagRecords > 0).length).toBeLessThan(2);
  return lags[PARTITION];
}

describe("the lag of a consumer group", () => {
  it("is that of the oldest record it has not processed, in each partition for itself", async () => {
    const empty = { committedOffset: null, endOffset: 0, lagRecords: 0, lagMs: 0 };
    expect(await lagAt(0)).toMatchObject(empty);
    for (const secondsLater of [0, 20, 22]) await appendAt(secondsLater);
    const behind = { committedOffset: null, endOffset: 3, lagRecords: 3, lagMs: 25_000 };
    expect(await lagAt(25)).toMatchObject(behind);
    const commit = (offset: number) =>
      installation.eventLog.resetOffsets(FOLLOWED.group, "users", new Map([[PARTITION, offset]]));
    await commit(1);
    expect(await lagAt(25)).toMatchObject({ committedOffset: 1, lagRecords: 2, lagMs: 5_000 });
    await commit(3);
    expect(await lagAt(25)).toMatchObject({ committedOffset: 3, lagRecords: 0, lagMs: 0 });
  });
});

import { FIRST_VERSIONS, type ReadModelVersions } from "@feed/domain/read-models";
import { openLog } from "@feed/engines";
import type { EventLog } from "@feed/event-log";
import { manualClock, temporaryDirectory } from "@feed/test-kit";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registerGroupLags } from "./lag-metrics.ts";

const START_MS = Date.UTC(2026, 10, 1);
const stack = new AsyncDisposableStack();
let eventLog: EventLog;
beforeAll(async () => {
  const { path } = stack.use(await temporaryDirectory());
  ({ eventLog } = await openLog({ dataDirectory: path }));
  stack.use(eventLog);
});
afterAll(() => stack.disposeAsync());

describe("the metric of what waits", () => {
  it("is the age of the oldest record by group and partition, of the versions that are kept", async () => {
    const clock = manualClock(START_MS);
    const metrics = new Registry();
    let versions: ReadModelVersions = FIRST_VERSIONS;
    registerGroupLags(metrics, eventLog, { versions: { of: () => versions }, clock });
    const record = { topic: "contents", partition: 7, key: "key", timestampMs: START_MS } as const;
    await eventLog.append([{ ...record, value: new Uint8Array() }]);
    clock.advance(30_000);
    const line = (group: string) =>
      `feed_consumer_lag_seconds{group="${group}",topic="contents",partition="7"} 30\n`;
    expect(await metrics.metrics()).toContain(line("projector.content-index"));
    await eventLog.resetOffsets("projector.content-index", "contents", new Map([[7, 1]]));
    versions = { ...versions, live: 2, kept: [2], highest: 2 };
    const text = await metrics.metrics();
    expect(text).toContain(line("projector.content-index.v2"));
    expect(text).not.toContain('"projector.content-index"');
  });
});

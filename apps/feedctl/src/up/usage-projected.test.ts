import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import { temporaryDirectory } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { untilUsageIsProjected } from "./usage-projected.ts";

const RECORDS = 20;
const STALL_TIMEOUT_MS = 200;
const RECORD_MS = 40;

/** A log with some deliveries in one partition. */
async function openDeliveries(directory: string) {
  const eventLog = await openEmbeddedEventLog({ directory });
  const record = { topic: "deliveries", partition: 2, key: "k", timestampMs: 0 } as const;
  const value = new Uint8Array(1);
  await eventLog.append(Array.from({ length: RECORDS }, () => ({ ...record, value })));
  return eventLog;
}

/** A read state whose projector does a record between looks that are some milliseconds apart, and stops at `end`. */
function projecting(end: number) {
  let done = 0;
  let doneAtMs = performance.now();
  const positions = async () => {
    const nowMs = performance.now();
    if (done < end && nowMs - doneAtMs >= RECORD_MS) {
      done += 1;
      doneAtMs = nowMs;
    }
    return new Map([[2, done]]);
  };
  return { positions };
}

describe("The start of the API", () => {
  it("waits for the projector for as long as it goes on, and says how far it is", async () => {
    await using directory = await temporaryDirectory();
    await using eventLog = await openDeliveries(directory.path);
    const reports: number[] = [];
    const startedAtMs = performance.now();
    await untilUsageIsProjected(eventLog, projecting(RECORDS), {
      stallTimeoutMs: STALL_TIMEOUT_MS,
      reportIntervalMs: 100,
      onProgress: (left) => reports.push(left),
      signal: new AbortController().signal,
    });
    expect(performance.now() - startedAtMs).toBeGreaterThan(2 * STALL_TIMEOUT_MS);
    expect(reports.length).toBeGreaterThan(2);
    expect(reports).toEqual(reports.toSorted((a, b) => b - a));
  });

  it("fails when the projector stands still", async () => {
    await using directory = await temporaryDirectory();
    await using eventLog = await openDeliveries(directory.path);
    const waiting = untilUsageIsProjected(eventLog, projecting(RECORDS - 3), {
      stallTimeoutMs: STALL_TIMEOUT_MS,
      reportIntervalMs: 100,
      onProgress: () => undefined,
      signal: new AbortController().signal,
    });
    await expect(waiting).rejects.toThrow(
      "the projector stands still: 3 records of deliveries left, none in 200 ms",
    );
  });
});

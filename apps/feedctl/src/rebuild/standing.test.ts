import { LogRejected, LogUnavailable, type EventLog } from "@feed/event-log";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import { projectorGroup } from "@feed/projector/projections";
import { temporaryDirectory, waitFor } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endsFor, isFollowed } from "./standing.ts";

/** Goal: a log that does not answer once is no end of a rebuild. Method: a real log whose first answer to each call is lost. */
type Asked = Pick<EventLog, "committed" | "resetOffsets" | "endOffsets">;
const opened = new AsyncDisposableStack();
let eventLog: EventLog;
beforeAll(async () => {
  const { path } = opened.use(await temporaryDirectory());
  // On a clock that stands: no membership ends by it, however long this process is kept from running.
  eventLog = opened.use(await openEmbeddedEventLog({ directory: path, clock: () => 0 }));
});
afterAll(() => opened.disposeAsync());

function lossy(): Asked {
  const lost = new Set<string>();
  const once = <Result>(name: string, call: () => Promise<Result>): Promise<Result> => {
    if (lost.has(name)) return call();
    lost.add(name);
    return Promise.reject(new LogUnavailable("no answer within 2000 ms"));
  };
  return {
    committed: (...call) => once("committed", () => eventLog.committed(...call)),
    resetOffsets: (...call) => once("resetOffsets", () => eventLog.resetOffsets(...call)),
    endOffsets: (topic) => once(`endOffsets ${topic}`, () => eventLog.endOffsets(topic)),
  };
}

describe("What a rebuild asks of a log that now and then does not answer", () => {
  it("is asked again: where the topics end", async () => {
    expect(await endsFor("content-index", lossy())).toEqual(
      await endsFor("content-index", eventLog),
    );
  });

  it("is asked again: whether projectors keep a version", async () => {
    const group = projectorGroup("content-index", 1);
    const record = { partition: 0, key: "k", value: Buffer.from("a record") };
    await eventLog.append([{ ...record, topic: "contents", timestampMs: 0 }]);
    const consumer = await eventLog.consume({
      group,
      topics: ["contents"],
      onBatches: async () => undefined,
      recordsMax: 1,
      lingerMs: 0,
    });
    const hasBegun = async () => (await eventLog.committed(group, "contents")).size > 0;
    await waitFor(hasBegun);
    expect(await isFollowed(lossy(), "content-index", 1)).toBe(true);
    await consumer[Symbol.asyncDispose]();
    expect(await isFollowed(lossy(), "content-index", 1)).toBe(false);
  });

  it("is not asked again where the log refuses", async () => {
    const refusing: Asked = {
      ...lossy(),
      endOffsets: () => Promise.reject(new LogRejected("no such topic")),
    };
    await expect(endsFor("content-index", refusing)).rejects.toThrow("no such topic");
  });
});

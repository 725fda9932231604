import type { DeadLetter } from "@feed/domain/operating-facts";
import { TOPICS } from "@feed/domain/topics";
import { openCore } from "@feed/engines";
import type { Core } from "@feed/engines";
import type { NewRecord } from "@feed/event-log";
import { systemClock } from "@feed/runtime";
import { waitFor } from "@feed/test-kit";
import { runFeedctl, startService } from "@feed/test-kit/service-process";
import { describe, expect, it } from "vitest";
import { untilProjected } from "../projector-lag.ts";
import { clientOf } from "./client.ts";
import { makeInstallation } from "./installation.ts";

const EFFECT_TIMEOUT_MS = 60_000;
const TEST_TIMEOUT_MS = 400_000;
const ARTICLES = 50;

/** No magic byte; a schema nobody registered; a known schema and then nonsense. */
const GARBAGE = ["not a record", "\0\0\0\x7f\x7fwhat is this", "\0\0\0\0\x01\xff\xff\xff\xff"];

const core = (dataDirectory: string): Promise<Core> =>
  openCore({ dataDirectory, embedder: "hashed:256" }, systemClock);

/** Garbage at the front of every partition of both topics: whatever comes later has to pass it. */
function garbageRecords(): readonly NewRecord[] {
  return (["users", "contents"] as const).flatMap((topic) =>
    Array.from({ length: TOPICS[topic].partitions }, (_, partition): NewRecord => {
      const value = Buffer.from(GARBAGE[partition % GARBAGE.length] ?? "", "latin1");
      return { topic, partition, key: "garbage", value, timestampMs: systemClock.nowMs() };
    }),
  );
}

async function deadLettersOf({ eventLog, codec }: Core): Promise<readonly DeadLetter[]> {
  const { records } = await eventLog.read("dead-letters", 0, 0, 1_000);
  return records.map(({ value }) => codec.decode(value ?? new Uint8Array()) as DeadLetter);
}

describe("A corrupt record in the log", () => {
  it(
    "goes to the dead letters once, as it was, and what comes after it takes effect",
    async () => {
      await using installation = await makeInstallation(ARTICLES);
      const { dataDirectory, apiKey } = installation;
      const garbage = garbageRecords();
      const places: string[] = [];
      {
        await using opened = await core(dataDirectory);
        const positions = await opened.eventLog.append(garbage);
        places.push(
          ...positions.map(({ topic, partition, offset }) => `${topic} ${partition} ${offset}`),
        );
      }
      // Twice: a restart must not bury them again.
      for (const user of ["first-start", "second-start"]) {
        await using service = await startService({ dataDirectory });
        const client = clientOf(service.baseUrl, apiKey);
        const event = { type: "session_start", user_id: user, session_id: user, event_id: user };
        expect((await client.postEvents([event])).status).toBe(202);
        await waitFor(async () => (await client.totalSessions(user)) === 1, {
          timeoutMs: EFFECT_TIMEOUT_MS,
        });
        await waitFor(async () => (await client.feedIds(user)).length > 0, {
          timeoutMs: EFFECT_TIMEOUT_MS,
        });
        // Each partition has its own pace: that one is past its garbage says nothing of the others.
        await untilProjected((...args) => runFeedctl([...args, "--data", dataDirectory]));
        await service.stop("SIGTERM");
      }
      await using opened = await core(dataDirectory);
      const letters = await deadLettersOf(opened);
      const buried = letters.map(
        ({ sourceTopic, sourcePartition, sourceOffset }) =>
          `${sourceTopic} ${sourcePartition} ${sourceOffset}`,
      );
      expect(buried.toSorted()).toEqual(places.toSorted());
      const originals = letters.map(({ original }) => Buffer.from(original).toString("latin1"));
      expect(new Set(originals)).toEqual(new Set(GARBAGE));
    },
    TEST_TIMEOUT_MS,
  );
});

import { beforeAll, describe, expect, it } from "vitest";

import { TOPICS } from "@feed/domain/topics";

import { record, until } from "../conformance/harness.ts";
import { clusterUnderTest, hurryCleaner, openInFreshTopics } from "../testing/kafka-under-test.ts";
import { FaultySockets } from "../testing/faulty-sockets.ts";
import { adminOf } from "./connection.ts";

const HOUR_MS = 3_600_000;
/** At which a log is closed after it was opened. */
const MOMENTS = 12;

describe("Keys in Kafka", () => {
  beforeAll(async () => {
    const admin = adminOf(clusterUnderTest());
    await admin.connect();
    await hurryCleaner(admin);
    await admin.disconnect();
  });

  it("come to compaction in a quiet partition too, through markers that no reader sees", async () => {
    const nowMs = Date.now();
    await using subject = await openInFreshTopics({ clock: () => nowMs });
    const { log, patienceMs } = subject;
    const keyed = (partition: number, value: string | null, ageHours: number) =>
      record(partition, "", {
        topic: "user-keys",
        key: "u",
        value: value === null ? null : Buffer.from(value),
        timestampMs: nowMs - ageHours * HOUR_MS,
      });
    await log.append([keyed(3, "secret", 9), keyed(3, null, 7), keyed(4, "young", 5)]);
    const other = await subject.openAnother();
    const ends = async () => (await other.endOffsets("user-keys")).slice(3, 6);
    await until("a marker", patienceMs, async () => (await ends())[0] === 3);
    // Another opening finds it and adds none.
    const third = await subject.openAnother();
    await third.append([keyed(5, "later", 0)]);
    expect(await ends()).toEqual([3, 1, 1]);
    await until("the key's end", patienceMs, async () => {
      const { records, nextOffset } = await other.read("user-keys", 3, 0, 10);
      expect(nextOffset).toBe(3);
      return records.length === 1 && records[0]?.value === null;
    });
  });

  it("keep no connection open when a log is closed while it looks for what is due", async () => {
    const sockets = new FaultySockets();
    let nowMs = Date.now();
    const options = { clock: () => nowMs, socketFactory: sockets.factory };
    await using subject = await openInFreshTopics(options);
    const { log, patienceMs } = subject;
    const { partitions } = TOPICS["user-keys"];
    const keyed = Array.from({ length: partitions }, (_, partition) =>
      record(partition, "", { topic: "user-keys", key: "u", timestampMs: nowMs - 9 * HOUR_MS }),
    );
    await log.append(keyed);
    for (let asked = 0; asked < MOMENTS; asked += 1) {
      const closing = await subject.openAnother();
      for (let at = 0; at < asked; at += 1) await closing.endOffsets("users");
      await closing[Symbol.asyncDispose]();
      // What was marked in this round is due again in the next.
      nowMs += 24 * HOUR_MS;
    }
    await log[Symbol.asyncDispose]();
    await until("the end of every connection", patienceMs, async () => sockets.open === 0);
    expect(sockets.open).toBe(0);
  });
});

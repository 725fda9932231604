import { describe, expect, it } from "vitest";

import { consuming, Inbox, readAll, record, textOf, until } from "../conformance/harness.ts";
import { LogUnavailable } from "../port.ts";
import { FaultySockets } from "../testing/faulty-sockets.ts";
import { openInFreshTopics } from "../testing/kafka-under-test.ts";

/** The API answers after 2 s, whatever the brokers do; a request to a broker may take 15 s. */
const ANSWER_TIMEOUT_MS = 7_500;

async function openWithFaultySockets() {
  const sockets = new FaultySockets();
  const subject = await openInFreshTopics({ socketFactory: sockets.factory });
  return { sockets, subject };
}

describe("The event log in Kafka, when connections fail", () => {
  it("appends once what was sent again because the answer was lost", async () => {
    const { sockets, subject } = await openWithFaultySockets();
    await using _ = subject;
    await subject.log.append([record(0, "before"), record(1, "before")]);
    sockets.loseAnswers(1);
    const positions = await subject.log.append([record(0, "a"), record(0, "b"), record(1, "c")]);
    expect(sockets.answersLost).toBe(1);
    expect(positions.map(({ partition, offset }) => [partition, offset])).toEqual([
      [0, 1],
      [0, 2],
      [1, 1],
    ]);
    await subject.log.append([record(0, "after")]);
    expect((await readAll(subject.log, "users", 0)).map(textOf)).toEqual([
      "before",
      "a",
      "b",
      "after",
    ]);
    expect((await readAll(subject.log, "users", 1)).map(textOf)).toEqual(["before", "c"]);
  });

  it("refuses appends and looks in time while the brokers are away, and goes on when they are back", async () => {
    const { sockets, subject } = await openWithFaultySockets();
    await using _ = subject;
    const { log, patienceMs } = subject;
    await log.append([record(0, "before")]);
    sockets.cut();
    const cutAtMs = performance.now();
    const calls = [
      ...Array.from({ length: 20 }, (_call, n) => log.append([record(0, `refused ${n}`)])),
      log.endOffsets("users"),
      log.committed("readers", "users"),
    ];
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(LogUnavailable) });
    }
    expect(performance.now() - cutAtMs).toBeLessThan(ANSWER_TIMEOUT_MS);
    sockets.heal();
    await until("the next append", patienceMs, async () => {
      const appended = await log.append([record(0, "after")]).catch(() => undefined);
      return appended !== undefined;
    });
    expect((await readAll(log, "users", 0)).map(textOf)).toEqual(["before", "after"]);
  });

  it("lets consumers and followers go on where they were when the brokers are back", async () => {
    const { sockets, subject } = await openWithFaultySockets();
    await using _ = subject;
    const { log, patienceMs } = subject;
    const [consumed, followed] = [new Inbox(), new Inbox()];
    await using _consumer = await log.consume(consuming(consumed.onBatches));
    const from = new Map<number, number>();
    const following = { topic: "users", from, recordsMax: 10 } as const;
    await using _follower = await log.follow({ ...following, onBatches: followed.onBatches });
    await log.append([record(0, "1"), record(5, "1")]);
    await until("both", patienceMs, () => consumed.records.length + followed.records.length === 4);
    sockets.cut();
    await expect(log.append([record(0, "refused")])).rejects.toThrow(LogUnavailable);
    sockets.heal();
    const other = await subject.openAnother();
    await other.append([record(0, "2"), record(5, "2")]);
    await until("the rest", patienceMs, () => {
      return [consumed, followed].every((inbox) => inbox.records.length >= 4);
    });
    for (const inbox of [consumed, followed]) {
      expect([inbox.texts(0), inbox.texts(5)]).toEqual([
        ["1", "2"],
        ["1", "2"],
      ]);
    }
    await until("their commit", patienceMs, async () => {
      return (await other.committed("readers", "users")).get(5) === 2;
    });
  });
});

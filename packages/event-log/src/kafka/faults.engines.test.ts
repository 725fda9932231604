import { describe, expect, it } from "vitest";

import { consuming, Inbox, readAll, record, textOf, until } from "../conformance/harness.ts";
import type { KafkaEventLogOptions } from "../kafka.ts";
import { LogUnavailable, type EventLog } from "../port.ts";
import { FaultySockets } from "../testing/faulty-sockets.ts";
import { openInFreshTopics, UNHURRIED } from "../testing/kafka-under-test.ts";

/** As an API node waits, whatever the brokers do. */
const HURRIED = { answerTimeoutMs: 2_000, appendTimeoutMs: 2_000 };
/** Above that; a request to a broker may take 15 s. */
const IN_TIME_MS = 7_500;
const TICK_MS = 50;

async function openWithFaultySockets(options: Partial<KafkaEventLogOptions> = {}) {
  const sockets = new FaultySockets();
  const subject = await openInFreshTopics({ socketFactory: sockets.factory, ...options });
  return { sockets, subject };
}

/** Milliseconds that this process was awake: one that stands still neither ticks nor waits for anybody. */
function awakeTime(): Disposable & { readonly ms: () => number } {
  let ticks = 0;
  const ticking = setInterval(() => (ticks += 1), TICK_MS);
  return { ms: () => ticks * TICK_MS, [Symbol.dispose]: () => clearInterval(ticking) };
}

async function isAppended(log: EventLog, text: string): Promise<boolean> {
  const positions = await log.append([record(0, text)]).catch(() => undefined);
  return positions !== undefined;
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
    const { sockets, subject } = await openWithFaultySockets(HURRIED);
    await using _ = subject;
    const { log, patienceMs } = subject;
    await until("a first append", patienceMs, () => isAppended(log, "before"));
    sockets.cut();
    using awake = awakeTime();
    const calls = [
      ...Array.from({ length: 20 }, (_call, n) => log.append([record(0, `refused ${n}`)])),
      log.endOffsets("users"),
      log.committed("readers", "users"),
    ];
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(LogUnavailable) });
    }
    expect(awake.ms()).toBeLessThan(IN_TIME_MS);
    sockets.heal();
    await until("the next append", patienceMs, () => isAppended(log, "after"));
    const other = await subject.openAnother(UNHURRIED);
    // One that came too late to be acknowledged is in the log all the same.
    const texts = new Set((await readAll(other, "users", 0)).map(textOf));
    expect([...texts]).toEqual(["before", "after"]);
  });

  it("lets consumers and followers go on where they were when the brokers are back", async () => {
    const { sockets, subject } = await openWithFaultySockets(HURRIED);
    await using _ = subject;
    const { log, patienceMs } = subject;
    const other = await subject.openAnother(UNHURRIED);
    const isCommitted = async (offset: number) => {
      const committed = await other.committed("readers", "users");
      return [0, 5].every((partition) => committed.get(partition) === offset);
    };
    const [consumed, followed] = [new Inbox(), new Inbox()];
    await using _consumer = await log.consume(consuming(consumed.onBatches));
    const from = new Map<number, number>();
    const following = { topic: "users", from, recordsMax: 10 } as const;
    await using _follower = await log.follow({ ...following, onBatches: followed.onBatches });
    await other.append([record(0, "1"), record(5, "1")]);
    await until("both", patienceMs, () => consumed.records.length + followed.records.length === 4);
    // What is not committed comes again where the brokers are away for longer than a session.
    await until("their commit", patienceMs, () => isCommitted(1));
    sockets.cut();
    await expect(log.append([record(0, "refused")])).rejects.toThrow(LogUnavailable);
    sockets.heal();
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
    await until("their commit", patienceMs, () => isCommitted(2));
  });
});

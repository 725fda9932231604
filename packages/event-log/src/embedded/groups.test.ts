import { Worker } from "node:worker_threads";

import { describe, expect, it } from "vitest";

import { consuming, Inbox, record, until } from "../conformance/harness.ts";
import { Child } from "../testing/children.ts";
import { NOW_MS, openInFreshDirectory } from "../testing/under-test.ts";

const SESSION_TIMEOUT_MS = 10_000;

/** Its clock stands where the test's own does: no session ends by time, however long one of them is kept from running. */
function memberOfAnotherProcess(directory: string): Child {
  return new Child("consume-forever.ts", [directory, "readers", `${NOW_MS}`]);
}

describe("members of a group in several processes and threads", () => {
  it("takes over the partitions of a killed process without waiting for its session to expire", async () => {
    await using subject = await openInFreshDirectory();
    const { log, patienceMs } = subject;
    await using child = memberOfAnotherProcess(subject.directory);
    await log.append([record(0, "first")]);
    await child.printed(1);
    const inbox = new Inbox();
    await using _ = await log.consume(consuming(inbox.onBatches));
    await child.kill();
    await log.append(Array.from({ length: 64 }, (_, partition) => record(partition, "next")));
    await until("all partitions", patienceMs, () => inbox.partitions().length === 64);
    expect(inbox.texts().filter((text) => text === "next")).toHaveLength(64);
  });

  it("shares partitions with another process, each record to one of them", async () => {
    await using subject = await openInFreshDirectory();
    const { log, patienceMs } = subject;
    const inbox = new Inbox();
    await using _ = await log.consume(consuming(inbox.onBatches));
    await using child = memberOfAnotherProcess(subject.directory);
    await until("the other's share", patienceMs, async () => {
      await log.append([0, 1].map((partition) => record(partition, "probe")));
      return child.lines.length > 0;
    });
    const texts = Array.from({ length: 200 }, (_, n) => `record ${n}`);
    await log.append(texts.map((text, n) => record(n % 64, text)));
    const received = (): (string | null)[] => [
      ...inbox.texts(),
      ...child.lines.map((line) => line.slice(line.indexOf(" ") + 1)),
    ];
    const ours = (): (string | null)[] => received().filter((text) => text?.startsWith("record"));
    await until("all records", patienceMs, () => ours().length >= texts.length);
    expect(ours().toSorted()).toEqual(texts.toSorted());
    expect(inbox.texts().some((text) => text?.startsWith("record"))).toBe(true);
    expect(child.lines.some((line) => line.includes("record"))).toBe(true);
  });

  it("refuses the commit of a member whose session expired, and gives it its share anew", async () => {
    await using subject = await openInFreshDirectory();
    const { log, patienceMs } = subject;
    await log.append([record(0, "slow")]);
    const finish = Promise.withResolvers<void>();
    const slow = new Inbox();
    await using _slow = await log.consume(
      consuming(async (batches) => {
        await slow.onBatches(batches);
        await finish.promise;
      }),
    );
    await until("the slow call", patienceMs, () => slow.records.length === 1);

    // The other opener's clock is ahead by a session: to it the slow member has long been silent.
    const other = await subject.openAnother({
      clock: () => NOW_MS + SESSION_TIMEOUT_MS,
    });
    const quick = new Inbox();
    const quickly = await other.consume(consuming(quick.onBatches));
    await until("the record again", patienceMs, () => quick.records.length === 1);
    await other.append([record(0, "later")]);
    await until("the later record", patienceMs, async () => {
      return (await other.committed("readers", "users")).get(0) === 2;
    });
    subject.advance(SESSION_TIMEOUT_MS);
    finish.resolve();
    await quickly[Symbol.asyncDispose]();
    await other.append([record(0, "after")]);
    await until("the slow member's return", patienceMs, () => slow.records.length === 2);
    expect(slow.texts()).toEqual(["slow", "after"]);
    expect(quick.texts()).toEqual(["slow", "later"]);
  });

  it("keep their sessions where the whole machine stood still: none expels another before that had time to report", async () => {
    let looks = [0, 0];
    let nowMs = NOW_MS;
    const looking = (member: number) => () => {
      looks[member] = (looks[member] ?? 0) + 1;
      return nowMs;
    };
    await using subject = await openInFreshDirectory({ clock: looking(0) });
    const { patienceMs } = subject;
    const finish = Promise.withResolvers<void>();
    const inboxes = [new Inbox(), new Inbox()] as const;
    let isHeldUp = false;
    let inHand = 0;
    const consumingInto = (inbox: Inbox) =>
      consuming(async (batches) => {
        await inbox.onBatches(batches);
        if (!isHeldUp) return;
        inHand += 1;
        await finish.promise;
      });
    const [first, second] = [subject.log, await subject.openAnother({ clock: looking(1) })];
    await using _first = await first.consume(consumingInto(inboxes[0]));
    await using _second = await second.consume(consumingInto(inboxes[1]));
    await using _finish = { [Symbol.asyncDispose]: async () => finish.resolve() };
    const everywhere = Array.from({ length: 64 }, (_, partition) => record(partition, "more"));
    await until("work of both", patienceMs, async () => {
      await first.append(everywhere);
      return inboxes.every(({ records }) => records.length > 0);
    });
    isHeldUp = true;
    await first.append(everywhere);
    await until("work in both's hands", patienceMs, () => inHand === 2);
    const received = () => inboxes.flatMap(({ records }) => records);
    const places = () => received().map(({ partition, offset }) => `${partition}/${offset}`);
    looks = [0, 0];
    nowMs += SESSION_TIMEOUT_MS;
    await until("reports of both", patienceMs, () => looks.every((count) => count >= 2));
    finish.resolve();
    const ends = await first.endOffsets("users");
    const count = ends.reduce((sum, end) => sum + end, 0);
    await until("all records", patienceMs, () => new Set(places()).size === count);
    expect(received()).toHaveLength(count);
  });

  it("wakes a consumer of another thread, which appends to the same log", async () => {
    await using subject = await openInFreshDirectory({ pollIntervalMs: 60_000 });
    const { log, patienceMs } = subject;
    const inbox = new Inbox();
    await using _ = await log.consume(consuming(inbox.onBatches));
    const thread = new Worker(new URL("../testing/append-in-thread.ts", import.meta.url), {
      workerData: { directory: subject.directory, records: 50 },
    });
    const exited = new Promise((resolve) => thread.once("exit", resolve));
    await Promise.all(Array.from({ length: 50 }, (_, n) => log.append([record(3, `main ${n}`)])));
    expect(await exited).toBe(0);
    await until("all records", patienceMs, () => inbox.records.length === 100);
    expect(inbox.records.map((one) => one.offset)).toEqual(
      Array.from({ length: 100 }, (_, n) => n),
    );
    for (const writer of ["main", "thread"]) {
      const own = inbox.texts().filter((text) => text?.startsWith(writer));
      expect(own).toEqual(Array.from({ length: 50 }, (_, n) => `${writer} ${n}`));
    }
  });
});

import { TOPICS } from "@feed/domain/topics";
import { expect } from "vitest";

import { LogRejected } from "../port.ts";
import type { PartitionBatch } from "../port.ts";
import { consuming, Inbox, record, textOf, until } from "./harness.ts";
import type { Check, LogUnderTest } from "./harness.ts";

const USERS = TOPICS.users.partitions;

export const groupChecks: readonly Check[] = [
  {
    name: "hands a group every record, old and new, in the order of its partition",
    run: async ({ log, patienceMs }) => {
      await log.append([record(0, "a0"), record(1, "b0"), record(0, "a1")]);
      const inbox = new Inbox();
      await using _ = await log.consume(consuming(inbox.onBatches));
      await until("old records", patienceMs, () => inbox.records.length === 3);
      await log.append([record(0, "a2"), record(1, "b1")]);
      await until("new records", patienceMs, () => inbox.records.length === 5);
      expect(inbox.texts(0)).toEqual(["a0", "a1", "a2"]);
      expect(inbox.texts(1)).toEqual(["b0", "b1"]);
    },
  },
  {
    name: "commits the offsets of a handled call and resumes there",
    run: async (subject) => {
      const { log, patienceMs } = subject;
      expect(await log.committed("readers", "users")).toEqual(new Map());
      await log.append([record(0, "a"), record(0, "b"), record(7, "c")]);
      const first = new Inbox();
      const consumer = await log.consume(consuming(first.onBatches));
      await until("three records", patienceMs, () => first.records.length === 3);
      await consumer[Symbol.asyncDispose]();
      await consumer.failed;
      const expected = new Map([
        [0, 2],
        [7, 1],
      ]);
      expect(await log.committed("readers", "users")).toEqual(expected);
      expect(await log.committed("others", "users")).toEqual(new Map());
      await log[Symbol.asyncDispose]();
      const reopened = await subject.openAnother();
      expect(await reopened.committed("readers", "users")).toEqual(expected);
      await reopened.append([record(0, "d")]);
      const second = new Inbox();
      await using _ = await reopened.consume(consuming(second.onBatches));
      await until("the new record", patienceMs, () => second.records.length > 0);
      expect(second.texts()).toEqual(["d"]);
    },
  },
  {
    name: "has committed everything handled once a consumer with positions of its own has ended",
    run: async ({ log, patienceMs }) => {
      const inbox = new Inbox();
      const consumer = await log.consume(
        consuming(inbox.onBatches, { startAt: async () => undefined }),
      );
      for (const [index, text] of ["a", "b", "c"].entries()) {
        await log.append([record(0, text), record(1, text)]);
        await until(text, patienceMs, () => inbox.records.length >= 2 * (index + 1));
      }
      await consumer[Symbol.asyncDispose]();
      const expected = new Map([
        [0, 3],
        [1, 3],
      ]);
      expect(await log.committed("readers", "users")).toEqual(expected);
    },
  },
  {
    name: "begins where startAt says, else at the committed offset, else at 0",
    run: async ({ log, patienceMs }) => {
      await log.append(
        [0, 1, 2].flatMap((partition) => ["a", "b", "c"].map((text) => record(partition, text))),
      );
      await log.resetOffsets(
        "readers",
        "users",
        new Map([
          [0, 2],
          [1, 2],
        ]),
      );
      const inbox = new Inbox();
      await using _ = await log.consume(
        consuming(inbox.onBatches, {
          startAt: async (_topic, partition) => (partition === 0 ? 1 : undefined),
        }),
      );
      await until("six records", patienceMs, () => inbox.records.length >= 6);
      expect([inbox.texts(0), inbox.texts(1), inbox.texts(2)]).toEqual([
        ["b", "c"],
        ["c"],
        ["a", "b", "c"],
      ]);
    },
  },
  {
    name: "gives groups their records independently of each other, and topics of one group together",
    run: async ({ log, patienceMs }) => {
      await log.append([record(0, "u"), record(0, "t", { topic: "tenants" })]);
      const [both, other] = [new Inbox(), new Inbox()];
      await using _one = await log.consume(
        consuming(both.onBatches, { topics: ["users", "tenants"] }),
      );
      await using _two = await log.consume(consuming(other.onBatches, { group: "others" }));
      await until("all", patienceMs, () => both.records.length === 2 && other.records.length === 1);
      expect(both.texts().sort()).toEqual(["t", "u"]);
      expect(other.texts()).toEqual(["u"]);
    },
  },
  {
    name: "shares partitions between members and loses, repeats or reorders nothing when one joins or leaves",
    run: sharesPartitions,
  },
  {
    name: "tells each member which partitions it holds, as members come and go",
    run: tellsPartitions,
  },
  {
    name: "moves offsets of a group without members and refuses to while it has one",
    run: async ({ log, patienceMs }) => {
      await log.append([record(0, "a"), record(0, "b")]);
      const inbox = new Inbox();
      const consumer = await log.consume(consuming(inbox.onBatches));
      await until("both", patienceMs, () => inbox.records.length === 2);
      await expect(log.resetOffsets("readers", "users", new Map([[0, 0]]))).rejects.toThrow(
        LogRejected,
      );
      await consumer[Symbol.asyncDispose]();
      await log.resetOffsets("readers", "users", new Map([[0, 1]]));
      expect(await log.committed("readers", "users")).toEqual(new Map([[0, 1]]));
      const replay = new Inbox();
      await using _ = await log.consume(consuming(replay.onBatches));
      await until("the replayed record", patienceMs, () => replay.records.length > 0);
      expect(replay.texts()).toEqual(["b"]);
    },
  },
];

/** Two members, on two openers, while records keep coming; then one member leaves. */
async function sharesPartitions(subject: LogUnderTest): Promise<void> {
  const { log, patienceMs } = subject;
  const other = await subject.openAnother();
  const perPartition = 30;
  const seen: { member: string; partition: number; text: string | null }[] = [];
  const noting = (member: string) => async (batches: readonly PartitionBatch[]) => {
    for (const batch of batches) {
      for (const one of batch.records) {
        seen.push({ member, partition: one.partition, text: textOf(one) });
      }
    }
  };
  const append = async (from: number, to: number): Promise<void> => {
    for (let n = from; n < to; n += 1) {
      await log.append([0, 1, 2, 3, 4, 5, 6, 7].map((partition) => record(partition, `${n}`)));
    }
  };
  const partitionsOf = (member: string, since: number): Set<number> =>
    new Set(seen.slice(since).flatMap((one) => (one.member === member ? [one.partition] : [])));

  await using _first = await log.consume(consuming(noting("first"), { recordsMax: 7 }));
  await append(0, 10);
  const second = await other.consume(consuming(noting("second"), { recordsMax: 7 }));
  await append(10, 15);
  // Both have a share once the second was handed something and nothing is left to hand over.
  await until("the second member's share", patienceMs, async () => {
    await log.append([record(8, "probe"), record(9, "probe")]);
    return partitionsOf("second", 0).size > 0;
  });
  await until("all so far", patienceMs, () => countBelow(seen, 8) === 8 * 15);
  const whenShared = seen.length;
  await append(15, 20);
  await until("all so far", patienceMs, () => countBelow(seen, 8) === 8 * 20);
  const [shareOne, shareTwo] = [
    partitionsOf("first", whenShared),
    partitionsOf("second", whenShared),
  ];
  expect(shareOne.size).toBeGreaterThan(0);
  expect(shareTwo.size).toBeGreaterThan(0);
  expect([...shareOne].filter((partition) => shareTwo.has(partition))).toEqual([]);

  await second[Symbol.asyncDispose]();
  const whenLeft = seen.length;
  await append(20, perPartition);
  await until("all", patienceMs, () => countBelow(seen, 8) >= 8 * perPartition);
  expect(partitionsOf("second", whenLeft).size).toBe(0);
  for (let partition = 0; partition < 8; partition += 1) {
    const texts = seen.flatMap((one) => (one.partition === partition ? [one.text] : []));
    expect(texts).toEqual(Array.from({ length: perPartition }, (_, n) => `${n}`));
  }
}

function countBelow(seen: readonly { partition: number }[], partition: number): number {
  return seen.filter((one) => one.partition < partition).length;
}

async function tellsPartitions(subject: LogUnderTest): Promise<void> {
  const { log, patienceMs } = subject;
  const other = await subject.openAnother();
  const held = new Map<string, ReadonlySet<number>>();
  const member = (name: string) =>
    consuming(async () => {}, {
      onAssigned: (partitions) => {
        held.set(name, new Set(partitions.map(({ partition }) => partition)));
      },
    });
  const sizes = () => ["first", "second"].map((name) => held.get(name)?.size ?? 0);
  const first = await log.consume(member("first"));
  await until("all partitions", patienceMs, () => sizes()[0] === USERS);
  await using _second = await other.consume(member("second"));
  await until("two halves", patienceMs, () => sizes().every((size) => size === USERS / 2));
  expect(held.get("first")?.isDisjointFrom(held.get("second") ?? new Set())).toBe(true);
  await first[Symbol.asyncDispose]();
  expect(sizes()[0]).toBe(0);
  await until("all partitions again", patienceMs, () => sizes()[1] === USERS);
}

import { expect } from "vitest";

import {
  APPEND_BYTES_MAX,
  KEY_BYTES_MAX,
  RECORDS_PER_APPEND_MAX,
  VALUE_BYTES_MAX,
} from "../limits.ts";
import { LogRejected } from "../port.ts";
import type { NewRecord } from "../port.ts";
import { readAll, record, textOf } from "./harness.ts";
import type { Check, LogUnderTest } from "./harness.ts";

export const appendingChecks: readonly Check[] = [
  {
    name: "gives each record the next offset of its partition and returns the positions in order",
    run: async ({ log }) => {
      const positions = await log.append([record(3, "a"), record(5, "b"), record(3, "c")]);
      expect(positions).toEqual([
        { topic: "users", partition: 3, offset: 0 },
        { topic: "users", partition: 5, offset: 0 },
        { topic: "users", partition: 3, offset: 1 },
      ]);
      const [next] = await log.append([record(3, "d")]);
      expect(next?.offset).toBe(2);
    },
  },
  {
    name: "gives every field of a record back as it was",
    run: async ({ log }) => {
      const values = [Buffer.from([0, 255, 10]), null, Buffer.alloc(0), Buffer.alloc(100_000, 7)];
      const appended = values.map((value, index) =>
        record(0, "", { key: `schlüssel ${index}`, value, timestampMs: 1_700_000_000_000 + index }),
      );
      await log.append(appended);
      const records = await readAll(log, "users", 0);
      expect(
        records.map((one) => ({ ...one, value: one.value && Buffer.from(one.value) })),
      ).toEqual(appended.map((one, offset) => ({ ...one, offset })));
    },
  },
  {
    name: "gives the trace of a record back, and none where there was none",
    run: async ({ log }) => {
      const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
      const traces = [{ traceparent }, {}, { traceparent, value: null }];
      await log.append(traces.map((parts, index) => record(0, `${index}`, parts)));
      const records = await readAll(log, "users", 0);
      expect(records.map((one) => one.traceparent)).toEqual([traceparent, undefined, traceparent]);
      expect(records.map((one) => textOf(one))).toEqual(["0", "1", null]);
      expect(records.map((one) => Object.hasOwn(one, "traceparent"))).toEqual([true, false, true]);
    },
  },
  {
    name: "keeps the order of each partition when many append at once",
    run: async ({ log }) => {
      await Promise.all(
        Array.from({ length: 20 }, async (_, writer) => {
          for (let turn = 0; turn < 5; turn += 1) {
            await log.append([record(1, `${writer}/${turn}/0`), record(1, `${writer}/${turn}/1`)]);
          }
        }),
      );
      const records = await readAll(log, "users", 1);
      expect(records.map((one) => one.offset)).toEqual(Array.from({ length: 200 }, (_, n) => n));
      for (let writer = 0; writer < 20; writer += 1) {
        const own = records
          .map((one) => textOf(one))
          .filter((text) => text?.startsWith(`${writer}/`));
        expect(own).toEqual(
          [0, 1, 2, 3, 4].flatMap((turn) => [`${writer}/${turn}/0`, `${writer}/${turn}/1`]),
        );
      }
    },
  },
  {
    name: "has every acknowledged record after it was closed and opened again",
    run: async (subject) => {
      await subject.log.append([record(2, "a"), record(2, "b")]);
      await subject.log[Symbol.asyncDispose]();
      const reopened = await subject.openAnother();
      expect((await readAll(reopened, "users", 2)).map(textOf)).toEqual(["a", "b"]);
      const [position] = await reopened.append([record(2, "c")]);
      expect(position?.offset).toBe(2);
    },
  },
  {
    name: "shows a record to another opener as soon as it is acknowledged",
    run: async (subject) => {
      const other = await subject.openAnother();
      await subject.log.append([record(0, "from one")]);
      expect((await readAll(other, "users", 0)).map(textOf)).toEqual(["from one"]);
      const [position] = await other.append([record(0, "from the other")]);
      expect(position?.offset).toBe(1);
      expect((await readAll(subject.log, "users", 0)).map(textOf)).toHaveLength(2);
    },
  },
  {
    name: "reads in pages from any offset and nothing at the end",
    run: async ({ log }) => {
      await log.append(Array.from({ length: 10 }, (_, n) => record(4, `r${n}`)));
      const page = await log.read("users", 4, 3, 4);
      expect(page.records.map(textOf)).toEqual(["r3", "r4", "r5", "r6"]);
      expect(page).toMatchObject({ topic: "users", partition: 4, nextOffset: 7 });
      expect(await log.read("users", 4, 10, 4)).toMatchObject({ records: [], nextOffset: 10 });
      expect(await log.read("users", 5, 0, 4)).toMatchObject({ records: [], nextOffset: 0 });
      expect((await log.read("users", 4, 8, 100)).records).toHaveLength(2);
    },
  },
  {
    name: "ends a page after about 8 MiB",
    run: async ({ log }) => {
      const value = Buffer.alloc(3 * 1024 * 1024);
      for (let n = 0; n < 5; n += 1) await log.append([record(0, "", { value })]);
      const page = await log.read("users", 0, 0, 100);
      expect(page.records.length).toBeGreaterThanOrEqual(1);
      expect(page.records.length).toBeLessThan(5);
      expect(await readAll(log, "users", 0)).toHaveLength(5);
    },
  },
  {
    name: "tells the end offset of every partition",
    run: async ({ log }) => {
      await log.append([record(0, "a"), record(63, "b"), record(63, "c")]);
      const ends = await log.endOffsets("users");
      expect(ends).toHaveLength(64);
      expect([ends[0], ends[1], ends[63]]).toEqual([1, 0, 2]);
      expect(await log.endOffsets("tenants")).toEqual([0]);
    },
  },
  {
    name: "refuses a call beyond a limit and appends nothing of it",
    run: refusesBeyondLimits,
  },
  {
    name: "takes a call that is exactly at the limits",
    run: async ({ log }) => {
      const largest = record(0, "", {
        value: Buffer.alloc(VALUE_BYTES_MAX),
        key: "k".repeat(KEY_BYTES_MAX),
      });
      await log.append([largest]);
      await log.append(Array.from({ length: RECORDS_PER_APPEND_MAX }, () => record(1, "x")));
      expect((await log.endOffsets("users")).slice(0, 2)).toEqual([1, RECORDS_PER_APPEND_MAX]);
      const back = await log.read("users", 0, 0, 1);
      expect(back.records[0]?.value?.byteLength).toBe(VALUE_BYTES_MAX);
    },
  },
  {
    name: "takes small records for one partition that together are as large as the largest",
    run: async ({ log }) => {
      const key = "k".repeat(8);
      const valueBytes = Math.floor(VALUE_BYTES_MAX / RECORDS_PER_APPEND_MAX) - key.length;
      const value = Buffer.alloc(valueBytes, 1);
      const records = Array.from({ length: RECORDS_PER_APPEND_MAX }, () =>
        record(0, "", { key, value }),
      );
      await log.append(records);
      expect((await log.endOffsets("users"))[0]).toBe(RECORDS_PER_APPEND_MAX);
    },
  },
];

async function refusesBeyondLimits({ log }: LogUnderTest): Promise<void> {
  const fine = record(0, "fine");
  const large = Buffer.alloc(VALUE_BYTES_MAX);
  const refused: NewRecord[][] = [
    [],
    Array.from({ length: RECORDS_PER_APPEND_MAX + 1 }, () => fine),
    [fine, record(0, "", { key: "k".repeat(KEY_BYTES_MAX + 1) })],
    // Two bytes in UTF-8: the limit counts bytes, not characters.
    [fine, record(0, "", { key: "ü".repeat(KEY_BYTES_MAX / 2 + 1) })],
    [fine, record(0, "", { value: Buffer.alloc(VALUE_BYTES_MAX + 1) })],
    Array.from({ length: APPEND_BYTES_MAX / VALUE_BYTES_MAX }, () =>
      record(0, "", { value: large }),
    ),
    [fine, record(64, "no such partition")],
    [fine, record(-1, "no such partition")],
    [fine, record(0.5, "no such partition")],
    [fine, record(0, "", { timestampMs: -1 })],
    [fine, record(0, "", { timestampMs: Number.NaN })],
  ];
  for (const records of refused) await expect(log.append(records)).rejects.toThrow(LogRejected);
  await expect(log.read("users", 64, 0, 1)).rejects.toThrow(LogRejected);
  await expect(log.read("users", 0, -1, 1)).rejects.toThrow(LogRejected);
  await expect(log.read("users", 0, 0, 0)).rejects.toThrow(LogRejected);
  expect(await readAll(log, "users", 0)).toEqual([]);
}

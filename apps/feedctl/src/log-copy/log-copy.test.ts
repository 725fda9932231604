import { asId, type ContentId } from "@feed/domain/ids";
import { createFactCodec, openBundledRegistry, schemaIdOf, withSchemaId } from "@feed/event-codec";
import type { EventLog, NewRecord } from "@feed/event-log";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import { temporaryDirectory } from "@feed/test-kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkPartition } from "./partition-check.ts";
import { assertSameStart, copyPartition, TargetRefused } from "./partition-copy.ts";

/** Between two embedded logs, which have the same port as Kafka; tests/move-to-a-cluster is about the real one. */
const DAY_MS = 24 * 3_600_000;
const ID_SHIFT = 1_000;
const place = { topic: "contents", partition: 3 } as const;
const codec = createFactCodec(openBundledRegistry());
const { signal } = new AbortController();
const idOf = (sourceId: number) => (sourceId < ID_SHIFT ? sourceId + ID_SHIFT : undefined);

const withdrawn = (key: string, withdrawnAtMs: number): NewRecord => ({
  ...place,
  key,
  value: codec.encode({
    type: "article.withdrawn",
    contentId: asId<ContentId>(key),
    sourceId: asId("source"),
    reason: "gone",
    withdrawnAtMs,
  }),
  timestampMs: withdrawnAtMs,
});

describe("A log that is copied", () => {
  let opened: AsyncDisposableStack;
  let source: Awaited<ReturnType<typeof openEmbeddedEventLog>>;
  let target: EventLog;
  let nowMs = 0;

  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    nowMs = DAY_MS;
    const open = async () => {
      const { path: directory } = opened.use(await temporaryDirectory());
      return opened.use(await openEmbeddedEventLog({ directory, clock: () => nowMs }));
    };
    [source, target] = [await open(), await open()];
  });
  afterEach(() => opened.disposeAsync());

  const endOf = async (log: EventLog) => (await log.endOffsets(place.topic))[place.partition] ?? 0;
  const ends = async () => ({ source: await endOf(source), target: await endOf(target) });
  const copy = async (): Promise<number> => {
    let copied = 0;
    const services = { source, target, idOf, signal };
    await assertSameStart(place, await ends(), services);
    await copyPartition(place, await ends(), services, (offsets) => (copied += offsets));
    return copied;
  };
  const check = async () =>
    checkPartition(place, await endOf(source), { source, target, idOf, signal }, () => undefined);
  /** Without what readers of Kafka pass over. */
  const recordsThere = async () => {
    const { records } = await target.read(place.topic, place.partition, 0, 100);
    return records.filter(({ key }) => !key.startsWith("\0"));
  };

  it("has the same keys, times and values under the ids of the registry there", async () => {
    await source.append([withdrawn("a", 5), { ...withdrawn("b", 6), value: null }]);
    expect(await copy()).toBe(2);
    const [first, second] = await recordsThere();
    expect(first).toMatchObject({ key: "a", timestampMs: 5, offset: 0 });
    const original = withdrawn("a", 5).value ?? new Uint8Array();
    expect(schemaIdOf(first?.value ?? original)).toBe((schemaIdOf(original) ?? 0) + ID_SHIFT);
    expect(first?.value?.subarray(5)).toEqual(original.subarray(5));
    expect(second).toMatchObject({ key: "b", value: null, timestampMs: 6 });
    expect(await check()).toMatchObject({ agrees: true, source: { records: 1 } });
  });

  it("keeps its offsets where compaction has left gaps, also at the end", async () => {
    await source.append([withdrawn("a", 1), withdrawn("b", 2), withdrawn("a", 3)]);
    await source.append([{ ...withdrawn("c", 4), value: null }]);
    nowMs += 2 * DAY_MS;
    await source.compact();
    const { records } = await source.read(place.topic, place.partition, 0, 100);
    expect(records.map(({ offset }) => offset)).toEqual([1, 2]);
    expect(await copy()).toBe(4);
    expect((await recordsThere()).map(({ key, offset }) => [key, offset])).toEqual([
      ["b", 1],
      ["a", 2],
    ]);
    expect(await ends()).toEqual({ source: 4, target: 4 });
    expect(await check()).toMatchObject({ agrees: true });
  });

  it("goes on where an earlier copy ended", async () => {
    await source.append([withdrawn("a", 1)]);
    await copy();
    await source.append([withdrawn("b", 2), withdrawn("c", 3)]);
    expect(await copy()).toBe(2);
    expect(await copy()).toBe(0);
    expect((await recordsThere()).map(({ key }) => key)).toEqual(["a", "b", "c"]);
  });

  it("is not added to a target that holds something else, or more", async () => {
    await source.append([withdrawn("a", 1), withdrawn("b", 2)]);
    await target.append([withdrawn("a", 1)]);
    await expect(copy()).rejects.toThrow(TargetRefused);
    await expect(copy()).rejects.toThrow("partition 3 of contents holds other data at 0");
    await target.append([withdrawn("b", 2), withdrawn("c", 3)]);
    await expect(copy()).rejects.toThrow("the target is in use");
  });

  it("is found to differ by a time alone", async () => {
    await source.append([withdrawn("a", 1), withdrawn("b", 2)]);
    await copy();
    expect(await check()).toMatchObject({ agrees: true });
    await source.append([withdrawn("c", 3)]);
    const { value } = withdrawn("c", 3);
    if (value === null) throw new Error("not a tombstone");
    const there = withSchemaId(value, idOf(schemaIdOf(value) ?? 0) ?? 0);
    await target.append([{ ...withdrawn("c", 3), value: there, timestampMs: 4 }]);
    const checked = await check();
    expect(checked.agrees).toBe(false);
    expect(checked.source.records).toBe(checked.target.records);
  });
});

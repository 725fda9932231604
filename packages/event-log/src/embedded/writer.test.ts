import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { LogUnavailable } from "../port.ts";
import { packRecords } from "./packing.ts";
import { Writer } from "./writer.ts";
import { WritingThread } from "./writing-thread.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "event-log-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const record = { topic: "users", partition: 0, key: "k", timestampMs: 0 } as const;

function append(writer: Writer): Promise<readonly number[]> {
  const packed = packRecords([{ ...record, value: new Uint8Array(1) }]);
  return writer.send<"append">({ kind: "append", nowMs: 0, packed });
}

/** No caller sends this: it stands for a bug in the thread. */
function breakThread(writer: Writer): Promise<unknown> {
  return writer.send<"heartbeat">({ kind: "heartbeat", members: null as never, nowMs: 0 });
}

describe("The writer of a log", () => {
  it("writes again after an error that ended its thread, and tells of each, with the place in the code", async () => {
    const failures: LogUnavailable[] = [];
    const onWriterFailed = (reason: LogUnavailable) => void failures.push(reason);
    const writer = new Writer(directory, () => undefined, { onWriterFailed });
    await writer.ready();
    expect(await append(writer)).toEqual([0]);
    for (const offset of [1, 2]) {
      await expect(breakThread(writer)).rejects.toThrow(LogUnavailable);
      expect(await append(writer)).toEqual([offset]);
    }
    await writer.close();
    expect(failures).toHaveLength(2);
    for (const { message, cause } of failures) {
      expect(message).toContain(`cannot write to ${directory}: `);
      expect((cause as Error).stack).toContain("groups.ts");
    }
    await expect(append(writer)).rejects.toThrow(LogUnavailable);
  });

  it("can be closed after its thread has ended", async () => {
    const writer = new Writer(directory, () => undefined);
    await writer.ready();
    await expect(breakThread(writer)).rejects.toThrow(LogUnavailable);
    await writer.close();
    await expect(append(writer)).rejects.toThrow("has ended");
  });
});

/** What is on its way to a thread when it ends is refused; what comes after that is written. */
async function appendOnceNoticed(writer: Writer): Promise<readonly number[]> {
  return append(writer).catch((error: unknown) => {
    if (!(error instanceof LogUnavailable)) throw error;
    return append(writer);
  });
}

describe("A thread that several writers share", () => {
  it("gives each the offsets of its own records, and goes on when one of them is closed", async () => {
    await using thread = await WritingThread.start(directory);
    const [one, other] = [0, 1].map(
      () => new Writer(directory, () => undefined, { door: thread.door() }),
    );
    const appended = await Promise.all([append(one!), append(other!), append(one!)]);
    expect(appended.flat().toSorted()).toEqual([0, 1, 2]);
    await one!.close();
    await expect(append(one!)).rejects.toThrow("has ended");
    expect(await append(other!)).toEqual([3]);
    await other!.close();
  });

  it("answers what was asked for before a writer was closed", async () => {
    await using thread = await WritingThread.start(directory);
    const writer = new Writer(directory, () => undefined, { door: thread.door() });
    const appends = Array.from({ length: 50 }, () => append(writer));
    await writer.close();
    expect((await Promise.all(appends)).flat()).toEqual(Array.from({ length: 50 }, (_, at) => at));
  });

  it("that ends fails what it has not answered, and each writer goes on with one of its own", async () => {
    const thread = await WritingThread.start(directory);
    const writers = [0, 1].map(
      () => new Writer(directory, () => undefined, { door: thread.door() }),
    );
    expect(await append(writers[0]!)).toEqual([0]);
    await expect(breakThread(writers[0]!)).rejects.toThrow(LogUnavailable);
    await thread.exited;
    const next = await Promise.all(writers.map((writer) => appendOnceNoticed(writer)));
    expect(next.flat().toSorted()).toEqual([1, 2]);
    for (const writer of writers) await writer.close();
  });

  it("that has ended gives doors through which a writer comes to one of its own", async () => {
    const thread = await WritingThread.start(directory);
    await thread[Symbol.asyncDispose]();
    const writer = new Writer(directory, () => undefined, { door: thread.door() });
    expect(await appendOnceNoticed(writer)).toEqual([0]);
    await writer.close();
  });

  it("that ends while a writer closes lets it close", async () => {
    const thread = await WritingThread.start(directory);
    const writer = new Writer(directory, () => undefined, { door: thread.door() });
    const broken = breakThread(writer).catch((error: unknown) => error);
    await writer.close();
    expect(await broken).toBeInstanceOf(LogUnavailable);
  });

  it("is not started where the directory can't be used", async () => {
    await expect(WritingThread.start(`${import.meta.filename}/log`)).rejects.toThrow(
      LogUnavailable,
    );
  });

  it("that can't open the log says so to who starts it alone: it is none that has failed", async () => {
    const failures: LogUnavailable[] = [];
    await writeFile(join(directory, "file"), "no log");
    const thread = new WritingThread(join(directory, "file"), (reason) => failures.push(reason));
    await expect(thread.ready()).rejects.toThrow(LogUnavailable);
    await thread.exited;
    expect(failures).toEqual([]);
  });
});

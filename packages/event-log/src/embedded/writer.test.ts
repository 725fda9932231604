import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { LogUnavailable } from "../port.ts";
import { packRecords } from "./packing.ts";
import { Writer } from "./writer.ts";

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

describe("The writer of a log", () => {
  it("writes again after an error that ended its thread", async () => {
    const writer = new Writer(directory, () => undefined);
    await writer.ready();
    expect(await append(writer)).toEqual([0]);
    for (const offset of [1, 2]) {
      // No caller sends this: it stands for a bug in the thread.
      const broken = writer.send<"heartbeat">({
        kind: "heartbeat",
        members: null as never,
        nowMs: 0,
      });
      await expect(broken).rejects.toThrow(LogUnavailable);
      expect(await append(writer)).toEqual([offset]);
    }
    await writer.close();
    await expect(append(writer)).rejects.toThrow(LogUnavailable);
  });

  it("can be closed after its thread has ended", async () => {
    const writer = new Writer(directory, () => undefined);
    await writer.ready();
    const broken = writer.send<"heartbeat">({
      kind: "heartbeat",
      members: null as never,
      nowMs: 0,
    });
    await expect(broken).rejects.toThrow(LogUnavailable);
    await writer.close();
    await expect(append(writer)).rejects.toThrow("has ended");
  });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { canMountTinyDisk, TINY_DISK } from "@feed/test-kit/tiny-disk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { consuming, Inbox, record, until } from "../conformance/harness.ts";
import { openEmbeddedEventLog } from "../embedded.ts";
import { LogUnavailable } from "../port.ts";
import { Child } from "../testing/children.ts";

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "event-log-"));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

async function failureOfOpening(directory: string): Promise<LogUnavailable> {
  try {
    await using _ = await openEmbeddedEventLog({ directory });
  } catch (error) {
    if (error instanceof LogUnavailable) return error;
    throw error;
  }
  throw new Error(`${directory} could be opened`);
}

describe("a directory that the embedded event log can't use", () => {
  it("is named in one line when it is a file", async () => {
    const file = join(parent, "file");
    await writeFile(file, "");
    const { message } = await failureOfOpening(file);
    expect(message).toBe(`cannot write to ${file}: not a directory`);
  });

  it("is named in one line when it can't be made", async () => {
    const { message } = await failureOfOpening("/dev/null/log");
    expect(message).toBe("cannot write to /dev/null/log: not a directory");
  });

  it("is named in one line when the system lets nobody write there", async () => {
    const { message } = await failureOfOpening("/proc/self/log");
    expect(message).toMatch(/^cannot write to \/proc\/self\/log: [a-z ]+$/);
  });

  it("is named in one line when its file is not a log", async () => {
    await writeFile(join(parent, "data.mdb"), Buffer.alloc(100_000, "not a log "));
    const { message } = await failureOfOpening(parent);
    expect(message).toMatch(/^cannot write to \S+: .+$/);
    expect(message).not.toContain("\n");
  });
});

describe("a directory that is removed while the log is open", () => {
  it("takes no append that nobody could read again", async () => {
    await using log = await openEmbeddedEventLog({ directory: parent });
    await log.append([record(0, "before")]);
    await rm(parent, { recursive: true });
    await expect(log.append([record(0, "after")])).rejects.toThrow(
      `cannot write to ${parent}: no such file or directory`,
    );
  });
});

describe("upkeep of the embedded event log that fails", () => {
  it("is told, and the next one makes up for it", async () => {
    let isBroken = true;
    const troubles: unknown[] = [];
    await using log = await openEmbeddedEventLog({
      directory: parent,
      clock: () => {
        if (!isBroken) return Date.now();
        // Once: on a busy machine a second one might fail before the first is seen.
        isBroken = false;
        throw new Error("no time");
      },
      onTrouble: (error) => troubles.push(error),
    });
    await until("a sweep that failed", 30_000, () => troubles.length === 1);
    const inbox = new Inbox();
    await using _ = await log.consume(consuming(inbox.onBatches));
    isBroken = true;
    await until("a heartbeat that failed", 30_000, () => troubles.length === 2);
    expect(troubles).toEqual([new Error("no time"), new Error("no time")]);
    await log.append([record(0, "after")]);
    await until("the record", 30_000, () => inbox.texts().includes("after"));
  });
});

function stateOf(line: string | undefined): number[] {
  const match = /^acknowledged (\d+), end (\d+), last (\d+)$/.exec(line ?? "");
  return (match ?? []).slice(1).map(Number);
}

describe("a disk that has no more room", () => {
  it.skipIf(!canMountTinyDisk())(
    "is named in one line, and everything acknowledged before can be read",
    async () => {
      // Below 64 MiB it takes nothing.
      const script = `mount -t tmpfs -o size=68m none "${parent}" && exec "$0" "$@"`;
      await using child = new Child(
        "append-until-full.ts",
        [parent, "1000"],
        [...TINY_DISK, script],
      );
      await child.ended();
      expect(child.lines[0]).toBe(
        `LogUnavailable: cannot write to ${parent}: no space left on device`,
      );
      const [acknowledged = 0, end, last] = stateOf(child.lines[1]);
      expect(acknowledged).toBeGreaterThan(5);
      expect([end, last]).toEqual([acknowledged, acknowledged - 1]);
      // LMDB has its own line on stderr, but no stack.
      expect(child.errors.filter((line) => /^\s+at /.test(line))).toEqual([]);
    },
  );

  /** Method: a child that may write files of 4,000 blocks only; the system refuses what goes beyond. */
  it("rejects appends, and lets the log go on where it was when there is room again", async () => {
    const script = 'ulimit -f 4000 && exec "$0" "$@"';
    await using child = new Child("append-until-full.ts", [parent, "1000"], ["sh", "-c", script]);
    await child.ended();
    expect(child.lines[0]).toMatch(
      /^LogUnavailable: cannot write to \S+: (file too large|i\/o error)$/,
    );
    const [acknowledged = 0, end, last] = stateOf(child.lines[1]);
    expect(acknowledged).toBeGreaterThan(5);
    expect([end, last]).toEqual([acknowledged, acknowledged - 1]);

    await using log = await openEmbeddedEventLog({ directory: parent });
    const [position] = await log.append([
      { topic: "users", partition: 0, key: "k", value: Buffer.alloc(100_000), timestampMs: 0 },
    ]);
    expect(position?.offset).toBe(acknowledged);
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { temporaryDirectory } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { lockDataDirectory } from "./data-lock.ts";

const LOCKING = new URL("data-lock.ts", import.meta.url);

/** Another process that has taken the directory. */
async function holderOf(directory: string) {
  const source = `
    const { lockDataDirectory } = await import(${JSON.stringify(LOCKING.href)});
    globalThis.lock = lockDataDirectory(${JSON.stringify(directory)});
    process.stdout.write("locked");
    setInterval(() => undefined, 1_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return {
    pid: child.pid,
    kill: async () => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

describe("The lock of a data directory", () => {
  it("names the process that holds it, until that is killed", async () => {
    await using directory = await temporaryDirectory();
    const holder = await holderOf(directory.path);
    try {
      expect(() => lockDataDirectory(directory.path)).toThrow(
        `${directory.path} is in use by process ${holder.pid}`,
      );
    } finally {
      await holder.kill();
    }
    using _lock = lockDataDirectory(directory.path);
  });

  it("can be taken again once it was let go", async () => {
    await using directory = await temporaryDirectory();
    lockDataDirectory(directory.path)[Symbol.dispose]();
    const again = lockDataDirectory(directory.path);
    expect(() => lockDataDirectory(directory.path)).toThrow(`in use by process ${process.pid}`);
    again[Symbol.dispose]();
  });
});

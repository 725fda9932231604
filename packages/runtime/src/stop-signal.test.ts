import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { temporaryDirectory } from "@feed/test-kit";
import { describe, expect, it } from "vitest";

const KILLED = { code: null, signal: "SIGKILL" };
const modules = new URL(".", import.meta.url).href;

/** A process that has called stopSignal and printed "ready"; `onStop` is its reaction to the signal. */
async function startProcess(graceMs: number, onStop: string, before = "", cwd = tmpdir()) {
  const source = `
    import { createLogger } from "${modules}logger.ts";
    import { stopSignal } from "${modules}stop-signal.ts";
    const log = createLogger({ service: "test", level: "silent" });
    const alive = setInterval(() => {}, 1000);
    const stop = stopSignal({ graceMs: ${graceMs}, log });
    stop.addEventListener("abort", () => { process.stdout.write("stopping"); ${onStop} });
    ${before}
    process.stdout.write("ready");`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", source], {
    stdio: ["ignore", "pipe", "inherit"],
    cwd,
  });
  const exited = once(child, "exit");
  await once(child.stdout, "data");
  const ended = async () => {
    const [code, signal] = await exited;
    return { code, signal };
  };
  return { child, ended };
}

/** A thread in a call of the system that never returns: it opens a pipe that nobody writes to. */
const BLOCKED_THREAD = `
  const { execFileSync } = await import("node:child_process");
  const { Worker } = await import("node:worker_threads");
  const pipe = process.cwd() + "/pipe";
  execFileSync("mkfifo", [pipe]);
  new Worker("require('node:fs').openSync(require('node:worker_threads').workerData)", {
    eval: true,
    workerData: pipe,
  });`;

describe("stopSignal", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "lets the process end by itself after %s",
    async (name) => {
      const { child, ended } = await startProcess(60_000, "clearInterval(alive);");
      child.kill(name);
      expect(await ended()).toEqual({ code: 0, signal: null });
    },
  );

  it("kills the process when the grace is over", async () => {
    const { child, ended } = await startProcess(10, "");
    child.kill("SIGTERM");
    expect(await ended()).toEqual(KILLED);
  });

  it("kills the process at a second signal", async () => {
    const { child, ended } = await startProcess(60_000, "");
    child.kill("SIGTERM");
    await once(child.stdout, "data");
    child.kill("SIGTERM");
    expect(await ended()).toEqual(KILLED);
  });

  it("keeps its word where a thread can't be ended", async () => {
    await using directory = await temporaryDirectory();
    const { child, ended } = await startProcess(10, "", BLOCKED_THREAD, directory.path);
    child.kill("SIGTERM");
    expect(await ended()).toEqual(KILLED);
  });
});

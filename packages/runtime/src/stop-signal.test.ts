import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";

const modules = new URL(".", import.meta.url).href;

/** A process that has called stopSignal and printed "ready"; `onStop` is its reaction to the signal. */
async function startProcess(graceMs: number, onStop: string) {
  const source = `
    import { createLogger } from "${modules}logger.ts";
    import { stopSignal } from "${modules}stop-signal.ts";
    const log = createLogger({ service: "test", level: "silent" });
    const alive = setInterval(() => {}, 1000);
    const stop = stopSignal({ graceMs: ${graceMs}, log });
    stop.addEventListener("abort", () => { process.stdout.write("stopping"); ${onStop} });
    process.stdout.write("ready");`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  await once(child.stdout, "data");
  return { child, exitCode: async () => (await exited)[0] as number | null };
}

describe("stopSignal", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "lets the process end by itself after %s",
    async (name) => {
      const { child, exitCode } = await startProcess(60_000, "clearInterval(alive);");
      child.kill(name);
      expect(await exitCode()).toBe(0);
    },
  );

  it("exits with 1 when the grace is over", async () => {
    const { child, exitCode } = await startProcess(10, "");
    child.kill("SIGTERM");
    expect(await exitCode()).toBe(1);
  });

  it("exits with 1 at a second signal", async () => {
    const { child, exitCode } = await startProcess(60_000, "");
    child.kill("SIGTERM");
    await once(child.stdout, "data");
    child.kill("SIGTERM");
    expect(await exitCode()).toBe(1);
  });
});

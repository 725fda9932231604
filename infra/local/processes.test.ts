import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { freePort, temporaryDirectory, waitFor } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { answers } from "./engine.ts";
import { halt, launch, runningPid, untilServing, type ProcessFiles } from "./processes.ts";

const filesIn = (directory: string): ProcessFiles => ({
  pid: join(directory, "pid"),
  log: join(directory, "log"),
});
const node = (script: string) => ({ program: process.execPath, args: ["-e", script] });
const ready = { timeoutS: 60, isReady: async () => true };

/** Whether the system has the process, be it that it has ended and this process was not told yet. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Asked once, on a connection of its own, for as long as it takes. */
async function statusOf(url: string): Promise<number | undefined> {
  const request = get(url, { agent: false });
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

describe("A process that outlives who started it", () => {
  it("is known until it is asked to end", async () => {
    await using directory = await temporaryDirectory();
    const files = filesIn(directory.path);
    await launch(node("setInterval(() => {}, 1000)"), files, ready);
    const pid = runningPid(files) ?? 0;
    expect(isThere(pid)).toBe(true);
    await halt(files);
    expect(runningPid(files)).toBeUndefined();
    await waitFor(() => !isThere(pid));
  });

  it("is not taken for another that was given its number", async () => {
    await using directory = await temporaryDirectory();
    const files = filesIn(directory.path);
    await writeFile(files.pid, `${process.pid} 1\n`);
    expect(runningPid(files)).toBeUndefined();
    await halt(files);
    expect(process.kill(process.pid, 0)).toBe(true);
  });

  it("serves when it says so", async () => {
    await using directory = await temporaryDirectory();
    const files = filesIn(directory.path);
    const port = await freePort();
    const serve = `setTimeout(() => require("http").createServer((q, r) => r.end()).listen(${port}, "127.0.0.1"), 300)`;
    const url = `http://127.0.0.1:${port}`;
    await launch(node(serve), files, { timeoutS: 60, isReady: () => answers(url) });
    expect(await statusOf(url)).toBe(200);
    await halt(files);
  });

  it("is waited for by whoever finds it running and not serving yet", async () => {
    await using directory = await temporaryDirectory();
    const files = filesIn(directory.path);
    const port = await freePort();
    const serve = `setTimeout(() => require("http").createServer((q, r) => r.end()).listen(${port}, "127.0.0.1"), 300)`;
    await launch(node(serve), files, ready);
    const isReady = () => answers(`http://127.0.0.1:${port}`);
    await untilServing(files, { timeoutS: 60, isReady });
    expect(await isReady()).toBe(true);
    await halt(files);
    const gone = untilServing(files, { timeoutS: 60, isReady });
    await expect(gone).rejects.toThrow("it ended; ");
  });

  it("says with the end of its log why it did not start", async () => {
    await using directory = await temporaryDirectory();
    const files = filesIn(directory.path);
    const failing = node('console.error("no space left"); process.exit(3)');
    const starting = launch(failing, files, { timeoutS: 60, isReady: async () => false });
    await expect(starting).rejects.toThrow(/^it ended with 3; .*\nno space left$/);
    expect(await readFile(files.log, "utf8")).toBe("no space left\n");
  });

  it("is told when its program is not there", async () => {
    await using directory = await temporaryDirectory();
    const missing = { program: join(directory.path, "nothing"), args: [] };
    await expect(launch(missing, filesIn(directory.path), ready)).rejects.toThrow("ENOENT");
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@feed/test-kit";
import type { Answer } from "./load/connection.ts";
import { drive } from "./load/drive.ts";
import type { DriveResult } from "./load/drive.ts";
import { ON_SERVER_CORE, processorMs } from "./machine.ts";

/** Node writes these itself, for the bare server as for the service. */
const WRITTEN_BY_NODE = new Set(["date", "connection", "keep-alive", "content-length"]);
const WARM_UP_MS = 1_000;

/** A run, and the processor time that the server used meanwhile. */
export interface MeasuredRun extends DriveResult {
  readonly processorMs: number;
}

export interface BareKoaOptions {
  readonly recorded: Answer;
  readonly request: string;
  readonly connections: number;
  readonly durationMs: number;
}

/** Rate of a Koa server on the server's core that answers the recorded bytes and does nothing else. */
export async function measureBareKoa(options: BareKoaOptions): Promise<MeasuredRun> {
  const { recorded, request, connections, durationMs } = options;
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "recording.json");
  const bodyBase64 = recorded.body.toString("base64");
  await writeFile(file, JSON.stringify({ headers: headersOf(recorded), bodyBase64 }));
  const main = join(import.meta.dirname, "bare-koa.main.ts");
  const [command = "", ...rest] = [...ON_SERVER_CORE, process.execPath, main, file];
  const child = spawn(command, rest, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const run = (forMs: number): Promise<DriveResult> => {
      const endMs = performance.now() + forMs;
      const next = () => (performance.now() < endMs ? { request } : undefined);
      return drive({ port: Number(line.toString()), connections, next, expectedStatus: 200 });
    };
    await run(WARM_UP_MS);
    const beforeMs = processorMs(child.pid ?? -1);
    const result = await run(durationMs);
    return { ...result, processorMs: processorMs(child.pid ?? -1) - beforeMs };
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}

function headersOf({ head }: Answer): Readonly<Record<string, string>> {
  const lines = head.trimEnd().split("\r\n").slice(1);
  const headers = lines.map((line): readonly [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return Object.fromEntries(headers.filter(([name]) => !WRITTEN_BY_NODE.has(name.toLowerCase())));
}

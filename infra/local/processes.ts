import { spawn } from "node:child_process";
import { openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "./engine.ts";

const POLL_MS = 100;
const STOP_TIMEOUT_MS = 30_000;
/** Lines of its log that are shown of an engine that did not start. */
const LOG_LINES = 20;

export interface ProcessFiles {
  /** `pid start-time` of the process that was started last. */
  readonly pid: string;
  readonly log: string;
}

/**
 * The recorded process, where it is still the one that was started: a number that the system gave to another
 * process since has another start time.
 */
export function runningPid({ pid: file }: ProcessFiles): number | undefined {
  const [pid = "", start] = readIfThere(file).trim().split(" ");
  return start !== undefined && startTime(Number(pid)) === start ? Number(pid) : undefined;
}

/** Starts a process that outlives this one, and waits until it serves. Errors: one with the end of its log. */
export async function launch(
  { program, args, env }: Command,
  files: ProcessFiles,
  options: { readonly timeoutS: number; readonly isReady: () => Promise<boolean> },
): Promise<void> {
  const log = openSync(files.log, "w");
  const child = spawn(program, args, {
    detached: true,
    env: { ...process.env, ...env },
    stdio: ["ignore", log, log],
  });
  const failed = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(`it ended with ${code ?? signal}`));
  });
  if (child.pid === undefined) throw new Error(await failed);
  writeFileSync(files.pid, `${child.pid} ${startTime(child.pid)}\n`);
  child.unref();
  const looking = new AbortController();
  const looked = untilReady({ ...options, signal: looking.signal });
  const failure = await Promise.race([failed, looked]).finally(() => looking.abort());
  if (failure !== undefined)
    throw new Error(`${failure}; ${files.log} ends with\n${tail(files.log)}`);
}

/** Asks the recorded process to end, and ends it after 30 s. */
export async function halt(files: ProcessFiles): Promise<void> {
  const pid = runningPid(files);
  if (pid !== undefined) {
    process.kill(pid, "SIGTERM");
    const endMs = performance.now() + STOP_TIMEOUT_MS;
    while (runningPid(files) !== undefined && performance.now() < endMs) await delay(POLL_MS);
    if (runningPid(files) !== undefined) process.kill(pid, "SIGKILL");
  }
  rmSync(files.pid, { force: true });
}

async function untilReady({
  timeoutS,
  isReady,
  signal,
}: {
  readonly timeoutS: number;
  readonly isReady: () => Promise<boolean>;
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
}): Promise<string | undefined> {
  const endMs = performance.now() + timeoutS * 1_000;
  while (performance.now() < endMs && !signal.aborted) {
    if (await isReady()) return undefined;
    await delay(POLL_MS);
  }
  return `it does not serve after ${timeoutS} s`;
}

/** In clock ticks since the system started; undefined of a process that is gone or only waits to be reaped. */
function startTime(pid: number): string | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`);
  // The name of the program, in parentheses, may hold spaces.
  const [state, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return state === undefined || state === "" || "ZX".includes(state) ? undefined : rest[18];
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function tail(file: string): string {
  return readIfThere(file).trimEnd().split("\n").slice(-LOG_LINES).join("\n");
}

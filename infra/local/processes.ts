import { spawn } from "node:child_process";
import { openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "./engine.ts";

const POLL_MS = 100;
/** An engine that is ended before it has closed takes the longer to start again. */
const STOP_TIMEOUT_MS = 60_000;
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
  waiting: Waiting,
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
  let isOver = false;
  const looked = untilReady(waiting, () => isOver);
  const failure = await Promise.race([failed, looked]).finally(() => (isOver = true));
  complainOf(failure, files);
}

/** Waits until a process that was launched before serves. Errors: one with the end of its log. */
export async function untilServing(files: ProcessFiles, waiting: Waiting): Promise<void> {
  const hasEnded = () => runningPid(files) === undefined;
  complainOf(await untilReady(waiting, hasEnded), files);
}

/** How long a process may take until it serves, and how that is told. */
export interface Waiting {
  readonly timeoutS: number;
  readonly isReady: () => Promise<boolean>;
}

/** Asks the recorded process to end, and ends it after a minute. Resolves when it is gone: its ports are free then. */
export async function halt(files: ProcessFiles): Promise<void> {
  const pid = runningPid(files);
  if (pid !== undefined) {
    process.kill(pid, "SIGTERM");
    const isGone = () => runningPid(files) === undefined;
    if (!(await holdsInTime(isGone))) {
      process.kill(pid, "SIGKILL");
      await holdsInTime(isGone);
    }
  }
  rmSync(files.pid, { force: true });
}

async function holdsInTime(condition: () => boolean): Promise<boolean> {
  const endMs = performance.now() + STOP_TIMEOUT_MS;
  while (!condition()) {
    if (performance.now() >= endMs) return false;
    await delay(POLL_MS);
  }
  return true;
}

async function untilReady(
  { timeoutS, isReady }: Waiting,
  hasEnded: () => boolean = () => false,
): Promise<string | undefined> {
  const endMs = performance.now() + timeoutS * 1_000;
  while (!(await isReady())) {
    if (hasEnded()) return "it ended";
    if (performance.now() >= endMs) return `it does not serve after ${timeoutS} s`;
    await delay(POLL_MS);
  }
  return undefined;
}

function complainOf(failure: string | undefined, { log }: ProcessFiles): void {
  if (failure !== undefined) throw new Error(`${failure}; ${log} ends with\n${tail(log)}`);
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

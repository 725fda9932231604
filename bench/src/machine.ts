import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";

/** Server and its children run on the first core, the load generator on the second. */
export const SERVER_CORE = 0;
export const LOAD_CORE = 1;
const CORES_NEEDED = 2;
const MEMORY_SAMPLE_MS = 250;
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;
const MS_PER_TICK = 10;

/** In front of a command: run it, and all it starts, on the server's core. */
export const ON_SERVER_CORE: readonly string[] = ["taskset", "-c", String(SERVER_CORE)];

export function assertCores(): void {
  if (availableParallelism() < CORES_NEEDED) throw new Error("the benchmarks need two cores");
}

/** Moves this process with all its threads onto the load generator's core, or back onto all. */
export function pinLoadGenerator(pinned: boolean): void {
  const cores = pinned ? String(LOAD_CORE) : `0-${cpus().length - 1}`;
  execFileSync("taskset", ["-acp", cores, String(process.pid)], { stdio: "ignore" });
}

export function describeMachine(): string {
  const [cpu] = cpus();
  return `${cpus().length} cores, ${cpu?.model.trim()}, Node ${process.version}`;
}

export interface Memory {
  /** What the processes hold for themselves: can't be given back without swapping. */
  readonly ownBytes: number;
  /** With pages of mapped files, the log's above all, which the kernel takes back when it needs room. */
  readonly residentBytes: number;
}

/** Peak memory of a process and all below it, added up. */
export class MemoryWatch implements Disposable {
  readonly #pid: number;
  readonly #timer: NodeJS.Timeout;
  #ownBytes = 0;
  #residentBytes = 0;

  constructor(pid: number) {
    this.#pid = pid;
    this.#timer = setInterval(() => this.#look(), MEMORY_SAMPLE_MS);
  }

  peak(): Memory {
    this.#look();
    return { ownBytes: this.#ownBytes, residentBytes: this.#residentBytes };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const statuses = withDescendants(this.#pid).map(statusOf);
    const sum = (...fields: readonly string[]): number =>
      fields
        .flatMap((field) => statuses.map((status) => statusNumber(status, field) ?? 0))
        .reduce((total, kilobytes) => total + kilobytes * 1_024, 0);
    this.#ownBytes = Math.max(this.#ownBytes, sum("RssAnon", "RssShmem"));
    this.#residentBytes = Math.max(this.#residentBytes, sum("VmHWM"));
  }
}

/** Processor time that a process and all below it have used since they started, in ms. */
export function processorMs(pid: number): number {
  const ticks = withDescendants(pid).map((one) => ticksOf(statOf(one)));
  return ticks.reduce((sum, own) => sum + own, 0) * MS_PER_TICK;
}

/** Processor time that the main thread of a process has used since it started, in ms. */
export function mainThreadMs(pid: number): number {
  return ticksOf(statOf(`${pid}/task/${pid}`)) * MS_PER_TICK;
}

function ticksOf(stat: readonly string[]): number {
  return Number(stat[USER_TICKS] ?? 0) + Number(stat[SYSTEM_TICKS] ?? 0);
}

/** Fields of the stat file of a process, or of one of its threads, behind the name, which is in brackets and may hold anything. */
function statOf(place: number | string): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${place}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

function withDescendants(root: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentOf(Number(name));
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = [root];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
}

function parentOf(pid: number): number | undefined {
  return statusNumber(statusOf(pid), "PPid");
}

/** Empty when the process has ended since it was listed. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

function statusNumber(status: string, field: string): number | undefined {
  const value = new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1];
  return value === undefined ? undefined : Number(value);
}

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";

/** Server and its children run on the first core, the load generator on the second. */
export const SERVER_CORE = 0;
export const LOAD_CORE = 1;
const CORES_NEEDED = 2;

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
  readonly peakBytes: number;
  readonly processes: number;
}

/** Peak resident memory of a process and all below it, added up: each one's own peak, so an upper bound. */
export function peakMemory(pid: number): Memory {
  const pids = withDescendants(pid);
  const peaks = pids.map((one) => statusKilobytes(one, "VmHWM") * 1_024);
  return { peakBytes: peaks.reduce((sum, peak) => sum + peak, 0), processes: pids.length };
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
  try {
    return statusNumber(readFileSync(`/proc/${pid}/status`, "utf8"), "PPid");
  } catch {
    // It has ended since the directory was listed.
    return undefined;
  }
}

function statusKilobytes(pid: number, field: string): number {
  return statusNumber(readFileSync(`/proc/${pid}/status`, "utf8"), field) ?? 0;
}

function statusNumber(status: string, field: string): number | undefined {
  const value = new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1];
  return value === undefined ? undefined : Number(value);
}

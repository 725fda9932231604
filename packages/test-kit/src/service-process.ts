import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";

const MAIN = resolve(import.meta.dirname, "../../../apps/feedctl/src/main.ts");
const NODE_FLAGS = [
  "--disable-warning=ExperimentalWarning",
  // kafkajs sets timers to moments that have passed.
  "--disable-warning=TimeoutNegativeWarning",
];
// Up to what comes behind it: of an address that has arrived in part the rest is waited for.
const RUNNING = /running at (http:\/\/\S+?:(\d+))\s/;
const LISTENING = /(?:running(?:, health)?|Listening) at (http:\/\/\S+)\s/;
/** A start takes seconds, and minutes where many processes share few processors. */
const START_TIMEOUT_MS = 240_000;

export interface ServiceOptions {
  readonly dataDirectory: string;
  /** Default is any free one. */
  readonly port?: number;
  /** Commands in front, e.g. `taskset -c 0`. */
  readonly prefix?: readonly string[];
  /** Flags of Node, e.g. `--cpu-prof`. */
  readonly nodeFlags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export interface ExitedProcess {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `feedctl up --no-demo` as a process of its own. */
export interface ServiceProcess extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  readonly baseUrl: string;
  /** What it has written to standard error so far. */
  readonly stderr: () => string;
  /** Resolves when the process has ended by itself. */
  readonly ended: () => Promise<ExitedProcess>;
  /** Sends the signal and resolves when the process has ended. */
  readonly stop: (signal: "SIGTERM" | "SIGKILL") => Promise<ExitedProcess>;
}

/**
 * Starts the service on a free port of 127.0.0.1 and resolves when it says that it runs.
 *
 * @throws with what it printed, when it ends before that or does not get there within four minutes.
 */
export async function startService(options: ServiceOptions): Promise<ServiceProcess> {
  const started = launch(options, [
    "up",
    "--no-demo",
    "--port",
    String(options.port ?? 0),
    "--data",
    options.dataDirectory,
  ]);
  const [, baseUrl = "", port] = await firstOf(started, RUNNING);
  const stop = async (signal: "SIGTERM" | "SIGKILL"): Promise<ExitedProcess> => {
    started.kill(signal);
    return started.exited;
  };
  return {
    pid: started.pid,
    port: Number(port),
    baseUrl,
    stderr: started.stderr,
    ended: () => started.exited,
    stop,
    [Symbol.asyncDispose]: async () => void (await stop("SIGKILL")),
  };
}

/** A role of the service, or a command that listens, as a process of its own. */
export interface FeedctlProcess extends AsyncDisposable {
  /** The address it printed. */
  readonly listening: string;
  /** What it has written to standard output so far. */
  readonly stdout: () => string;
  /** Sends the signal and resolves when the process has ended. */
  readonly stop: (signal: "SIGTERM" | "SIGKILL") => Promise<ExitedProcess>;
}

/**
 * Starts a `feedctl` command that runs until it is stopped, and resolves when it has printed where it listens.
 *
 * @throws with what it printed, when it ends before that or does not get there within four minutes.
 */
export async function startFeedctl(
  feedctlArguments: readonly string[],
  options: Omit<ServiceOptions, "dataDirectory">,
): Promise<FeedctlProcess> {
  const started = launch(options, feedctlArguments);
  const [, listening = ""] = await firstOf(started, LISTENING);
  const stop = async (signal: "SIGTERM" | "SIGKILL"): Promise<ExitedProcess> => {
    started.kill(signal);
    return started.exited;
  };
  const { stdout } = started;
  return {
    listening,
    stdout,
    stop,
    [Symbol.asyncDispose]: async () => void (await stop("SIGKILL")),
  };
}

/** Runs a `feedctl` command to its end. */
export function runFeedctl(
  feedctlArguments: readonly string[],
  options: Omit<ServiceOptions, "dataDirectory"> = {},
): Promise<ExitedProcess> {
  return launch(options, feedctlArguments).exited;
}

/** The first line that fits. Ends the process when it does not get there. */
async function firstOf(started: ReturnType<typeof launch>, line: RegExp): Promise<RegExpExecArray> {
  const ending = started.exited.then((exit) => {
    throw new Error(`the service ended with code ${exit.code}: ${exit.stderr}`);
  });
  ending.catch(() => undefined);
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    started.kill("SIGKILL");
    deadline.reject(new Error(`the service did not start in time: ${started.stderr()}`));
  }, START_TIMEOUT_MS);
  const found = await Promise.race([started.printed(line), ending, deadline.promise]);
  clearTimeout(timer);
  return found;
}

function launch(
  { prefix = [], nodeFlags = [], environment = {} }: Omit<ServiceOptions, "dataDirectory">,
  feedctlArguments: readonly string[],
) {
  const [command = "", ...rest] = [
    ...prefix,
    process.execPath,
    ...NODE_FLAGS,
    ...nodeFlags,
    MAIN,
    ...feedctlArguments,
  ];
  const child = spawn(command, rest, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...environment },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const exited = once(child, "close").then(([code, signal]): ExitedProcess => ({
    code,
    signal,
    stdout,
    stderr,
  }));
  // Whoever started it may end in any way: the service does not stay behind.
  const reap = (): void => void child.kill("SIGKILL");
  process.once("exit", reap);
  void exited.finally(() => process.off("exit", reap));
  return {
    pid: child.pid ?? -1,
    exited,
    stdout: () => stdout,
    stderr: () => stderr,
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    printed: (line: RegExp) =>
      new Promise<RegExpExecArray>((found) => {
        child.stdout.on("data", () => {
          const match = line.exec(stdout);
          if (match !== null) found(match);
        });
      }),
  };
}

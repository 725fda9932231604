import { fork, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { ClickHouseEndpoint } from "./clickhouse.ts";
import { ActivityStoreUnavailable } from "./port.ts";

const RESTART_DELAY_MS = 500;
const RESTART_DELAY_MS_MAX = 30_000;
/** For how long a start that ends is tried again. */
const START_TIMEOUT_MS = 20_000;
/** A start that goes on: seconds as a rule, more where many processes share few processors. */
const SILENCE_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 5_000;
/** Where no engine is, that is known at once: this one is busy. */
const ANSWER_TIMEOUT_MS = 30_000;
const OWNER_ONLY = 0o600;

export interface EmbeddedClickHouseOptions {
  readonly directory: string;
  /** Told of every unexpected end of the engine's process and of every start after it that fails. */
  readonly onExit: (reason: string) => void;
  /** Where data teams may ask what is read alone, and as whom; absent: nowhere. */
  readonly reading?: ClickHouseEndpoint;
}

/** A running engine process: open stores on `endpoint` from any thread or process of this machine. */
export interface EmbeddedClickHouse extends AsyncDisposable {
  readonly endpoint: ClickHouseEndpoint;
  /** Of the engine's process now running. */
  readonly pid: number | undefined;
}

/**
 * Starts the embedded engine and resolves when it answers. A crash of the engine is not a crash of the service: it
 * is started again on the same port, as often as it takes. Errors: ActivityStoreUnavailable, with the reason in one line.
 */
export async function startEmbeddedClickHouse(
  options: EmbeddedClickHouseOptions,
): Promise<EmbeddedClickHouse> {
  try {
    mkdirSync(options.directory, { recursive: true });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new ActivityStoreUnavailable(`cannot write to ${options.directory}: ${code}`, {
      cause: error,
    });
  }
  const engine = new EngineProcess(options);
  await engine.start();
  return engine;
}

/** The engine of a directory that a process of this machine runs now; undefined: none answers. */
export async function runningClickHouse(
  directory: string,
): Promise<ClickHouseEndpoint | undefined> {
  try {
    const endpoint = JSON.parse(
      await readFile(endpointFile(directory), "utf8"),
    ) as ClickHouseEndpoint;
    const { url, username, password } = endpoint;
    const answer = await fetch(`${url}/?query=SELECT%201`, {
      headers: {
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
      },
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    await answer.body?.cancel();
    return answer.ok ? endpoint : undefined;
  } catch {
    // No file, or that of a process that was killed.
    return undefined;
  }
}

/** Beside the engine's own files, readable by their owner alone: it holds the engine's password. */
function endpointFile(directory: string): string {
  return `${directory}.json`;
}

class EngineProcess implements EmbeddedClickHouse {
  readonly #options: EmbeddedClickHouseOptions;
  readonly #password = randomBytes(18).toString("base64url");
  readonly #stop = new AbortController();
  #child: EngineChild | undefined;
  #restarting: Promise<void> = Promise.resolve();
  #port = 0;

  constructor(options: EmbeddedClickHouseOptions) {
    this.#options = options;
  }

  get endpoint(): ClickHouseEndpoint {
    return { url: `http://127.0.0.1:${this.#port}`, username: "default", password: this.#password };
  }

  get pid(): number | undefined {
    return this.#child?.process.pid;
  }

  /** The engine of a parent that was killed may still be letting go of the directory: tries until the time-out. */
  async start(): Promise<void> {
    const endMs = performance.now() + START_TIMEOUT_MS;
    for (;;) {
      const failure = await this.#launch();
      if (failure === undefined) return this.#announce();
      if (performance.now() + RESTART_DELAY_MS >= endMs)
        throw new ActivityStoreUnavailable(`the embedded ClickHouse did not start: ${failure}`);
      await delay(RESTART_DELAY_MS);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await rm(endpointFile(this.#options.directory), { force: true });
    await this.#child?.end();
    await this.#restarting;
  }

  /** Port and password stay when the engine is started again. */
  async #announce(): Promise<void> {
    const path = endpointFile(this.#options.directory);
    await rm(path, { force: true });
    await writeFile(path, JSON.stringify(this.endpoint), { mode: OWNER_ONLY });
  }

  /** Undefined when the process answers, else why it ended or was ended. */
  async #launch(): Promise<string | undefined> {
    const { reading } = this.#options;
    const child = new EngineChild({
      ...(reading !== undefined && { CLICKHOUSE_READING: JSON.stringify(reading) }),
      CLICKHOUSE_DIRECTORY: this.#options.directory,
      CLICKHOUSE_PASSWORD: this.#password,
      CLICKHOUSE_PORT: String(this.#port),
    });
    this.#child = child;
    const silent = delay(SILENCE_TIMEOUT_MS, "it did not answer in time", { ref: false });
    const first = await Promise.race([child.listening, child.ended, silent]);
    if (typeof first === "string") {
      child.process.kill("SIGKILL");
      await child.ended;
      return first;
    }
    this.#port = first;
    this.#restarting = child.ended.then((reason) => this.#restart(reason));
    return undefined;
  }

  /** Tries until the engine answers or is no longer wanted. */
  async #restart(reason: string): Promise<void> {
    const { signal } = this.#stop;
    let failure: string | undefined = reason;
    for (let waitMs = RESTART_DELAY_MS; !signal.aborted;) {
      this.#options.onExit(failure);
      failure = await this.#launch();
      if (failure === undefined) return;
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
      waitMs = Math.min(RESTART_DELAY_MS_MAX, 2 * waitMs);
    }
  }
}

/** One process of the engine. */
class EngineChild {
  readonly process: ChildProcess;
  /** Resolves with the port once it answers there. */
  readonly listening: Promise<number>;
  /** Resolves with the reason. Kept from the start: a process that has ended never reports it again. */
  readonly ended: Promise<string>;

  constructor(environment: Readonly<Record<string, string>>) {
    this.process = fork(fileURLToPath(new URL("embedded-server.ts", import.meta.url)), [], {
      env: { ...process.env, ...environment },
      execArgv: [],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    let complaint = "";
    this.process.stderr?.on("data", (chunk: Buffer) => {
      complaint = `${complaint}${chunk.toString()}`.slice(-2_000);
    });
    this.listening = new Promise((resolve) => {
      this.process.once("message", ({ port }: { readonly port: number }) => resolve(port));
    });
    this.ended = new Promise((resolve) => {
      this.process.once("exit", () => resolve(firstError(complaint)));
      // It could not be started at all: then nothing ever exits.
      this.process.once("error", (error) => resolve(error.message));
    });
  }

  async end(): Promise<void> {
    this.process.kill("SIGTERM");
    const killing = setTimeout(() => this.process.kill("SIGKILL"), STOP_TIMEOUT_MS);
    await this.ended;
    clearTimeout(killing);
  }
}

function firstError(complaint: string): string {
  return (
    complaint
      .split("\n")
      .find((line) => /error|exception|code:/i.test(line))
      ?.trim() ?? "it ended"
  );
}

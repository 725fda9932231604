import { fork, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { ClickHouseEndpoint } from "./clickhouse.ts";
import { ActivityStoreUnavailable } from "./port.ts";

const RESTART_DELAY_MS = 500;
const START_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 5_000;

export interface EmbeddedClickHouseOptions {
  readonly directory: string;
  /** Told of every unexpected end of the engine's process, which is started again. */
  readonly onExit: (reason: string) => void;
}

/** A running engine process: open stores on `endpoint` from any thread or process of this machine. */
export interface EmbeddedClickHouse extends AsyncDisposable {
  readonly endpoint: ClickHouseEndpoint;
  /** Of the engine's process now running. */
  readonly pid: number | undefined;
}

/**
 * Starts the embedded engine and resolves when it answers. A crash of the engine is not a crash of the service: it
 * is started again on the same port. Errors: ActivityStoreUnavailable, with the reason in one line.
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

class EngineProcess implements EmbeddedClickHouse {
  readonly #options: EmbeddedClickHouseOptions;
  readonly #password = randomBytes(18).toString("base64url");
  #child: ChildProcess | undefined;
  #port = 0;
  #stopping = false;

  constructor(options: EmbeddedClickHouseOptions) {
    this.#options = options;
  }

  get endpoint(): ClickHouseEndpoint {
    return { url: `http://127.0.0.1:${this.#port}`, username: "default", password: this.#password };
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The engine of a parent that was killed may still be letting go of the directory: tries until the time-out. */
  async start(): Promise<void> {
    const deadline = AbortSignal.timeout(START_TIMEOUT_MS);
    while (!this.#stopping) {
      const failure = await this.#launch(deadline);
      if (failure === undefined) return;
      if (deadline.aborted)
        throw new ActivityStoreUnavailable(`the embedded ClickHouse did not start: ${failure}`);
      await new Promise((resolve) => setTimeout(resolve, RESTART_DELAY_MS));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    const killing = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(killing);
  }

  /** Undefined when the process answers, else why it ended. */
  async #launch(deadline: AbortSignal): Promise<string | undefined> {
    const child = fork(fileURLToPath(new URL("embedded-server.ts", import.meta.url)), [], {
      env: {
        ...process.env,
        CLICKHOUSE_DIRECTORY: this.#options.directory,
        CLICKHOUSE_PASSWORD: this.#password,
        CLICKHOUSE_PORT: String(this.#port),
      },
      execArgv: [],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#child = child;
    let complaint = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      complaint = `${complaint}${chunk.toString()}`.slice(-2_000);
    });
    const ended = once(child, "exit").then(() => firstError(complaint));
    const started = once(child, "message", { signal: deadline });
    const first = await Promise.race([started, ended]).catch(() => "it did not answer in time");
    if (typeof first === "string") return first;
    this.#port = (first[0] as { readonly port: number }).port;
    ended.then((reason) => this.#restart(reason)).catch(() => undefined);
    return undefined;
  }

  async #restart(reason: string): Promise<void> {
    if (this.#stopping) return;
    this.#options.onExit(reason);
    await this.start();
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

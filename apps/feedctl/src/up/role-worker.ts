import { parentPort, Worker, workerData } from "node:worker_threads";
import type { InstallationConfig } from "@feed/engines";
import { inOneLine } from "../failure.ts";

const STOP_TIMEOUT_MS = 15_000;
/** Each thread has a heap of its own; V8's default lets the young part of every one of them grow beyond 100 MB. */
const YOUNG_GENERATION_MB_MAX = 16;
/**
 * Far above what a role holds. V8 lets a heap that may grow to 2 GB or more become four times what is alive before it
 * collects, and a smaller one less than twice.
 */
const OLD_GENERATION_MB_MAX = 1_536;

/** A role that runs in a thread of its own, so that its work never holds up requests. */
export interface RoleWorker extends AsyncDisposable {
  /** Rejects with RoleFailed when the role ended without being told to. */
  readonly failed: Promise<never>;
}

/** The name of the role and why it ended, in one line. */
export class RoleFailed extends Error {
  override readonly name = "RoleFailed";

  constructor(role: string, cause: unknown) {
    super(`${role} failed: ${inOneLine(cause)}`, { cause });
  }
}

/**
 * Starts the module `url` as a thread and resolves when it reports that it runs.
 *
 * Errors: RoleFailed, with what the role failed with while it was starting.
 */
export async function startRole<Message = never>(
  name: string,
  url: URL,
  data: object & { readonly installation?: InstallationConfig },
  onMessage: (message: Message) => void = () => undefined,
): Promise<RoleWorker> {
  const resourceLimits = {
    maxYoungGenerationSizeMb: YOUNG_GENERATION_MB_MAX,
    maxOldGenerationSizeMb: OLD_GENERATION_MB_MAX,
  };
  const door = data.installation?.logWriter;
  const transferList = door === undefined ? [] : [door];
  const worker = new Worker(url, { workerData: data, transferList, name, resourceLimits });
  // Kept from the start: a thread that has already ended never reports it again.
  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  let isToldToStop = false;
  const failed = new Promise<never>((_resolve, reject) => {
    worker.once("error", (error) => reject(new RoleFailed(name, error)));
    worker.once("exit", (code) => {
      if (!isToldToStop) reject(new RoleFailed(name, `it ended with code ${code}`));
    });
  });
  failed.catch(() => undefined);
  const ready = new Promise<void>((resolve) => {
    worker.on("message", (message) =>
      message === "ready" ? resolve() : onMessage(message as Message),
    );
  });
  await Promise.race([ready, failed]);
  return {
    failed,
    async [Symbol.asyncDispose]() {
      isToldToStop = true;
      worker.postMessage("stop");
      const killing = setTimeout(() => void worker.terminate(), STOP_TIMEOUT_MS);
      await exited;
      clearTimeout(killing);
    },
  };
}

/** The thread's side: opens the role, reports, and closes it when told to. A failure ends the thread with it. */
export async function serveRole<Data>(
  open: (
    data: Data,
    post: (message: unknown) => void,
  ) => Promise<AsyncDisposable & { readonly failed: Promise<unknown> }>,
): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error("a role runs in a worker thread");
  const role = await open(workerData as Data, (message) => port.postMessage(message));
  const stopped = new Promise<void>((resolve) => {
    port.on("message", (message) => {
      if (message === "stop") resolve();
    });
  });
  role.failed.catch((error: unknown) => {
    // An uncaught error reaches the thread that started this one.
    setImmediate(() => {
      throw error;
    });
  });
  port.postMessage("ready");
  await stopped;
  await role[Symbol.asyncDispose]();
  port.close();
}

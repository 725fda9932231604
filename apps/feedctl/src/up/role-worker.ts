import { once } from "node:events";
import { parentPort, Worker, workerData } from "node:worker_threads";
import type { Logger } from "@feed/runtime";

const STOP_TIMEOUT_MS = 15_000;

/** A role that runs in a thread of its own, so that its work never holds up requests. */
export interface RoleWorker extends AsyncDisposable {
  /** Rejects when the role ended without being told to. */
  readonly failed: Promise<never>;
}

/**
 * Starts the module `url` as a thread and resolves when it reports that it runs.
 *
 * Errors: what the role failed with while it was starting.
 */
export async function startRole<Message = never>(
  name: string,
  url: URL,
  data: unknown,
  onMessage: (message: Message) => void = () => undefined,
): Promise<RoleWorker> {
  const worker = new Worker(url, { workerData: data, name });
  const failed = new Promise<never>((_resolve, reject) => {
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`${name} ended with code ${code}`)));
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
      const ended = once(worker, "exit");
      worker.postMessage("stop");
      const killing = setTimeout(() => void worker.terminate(), STOP_TIMEOUT_MS);
      await ended;
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
  log: (data: Data) => Logger,
): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error("a role runs in a worker thread");
  const data = workerData as Data;
  const role = await open(data, (message) => port.postMessage(message));
  const stopped = new Promise<void>((resolve) => {
    port.on("message", (message) => {
      if (message === "stop") resolve();
    });
  });
  role.failed.catch((error: unknown) => {
    log(data).fatal({ err: error }, "the role failed");
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

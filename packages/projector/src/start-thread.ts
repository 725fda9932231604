import { Worker } from "node:worker_threads";
import type { BatchMeasure } from "./project-into.ts";
import type { Projector } from "./projector.ts";
import type { FromProjectorThread, ToProjectorThread } from "./thread-messages.ts";

/** A batch in progress ends well within this; a store that hangs must not keep the process from ending. */
const STOP_TIMEOUT_MS = 10_000;

export interface ProjectorThreadOptions {
  /** A file that calls `serveProjectorThread`. */
  readonly entry: URL;
  /** Given to the entry as its `workerData`: plain data. */
  readonly workerData: unknown;
  readonly onBatch?: (measure: BatchMeasure) => void;
}

/**
 * Runs a projector in a worker thread, so that projecting a burst never holds up an answer. Resolves when it
 * projects; rejects when it can't open its engines.
 */
export async function startProjectorThread(options: ProjectorThreadOptions): Promise<Projector> {
  const worker = new Worker(options.entry, { workerData: options.workerData });
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let isStopping = false;
  let failure: Error | undefined;
  worker.on("message", (message: FromProjectorThread) => {
    if (message.kind === "ready") ready.resolve();
    if (message.kind === "batch") options.onBatch?.(message.measure);
    if (message.kind === "failed") failure = new Error(message.reason);
  });
  worker.on("error", (error) => {
    failure = error instanceof Error ? error : new Error(String(error));
  });
  worker.on("exit", () => {
    if (failure === undefined && isStopping) return ended.resolve();
    const error = failure ?? new Error("the projector's thread has ended");
    ready.reject(error);
    ended.reject(error);
  });
  // Whoever doesn't watch `failed` must not find the process ended by it.
  ended.promise.catch(() => undefined);
  const dispose = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    worker.postMessage({ kind: "stop" } satisfies ToProjectorThread);
    const timer = setTimeout(() => void worker.terminate(), STOP_TIMEOUT_MS);
    await ended.promise.catch(() => undefined);
    clearTimeout(timer);
  };
  await ready.promise;
  return { failed: ended.promise, [Symbol.asyncDispose]: dispose };
}

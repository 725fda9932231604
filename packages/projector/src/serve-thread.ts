import type { MessagePort } from "node:worker_threads";
import type { BatchMeasure } from "./project-into.ts";
import { runProjector } from "./projector.ts";
import type { Projector, ProjectorOptions } from "./projector.ts";
import type { FromProjectorThread, ToProjectorThread } from "./thread-messages.ts";

/** Engines of this thread, and how they are closed. */
export interface ThreadEngines extends AsyncDisposable {
  readonly options: Omit<ProjectorOptions, "onBatch">;
}

/**
 * The whole of a projector's worker thread: opens the engines, projects, and stops when it is told to. An entry file
 * calls it with its `parentPort` and what its `workerData` says how to open.
 */
export async function serveProjectorThread(
  port: MessagePort,
  open: () => Promise<ThreadEngines>,
): Promise<void> {
  const send = (message: FromProjectorThread): void => port.postMessage(message);
  const stopped = Promise.withResolvers<void>();
  port.on("message", (message: ToProjectorThread) => {
    if (message.kind === "stop") stopped.resolve();
  });
  try {
    await using engines = await open();
    const onBatch = (measure: BatchMeasure): void => send({ kind: "batch", measure });
    await using projector = await runProjector({ ...engines.options, onBatch });
    send({ kind: "ready" });
    await untilStopped(projector, stopped.promise);
  } catch (error) {
    send({ kind: "failed", reason: error instanceof Error ? error.message : String(error) });
  } finally {
    // The open port is what keeps the thread alive.
    port.close();
  }
}

async function untilStopped(projector: Projector, stopped: Promise<void>): Promise<void> {
  await Promise.race([projector.failed, stopped]);
}

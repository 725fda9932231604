import { MessageChannel, Worker } from "node:worker_threads";
import type { MessagePort } from "node:worker_threads";

import { LogUnavailable } from "../port.ts";
import { prepareDirectory } from "./directory.ts";
import { unavailable } from "./faults.ts";
import type { WriteOutcome } from "./protocol.ts";

/**
 * The thread that writes a log, from the side of who started it. A process with several threads starts one and hands
 * each of them a door, so that their writes share transactions; it ends it after every log that was opened with a door.
 * Where it ends before them, each goes on with a thread of its own.
 */
export class WritingThread implements AsyncDisposable {
  readonly #worker: Worker;
  /** Resolves with why the thread has ended; no door answers any more. */
  readonly exited: Promise<LogUnavailable>;
  #hasExited = false;
  #hasOpened = false;
  #isEnding = false;
  readonly #opened: Promise<WriteOutcome>;

  /**
   * `directory` exists: see prepareDirectory. `onFailed` is told why a thread that had opened the log has ended though
   * nobody ended it.
   */
  constructor(directory: string, onFailed?: (reason: LogUnavailable) => void) {
    this.#worker = new Worker(new URL("./writer-thread.ts", import.meta.url), {
      workerData: { directory },
    });
    let reason = new LogUnavailable(`the writer of ${directory} has ended`);
    this.#worker.on("error", (error) => {
      reason = new LogUnavailable(unavailable(directory, error).message, { cause: error });
    });
    this.exited = new Promise((resolve) =>
      this.#worker.once("exit", () => {
        this.#hasExited = true;
        resolve(reason);
        if (this.#hasOpened && !this.#isEnding) onFailed?.(reason);
      }),
    );
    this.#opened = new Promise((resolve) =>
      this.#worker.once("message", (outcome: WriteOutcome) => {
        this.#hasOpened = outcome.ok;
        resolve(outcome);
      }),
    );
  }

  /**
   * Starts it for a directory, which is created when absent. Rejects with LogUnavailable when that can't be used.
   * `onFailed`: see the constructor.
   */
  static async start(
    directory: string,
    onFailed?: (reason: LogUnavailable) => void,
  ): Promise<WritingThread> {
    const thread = new WritingThread(prepareDirectory(directory), onFailed);
    await thread.ready();
    return thread;
  }

  /** Resolves when the thread has opened the log; rejects with LogUnavailable when it can't. */
  async ready(): Promise<void> {
    const outcome = await Promise.race([this.#opened, this.exited]);
    if (outcome instanceof LogUnavailable) throw outcome;
    if (!outcome.ok) throw new LogUnavailable(outcome.message);
  }

  /** A new way to the thread, to be handed to one Writer, in any thread. It closes when the thread ends. */
  door(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    // A thread that has ended takes no door, and would leave it open for ever.
    if (this.#hasExited) port1.close();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    else this.#worker.postMessage(port1, [port1]);
    return port2;
  }

  /** Ends the thread when what it was asked for is done. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    this.#worker.postMessage(null);
    await this.exited;
  }
}

import { BroadcastChannel } from "node:worker_threads";

/**
 * Tells waiting consumers that something was written: at once within this thread, by a channel to the other
 * threads of the process, and by looking at the log's change counter for other processes.
 */
export class Wakeups implements Disposable {
  readonly #channel: BroadcastChannel;
  readonly #timer: NodeJS.Timeout;
  readonly #waiting = new Set<() => void>();
  #version = 0;

  /** `readChangeCount` is asked every `pollIntervalMs`, as long as somebody waits. */
  constructor(directory: string, pollIntervalMs: number, readChangeCount: () => number) {
    this.#channel = new BroadcastChannel(`event-log ${directory}`);
    this.#channel.addEventListener("message", () => this.#wake());
    this.#channel.unref();
    let lastCount = -1;
    this.#timer = setInterval(() => {
      if (this.#waiting.size === 0) return;
      const count = readChangeCount();
      if (count !== lastCount) this.#wake();
      lastCount = count;
    }, pollIntervalMs);
    this.#timer.unref();
  }

  /** To be read before looking at the log, and given to `changedSince` when nothing was found there. */
  get version(): number {
    return this.#version;
  }

  /** Resolves at the next change after `version` was read; at once when there was one in between. */
  async changedSince(version: number): Promise<void> {
    if (version !== this.#version) return;
    await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  /** To call after a write of this thread. */
  announce(): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    this.#channel.postMessage(null);
    this.#wake();
  }

  /** For what concerns only consumers of this thread. */
  wakeOwn(): void {
    this.#wake();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#channel.close();
    this.#wake();
  }

  #wake(): void {
    this.#version += 1;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}

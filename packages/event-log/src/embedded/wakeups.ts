import { BroadcastChannel } from "node:worker_threads";

import { EVERYTHING, NOTHING } from "./changes.ts";
import type { Changes } from "./changes.ts";

const BITS = 32;

interface Waiting {
  readonly changes: Changes;
  readonly resolve: () => void;
}

/**
 * Tells waiting consumers that something they wait for was written: at once within this thread, by a channel to the
 * other threads of the process, and by looking at the log for other processes. A consumer is woken by its own topics
 * alone: with a commit every few milliseconds, waking them all would cost more than what they do.
 */
export class Wakeups implements Disposable {
  readonly #channel: BroadcastChannel;
  readonly #timer: NodeJS.Timeout;
  readonly #waiting = new Set<Waiting>();
  /** For each bit, the version that changed it last. */
  readonly #changedAt = new Float64Array(BITS);
  #version = 0;

  /** `look` is called every `pollIntervalMs`, as long as somebody waits. */
  constructor(directory: string, pollIntervalMs: number, look: () => Changes) {
    this.#channel = new BroadcastChannel(`event-log ${directory}`);
    this.#channel.addEventListener("message", (message) =>
      this.#wake((message as MessageEvent<Changes>).data),
    );
    this.#channel.unref();
    this.#timer = setInterval(() => {
      if (this.#waiting.size > 0) this.#wake(look());
    }, pollIntervalMs);
    this.#timer.unref();
  }

  /** To be read before looking at the log, and given to `changedSince` when nothing was found there. */
  get version(): number {
    return this.#version;
  }

  /** Resolves when one of `changes` has happened after `version` was read; at once when it has in between. */
  async changedSince(version: number, changes: Changes): Promise<void> {
    for (let bit = 0; bit < BITS; bit += 1) {
      if ((changes >>> bit) & 1 && (this.#changedAt[bit] ?? 0) > version) return;
    }
    await new Promise<void>((resolve) => this.#waiting.add({ changes, resolve }));
  }

  /** To call after a write of this thread. */
  announce(changes: Changes): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    this.#channel.postMessage(changes);
    this.#wake(changes);
  }

  /** For what concerns only consumers of this thread. */
  wakeOwn(): void {
    this.#wake(EVERYTHING);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#channel.close();
    this.#wake(EVERYTHING);
  }

  #wake(changes: Changes): void {
    if (changes === NOTHING) return;
    this.#version += 1;
    for (let bit = 0; bit < BITS; bit += 1) {
      if ((changes >>> bit) & 1) this.#changedAt[bit] = this.#version;
    }
    for (const waiting of this.#waiting) {
      if ((waiting.changes & changes) === NOTHING) continue;
      this.#waiting.delete(waiting);
      waiting.resolve();
    }
  }
}

import { Worker } from "node:worker_threads";

import { LogRejected, LogUnavailable } from "../port.ts";
import { unavailable } from "./faults.ts";
import { READY_ID } from "./protocol.ts";
import type { OpOf, WriteOp, WriteReply, WriteRequest, WriteResults } from "./protocol.ts";

/** What may wait for the disk; beyond it appends are refused, so that memory stays bounded. */
const PENDING_BYTES_MAX = 256 * 1024 * 1024;

interface Pending {
  readonly bytes: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** This side of the writer thread of one opened log. */
export class Writer {
  readonly #directory: string;
  readonly #onChanged: () => void;
  readonly #thread: Worker;
  readonly #exited: Promise<void>;
  readonly #pending = new Map<number, Pending>();
  #outgoing: WriteRequest[] = [];
  #transfers: ArrayBuffer[] = [];
  #pendingBytes = 0;
  #lastId = 0;
  #stopped: LogUnavailable | undefined;

  /** `onChanged` is called after each durable write that consumers may wait for. */
  constructor(directory: string, onChanged: () => void) {
    this.#directory = directory;
    this.#onChanged = onChanged;
    this.#thread = new Worker(new URL("./writer-thread.ts", import.meta.url), {
      workerData: { directory },
    });
    this.#exited = new Promise((resolve) => {
      this.#thread.once("exit", () => {
        this.#stop(new LogUnavailable(`the writer of ${directory} has ended`));
        resolve();
      });
    });
    this.#thread.on("error", (error) => this.#stop(unavailable(directory, error)));
    this.#thread.on("message", (reply: WriteReply) => this.#settle(reply));
  }

  /** Resolves when the thread has opened the log; rejects with LogUnavailable when it can't. */
  async ready(): Promise<void> {
    await this.#wait(READY_ID, 0);
  }

  /**
   * Resolves when the operation is durable. Rejects with LogUnavailable or LogRejected: then nothing was
   * written.
   */
  async send<Kind extends WriteOp["kind"]>(op: OpOf<Kind>): Promise<WriteResults[Kind]>;
  async send(op: WriteOp): Promise<unknown> {
    const packed = op.kind === "append" ? op.packed : undefined;
    const bytes = packed?.byteLength ?? 0;
    if (bytes > 0 && this.#pendingBytes + bytes > PENDING_BYTES_MAX) {
      throw new LogUnavailable(`too much is waiting to be written to ${this.#directory}`);
    }
    return this.#request(op, bytes, packed === undefined ? [] : [packed]);
  }

  /** Finishes what was sent and ends the thread. */
  async close(): Promise<void> {
    if (this.#stopped === undefined) await this.#request(null, 0, []);
    await this.#exited;
  }

  #request(op: WriteOp | null, bytes: number, transfer: ArrayBuffer[]): Promise<unknown> {
    if (this.#stopped !== undefined) return Promise.reject(this.#stopped);
    // All that is asked for in one turn goes as one message, and so into one transaction.
    if (this.#outgoing.length === 0) setImmediate(() => this.#flush());
    this.#lastId += 1;
    this.#outgoing.push({ id: this.#lastId, op });
    this.#transfers.push(...transfer);
    return this.#wait(this.#lastId, bytes);
  }

  #flush(): void {
    this.#thread.postMessage(this.#outgoing, this.#transfers);
    this.#outgoing = [];
    this.#transfers = [];
  }

  #wait(id: number, bytes: number): Promise<unknown> {
    this.#pendingBytes += bytes;
    return new Promise((resolve, reject) => this.#pending.set(id, { bytes, resolve, reject }));
  }

  #settle(reply: WriteReply): void {
    for (const { id, outcome } of reply) {
      const pending = this.#pending.get(id);
      this.#pending.delete(id);
      this.#pendingBytes -= pending?.bytes ?? 0;
      if (outcome.ok) pending?.resolve(outcome.result);
      else if (outcome.error === "rejected") pending?.reject(new LogRejected(outcome.message));
      else pending?.reject(new LogUnavailable(outcome.message));
    }
    if (reply.some(({ outcome }) => outcome.ok && outcome.changed)) this.#onChanged();
  }

  #stop(reason: LogUnavailable): void {
    this.#stopped ??= reason;
    for (const pending of this.#pending.values()) pending.reject(this.#stopped);
    this.#pending.clear();
  }
}

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

/** A thread that runs; once it has ended, the next request starts another. */
interface RunningThread {
  readonly worker: Worker;
  readonly exited: Promise<void>;
}

/** This side of the writer thread of one opened log. */
export class Writer {
  readonly #directory: string;
  readonly #onChanged: () => void;
  readonly #pending = new Map<number, Pending>();
  #thread: RunningThread | undefined;
  #outgoing: WriteRequest[] = [];
  #transfers: ArrayBuffer[] = [];
  #pendingBytes = 0;
  #lastId = 0;
  #isClosed = false;

  /** `onChanged` is called after each durable write that consumers may wait for. */
  constructor(directory: string, onChanged: () => void) {
    this.#directory = directory;
    this.#onChanged = onChanged;
    this.#thread = this.#start();
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
    const exited = this.#thread?.exited;
    const closing = exited === undefined ? undefined : this.#request(null, 0, []);
    this.#isClosed = true;
    await closing;
    await exited;
  }

  #start(): RunningThread {
    const worker = new Worker(new URL("./writer-thread.ts", import.meta.url), {
      workerData: { directory: this.#directory },
    });
    let reason = new LogUnavailable(`the writer of ${this.#directory} has ended`);
    worker.on("error", (error) => {
      reason = unavailable(this.#directory, error);
    });
    worker.on("message", (reply: WriteReply) => this.#settle(reply));
    // Not at the error: what was acknowledged before it may still be on its way.
    const exited = new Promise<void>((resolve) => {
      worker.once("exit", () => {
        this.#rejectPending(reason);
        resolve();
      });
    });
    return { worker, exited };
  }

  #request(op: WriteOp | null, bytes: number, transfer: ArrayBuffer[]): Promise<unknown> {
    if (this.#isClosed) {
      return Promise.reject(new LogUnavailable(`the writer of ${this.#directory} has ended`));
    }
    // All that is asked for in one turn goes as one message, and so into one transaction.
    if (this.#outgoing.length === 0) setImmediate(() => this.#flush());
    this.#lastId += 1;
    this.#outgoing.push({ id: this.#lastId, op });
    this.#transfers.push(...transfer);
    return this.#wait(this.#lastId, bytes);
  }

  #flush(): void {
    if (this.#outgoing.length === 0) return;
    this.#thread ??= this.#start();
    this.#thread.worker.postMessage(this.#outgoing, this.#transfers);
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

  /** The thread has ended: nothing of what it has not answered is written, not even later by another thread. */
  #rejectPending(reason: LogUnavailable): void {
    this.#thread = undefined;
    for (const pending of this.#pending.values()) pending.reject(reason);
    this.#pending.clear();
    this.#pendingBytes = 0;
    this.#outgoing = [];
    this.#transfers = [];
  }
}

import type { MessagePort } from "node:worker_threads";

import { LogRejected, LogUnavailable } from "../port.ts";
import { NOTHING } from "./changes.ts";
import type { Changes } from "./changes.ts";
import type { OpOf, WriteOp, WriteReply, WriteRequest, WriteResults } from "./protocol.ts";
import { WritingThread } from "./writing-thread.ts";

/** What may wait for the disk; beyond it appends are refused, so that memory stays bounded. */
const PENDING_BYTES_MAX = 256 * 1024 * 1024;

interface Pending {
  readonly bytes: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A way to a thread that writes; once the thread has ended, the next request starts one of our own. */
interface Connection {
  readonly door: MessagePort;
  readonly closed: Promise<void>;
  /** Absent: somebody else's, who ends it. */
  readonly thread?: WritingThread;
}

export interface WriterOptions {
  /** To the thread that writes for this process (`WritingThread`). Absent: a thread of its own. */
  readonly door?: MessagePort;
  /**
   * Told why a thread of its own has failed. What that had not answered was refused; the next request starts another.
   */
  readonly onWriterFailed?: (reason: LogUnavailable) => void;
}

/** This side of the writer thread of one opened log. */
export class Writer {
  readonly #directory: string;
  readonly #onChanged: (changes: Changes) => void;
  readonly #onWriterFailed: WriterOptions["onWriterFailed"];
  readonly #pending = new Map<number, Pending>();
  #connection: Connection | undefined;
  #outgoing: WriteRequest[] = [];
  #transfers: ArrayBuffer[] = [];
  #pendingBytes = 0;
  #lastId = 0;
  #isClosed = false;

  /** `onChanged` is called after each durable write that consumers may wait for. */
  constructor(
    directory: string,
    onChanged: (changes: Changes) => void,
    { door, onWriterFailed }: WriterOptions = {},
  ) {
    this.#directory = directory;
    this.#onChanged = onChanged;
    this.#onWriterFailed = onWriterFailed;
    this.#connection = door === undefined ? this.#start() : this.#connect(door);
  }

  /** Resolves when a thread of our own has opened the log; rejects with LogUnavailable when it can't. */
  async ready(): Promise<void> {
    await this.#connection?.thread?.ready();
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

  /** Finishes what was sent, and ends the thread if it is our own. */
  async close(): Promise<void> {
    const connection = this.#connection;
    const closing = connection === undefined ? undefined : this.#request(null, 0, []);
    this.#isClosed = true;
    // Refused where the thread ends meanwhile: then there is nothing left to finish.
    await closing?.catch(() => undefined);
    await connection?.thread?.[Symbol.asyncDispose]();
    await connection?.closed;
  }

  #start(): Connection {
    const thread = new WritingThread(this.#directory, this.#onWriterFailed);
    return { ...this.#connect(thread.door(), thread.exited), thread };
  }

  #connect(door: MessagePort, exited?: Promise<LogUnavailable>): Connection {
    door.on("message", (reply: WriteReply) => this.#settle(reply));
    const closed = new Promise<void>((resolve) => {
      // Comes behind every message, so nothing that was acknowledged is called lost.
      door.once("close", async () => {
        const reason = await (exited ?? this.#ended());
        this.#connection = undefined;
        this.#rejectPending(reason);
        resolve();
      });
    });
    return { door, closed };
  }

  #request(op: WriteOp | null, bytes: number, transfer: ArrayBuffer[]): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(this.#ended());
    // All that is asked for in one turn goes as one message, and so into one transaction.
    if (this.#outgoing.length === 0) setImmediate(() => this.#flush());
    this.#lastId += 1;
    this.#outgoing.push({ id: this.#lastId, op });
    this.#transfers.push(...transfer);
    return this.#wait(this.#lastId, bytes);
  }

  #flush(): void {
    if (this.#outgoing.length === 0) return;
    this.#connection ??= this.#start();
    this.#connection.door.postMessage(this.#outgoing, this.#transfers);
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
    const changes = reply.reduce<Changes>((all, { outcome }) => {
      return outcome.ok ? all | outcome.changes : all;
    }, NOTHING);
    if (changes !== NOTHING) this.#onChanged(changes);
  }

  /** The thread has ended: nothing of what it has not answered is written, not even later by another thread. */
  #rejectPending(reason: LogUnavailable): void {
    for (const pending of this.#pending.values()) pending.reject(reason);
    this.#pending.clear();
    this.#pendingBytes = 0;
    this.#outgoing = [];
    this.#transfers = [];
  }

  #ended(): LogUnavailable {
    return new LogUnavailable(`the writer of ${this.#directory} has ended`);
  }
}

import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";

export interface Answer {
  readonly status: number;
  /** Status line and headers, as sent. */
  readonly head: string;
  readonly body: Buffer;
}

const HEAD_END = Buffer.from("\r\n\r\n");

/**
 * One keep-alive connection that asks one thing at a time. It does as little as measuring needs, so that the
 * generator's core is never the slower one: answers must carry a Content-Length, as the service's do.
 */
export class HttpConnection implements Disposable {
  readonly #socket: Socket;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #bytesExpected = Infinity;
  #headBytes = 0;
  #waiting: PromiseWithResolvers<Answer> | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (chunk) => this.#take(chunk));
    socket.on("error", (error) => this.#waiting?.reject(error));
    socket.on("close", () => this.#waiting?.reject(new Error("the connection was closed")));
  }

  static async open(port: number): Promise<HttpConnection> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return new HttpConnection(socket);
  }

  /** Errors: whatever ends the connection before the whole answer is there. */
  ask(request: string | Buffer): Promise<Answer> {
    this.#chunks = [];
    this.#bytes = 0;
    this.#bytesExpected = Infinity;
    this.#headBytes = 0;
    const waiting = Promise.withResolvers<Answer>();
    this.#waiting = waiting;
    if (this.#socket.destroyed) waiting.reject(new Error("the connection is closed"));
    else this.#socket.write(request);
    return waiting.promise;
  }

  [Symbol.dispose](): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#headBytes === 0) this.#readHead();
    if (this.#bytes < this.#bytesExpected) return;
    const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    const head = bytes.toString("latin1", 0, this.#headBytes);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve({
      status: Number(head.slice(9, 12)),
      head,
      body: bytes.subarray(this.#headBytes),
    });
  }

  #readHead(): void {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    const end = bytes.indexOf(HEAD_END);
    if (end === -1) return;
    this.#headBytes = end + HEAD_END.length;
    const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString("latin1", 0, end));
    if (length === null) {
      this.#waiting?.reject(new Error("an answer without Content-Length"));
      return;
    }
    this.#bytesExpected = this.#headBytes + Number(length[1]);
  }
}

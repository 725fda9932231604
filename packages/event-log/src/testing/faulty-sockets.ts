import { connect } from "node:net";
import type { Socket } from "node:net";

import type { ISocketFactory } from "kafkajs";

/** First bytes of a request: its length, then which kind it is. */
const KIND_AT = 4;
const PRODUCE = 0;
/** The broker has done what was asked by then. */
const ANSWER_LOST_AFTER_MS = 300;

/** Connections to the brokers that fail when they are told to. */
export class FaultySockets {
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  #answersToLose = 0;
  /** Answers to appends that were lost so far. */
  answersLost = 0;

  readonly factory: ISocketFactory = ({ host, port, onConnect }) => {
    // Port 1 has no listener.
    const socket = connect({ host, port: this.#isCut ? 1 : port }, onConnect);
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    const write = socket.write.bind(socket);
    return Object.assign(socket, {
      write: (...call: Parameters<typeof write>): boolean => {
        const [chunk] = call;
        if (Buffer.isBuffer(chunk) && chunk.readInt16BE(KIND_AT) === PRODUCE) this.#sent(socket);
        return write(...call);
      },
    });
  };

  /** Connections that were made and have not ended. */
  get open(): number {
    return this.#sockets.size;
  }

  /** Ends all connections and lets no new one come about. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy(new Error("cut by the test"));
  }

  heal(): void {
    this.#isCut = false;
  }

  /** The next `count` appends reach the broker, and their connections end before the answer comes. */
  loseAnswers(count: number): void {
    this.#answersToLose = count;
  }

  #sent(socket: Socket): void {
    if (this.#answersToLose === 0) return;
    this.#answersToLose -= 1;
    this.answersLost += 1;
    socket.removeAllListeners("data");
    setTimeout(() => socket.destroy(new Error("cut by the test")), ANSWER_LOST_AFTER_MS);
  }
}

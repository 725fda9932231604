import { connect } from "node:net";
import { HOST } from "../engine.ts";

/** What a server answers to one command; undefined where none is there. */
export function ask(port: number, command: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const send = () => socket.write(`${command}\r\n`);
    const socket = connect({ host: HOST, port, timeout: 2_000 }, send);
    const end = (answer: string | undefined) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("data", (answer) => end(answer.toString()));
    socket.once("error", () => end(undefined));
    socket.once("timeout", () => end(undefined));
  });
}

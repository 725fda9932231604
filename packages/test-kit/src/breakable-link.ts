import { connect, createServer, type Server, type Socket } from "node:net";
import { freePort } from "./free-port.ts";

const HOST = "127.0.0.1";

/** A port that leads to an engine as long as it is whole: engines go away and come back without being stopped. */
export interface BreakableLink extends AsyncDisposable {
  readonly port: number;
  /** Ends every connection and refuses new ones. */
  break(): Promise<void>;
  /** Leads to the engine again, on the same port. */
  mend(): Promise<void>;
}

export async function linkTo(engine: {
  readonly host: string;
  readonly port: number;
}): Promise<BreakableLink> {
  const sockets = new Set<Socket>();
  // One that nobody else is given while the link is broken.
  const port = await freePort();
  let server = await listen();

  function listen(): Promise<Server> {
    const listening = createServer((near) => {
      const far = connect(engine);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(from);
        from.on("error", () => to.destroy());
        from.on("close", () => sockets.delete(from) && to.destroy());
        from.pipe(to);
      }
    });
    return new Promise((resolve, reject) => {
      listening.once("error", reject);
      listening.listen(port, HOST, () => resolve(listening));
    });
  }

  const end = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return {
    port,
    break: end,
    mend: async () => {
      server = await listen();
    },
    [Symbol.asyncDispose]: end,
  };
}

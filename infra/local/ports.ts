import { createServer, type AddressInfo } from "node:net";
import { HOST } from "./engine.ts";

export type Ports = Readonly<Record<string, number>>;

/**
 * A free port for each purpose: the one of the last start, else the usual one, else any. Engines of several checkouts
 * so run side by side.
 */
export async function choosePorts(usual: Ports, last: Ports | undefined): Promise<Ports> {
  // Held until all are chosen: the system gives none of them twice.
  await using held = new AsyncDisposableStack();
  const chosen: Record<string, number> = {};
  for (const [purpose, usualPort] of Object.entries(usual)) {
    const wanted = [last?.[purpose], usualPort, 0].filter((port) => port !== undefined);
    chosen[purpose] = held.use(await firstFree(wanted)).port;
  }
  return chosen;
}

interface HeldPort extends AsyncDisposable {
  readonly port: number;
}

async function firstFree(wanted: readonly number[]): Promise<HeldPort> {
  for (const port of wanted) {
    const held = await hold(port);
    if (held !== undefined) return held;
  }
  throw new Error(`no port of ${HOST} is free`);
}

/** Listens on a port, for 0 on one that the system chooses. Undefined: somebody else does. */
function hold(port: number): Promise<HeldPort | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen(port, HOST, () => {
      const { port: bound } = server.address() as AddressInfo;
      const close = () => new Promise<void>((closed) => server.close(() => closed()));
      resolve({ port: bound, [Symbol.asyncDispose]: close });
    });
  });
}

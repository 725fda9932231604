import { createServer } from "node:net";
import { HOST } from "./engine.ts";

export type Ports = Readonly<Record<string, number>>;

/**
 * A free port for each purpose: the one of the last start, else the usual one, else any. Engines of several checkouts
 * so run side by side.
 */
export async function choosePorts(usual: Ports, last: Ports | undefined): Promise<Ports> {
  const chosen: Record<string, number> = {};
  for (const [purpose, usualPort] of Object.entries(usual)) {
    const wanted = [last?.[purpose], usualPort, 0].filter((port) => port !== undefined);
    chosen[purpose] = await firstFree(wanted, new Set(Object.values(chosen)));
  }
  return chosen;
}

async function firstFree(wanted: readonly number[], taken: ReadonlySet<number>): Promise<number> {
  for (const port of wanted) {
    const bound = await bind(port);
    if (bound !== undefined && !taken.has(bound)) return bound;
  }
  throw new Error(`no port of ${HOST} is free`);
}

/** The port that could be listened on, chosen by the system for 0. */
function bind(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen(port, HOST, () => {
      const address = server.address();
      const bound = typeof address === "object" ? address?.port : undefined;
      server.close(() => resolve(bound));
    });
  });
}

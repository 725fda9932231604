import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below what systems give out by themselves (Linux from 32768, others from 49152), above what engines usually have. */
const FIRST_PORT = 20_000;
const PORTS = 12_000;
/** Those of this process: whoever was told one may not listen yet. */
const given = new Set<number>();

/**
 * A port of 127.0.0.1 for a process that has to be told one. Between this call and its listening nobody else is given it:
 * neither a connection that goes out nor whoever listens on any port.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + randomInt(PORTS);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = once(server, "listening");
  server.listen(port, "127.0.0.1");
  try {
    await listening;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return false;
    throw error;
  }
  const closed = once(server, "close");
  server.close();
  await closed;
  return true;
}

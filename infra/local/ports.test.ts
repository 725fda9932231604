import { createServer } from "node:net";
import { freePort } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { HOST } from "./engine.ts";
import { choosePorts } from "./ports.ts";

/** A port that somebody listens on until it is disposed. */
async function takenPort() {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const dispose = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port, [Symbol.asyncDispose]: dispose };
}

describe("The ports of an engine", () => {
  it("are those of the last start, else the usual ones", async () => {
    const [one, two] = [await freePort(), await freePort()];
    expect(await choosePorts({ main: one }, undefined)).toEqual({ main: one });
    expect(await choosePorts({ main: one }, { main: two })).toEqual({ main: two });
  });

  it("are others where somebody listens there, and never the same twice", async () => {
    await using taken = await takenPort();
    const chosen = await choosePorts({ main: taken.port, other: taken.port }, { main: taken.port });
    expect(new Set([taken.port, ...Object.values(chosen)]).size).toBe(3);
  });
});

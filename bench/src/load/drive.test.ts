import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { drive } from "./drive.ts";
import { requestWriter } from "./requests.ts";

const writer = requestWriter("key");

async function serve(listener: RequestListener): Promise<AsyncDisposable & { port: number }> {
  const server = createServer(listener);
  // A connection that rests while this process stands still is not closed under the generator.
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { port: (server.address() as AddressInfo).port, [Symbol.asyncDispose]: close };
}

describe("The load generator", () => {
  it("sends every request once, over as many connections as told, and reads whole answers", async () => {
    const body = "x".repeat(200_000);
    const paths: string[] = [];
    await using server = await serve((request, response) => {
      paths.push(request.url ?? "");
      response.end(body);
    });
    const lengths: number[] = [];
    const result = await drive({
      port: server.port,
      connections: 3,
      expectedStatus: 200,
      next: (index) => (index < 10 ? { request: writer.get(`/${index}`) } : undefined),
      onAnswer: (answer) => lengths.push(answer.body.length),
    });
    expect(result).toMatchObject({ answered: 10, failed: 0 });
    expect(lengths).toEqual(Array.from({ length: 10 }, () => body.length));
    expect(paths.toSorted()).toEqual(Array.from({ length: 10 }, (_, index) => `/${index}`));
  });

  it("counts another status as a failure and shows it", async () => {
    await using server = await serve((_, response) =>
      response.writeHead(503, { "Content-Length": 4 }).end("away"),
    );
    const next = (index: number) => (index < 2 ? { request: writer.user("u") } : undefined);
    const result = await drive({ port: server.port, connections: 1, next, expectedStatus: 200 });
    expect(result).toMatchObject({ answered: 0, failed: 2 });
    expect(result.firstFailure).toContain("503 Service Unavailable away");
  });

  it("measures from when a request was due, so that a slow server can't hide its queue", async () => {
    const arrivedAtMs: number[] = [];
    const answeredAtMs: number[] = [];
    await using server = await serve((_, response) => {
      arrivedAtMs.push(performance.now());
      setTimeout(() => {
        answeredAtMs.push(performance.now());
        response.end("late");
      }, 40);
    });
    const result = await drive({
      port: server.port,
      connections: 1,
      expectedStatus: 200,
      next: (index) => (index < 3 ? { request: writer.get("/"), dueMs: 0 } : undefined),
    });
    const [arrivedMs = Infinity] = arrivedAtMs;
    // All were due before the first one arrived.
    const spent = answeredAtMs.map((atMs) => atMs - arrivedMs);
    expect(spent).toHaveLength(3);
    for (const [at, leastMs] of spent.entries())
      expect(result.latenciesMs[at]).toBeGreaterThanOrEqual(leastMs);
  });
});

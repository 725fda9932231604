import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";

export interface HealthOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly metrics: Registry;
  /** Whether the role does its work now. */
  readonly isReady: () => boolean;
}

/** What looks at a role without an API of its own: `/healthz`, `/readyz` and `/metrics`. */
export async function serveHealth({ host, port, metrics, isReady }: HealthOptions) {
  const server = createServer((request, response) => {
    const path = request.url?.split("?")[0];
    if (path === "/healthz") return answer(response, 200, { status: "ok" });
    if (path === "/readyz")
      return isReady()
        ? answer(response, 200, { status: "ok" })
        : answer(response, 503, { status: "unavailable" });
    if (path === "/metrics") return void answerMetrics(response, metrics);
    return answer(response, 404, { status: "no such page" });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const bound = server.address() as AddressInfo;
  return {
    baseUrl: `http://${host.includes(":") ? `[${host}]` : host}:${bound.port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function answerMetrics(response: ServerResponse, metrics: Registry): Promise<void> {
  try {
    const text = await metrics.metrics();
    response.writeHead(200, { "content-type": metrics.contentType }).end(text);
  } catch {
    answer(response, 503, { status: "metrics can't be collected" });
  }
}

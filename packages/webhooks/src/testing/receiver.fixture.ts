import { createServer, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { waitFor } from "@feed/test-kit";

/** What a tenant's server got in one request. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A tenant's server on loopback. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
  /** Resolves when so many have come in all. */
  count(deliveries: number): Promise<void>;
  hangUp(): void;
}

/** Answers the n-th request, from 0, with `answer(n)`; 0 hangs up without an answer, -1 never answers. */
export async function openReceiver(
  answer: (index: number) => number = () => 204,
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    // Whoever sent it was killed meanwhile.
    if (body === undefined) return;
    const status = answer(received.length);
    received.push({ headers: request.headers, body, payload: JSON.parse(body) as object } as never);
    if (status === -1) return;
    if (status === 0) return void request.socket.destroy();
    response.writeHead(status, { location: "/elsewhere" }).end("thanks");
  });
  // Kept until the sender ends it: one that ends here, just as it is used again, would break that attempt.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    received,
    count: (deliveries) => waitFor(() => received.length >= deliveries),
    hangUp: () => server.closeAllConnections(),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

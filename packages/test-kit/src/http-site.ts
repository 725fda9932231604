import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

/** A site of a test: what it was asked, and pages that can change while it runs. */
export interface HttpSite extends AsyncDisposable {
  readonly origin: string;
  /** Method-less request lines in order: `/feed.xml`. */
  readonly asked: string[];
  /** Connections accepted so far. */
  connections(): number;
  /** Sets what a path answers. */
  on(path: string, answer: Answer | RequestListener): void;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Serves on loopback; unknown paths are 404. */
export async function serveSite(): Promise<HttpSite> {
  const answers = new Map<string, Answer | RequestListener>();
  const asked: string[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const answer = answers.get(request.url ?? "") ?? { status: 404 };
    if (typeof answer === "function") answer(request, response);
    else send(answer, request, response);
  });
  // Kept until whoever asks ends it: an idle connection that ends here, just as it is used again, would break that request.
  server.keepAliveTimeout = 0;
  server.on("connection", () => (connections += 1));
  // No connection is closed while a test stands still: what is sent on it then would break off.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    asked,
    connections: () => connections,
    on: (path, answer) => void answers.set(path, answer),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(answer: Answer, request: IncomingMessage, response: ServerResponse): void {
  const etag = answer.headers?.["etag"];
  const isKnown = etag !== undefined && request.headers["if-none-match"] === etag;
  response.writeHead(isKnown ? 304 : (answer.status ?? 200), answer.headers);
  response.end(isKnown ? undefined : answer.body);
}

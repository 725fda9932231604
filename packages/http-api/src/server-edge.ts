import { createServer, STATUS_CODES } from "node:http";
import type { RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { CONNECTION_LIMITS } from "./settings.ts";
import { Problem } from "./problem.ts";

/** What is answered to a request that never became one. */
export interface EdgeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface EdgeServerOptions {
  readonly onRequest: RequestListener;
  /** `path` is that of the request line, as far as it could be read. */
  readonly answer: (problem: Problem, path: string, address: string | undefined) => EdgeAnswer;
  readonly limits?: typeof CONNECTION_LIMITS | Record<keyof typeof CONNECTION_LIMITS, number>;
}

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** How much of a request line is looked at for its path. */
const REQUEST_LINE_CHARS_MAX = 2_048;

/**
 * An HTTP server with explicit limits. Requests that Node's parser refuses never reach a request listener
 * (raw non-ASCII in the address, oversized headers, Content-Length beside Transfer-Encoding, time-outs):
 * they are answered here, and the connection is closed.
 */
export function createEdgeServer({ onRequest, answer, limits }: EdgeServerOptions): Server {
  // A missing Host is answered by the application, with a problem document.
  const server = createServer({ ...(limits ?? CONNECTION_LIMITS), requireHostHeader: false });
  const latest = new WeakMap<Socket, ServerResponse>();
  server.on("request", (request, response) => {
    latest.set(request.socket, response);
    onRequest(request, response);
  });
  // An expectation nobody knows may be ignored (RFC 9110, 10.1.1).
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("clientError", (error: ParserError, socket) => {
    const connection = socket as Socket;
    const response = latest.get(connection);
    const isAnswering =
      response !== undefined &&
      !response.writableEnded &&
      (response.headersSent || response.req.complete);
    if (error.code === "ECONNRESET" || !connection.writable || isAnswering) {
      connection.destroy();
      return;
    }
    const problem = problemOf(error);
    const raw = answer(problem, pathOf(error.rawPacket), connection.remoteAddress);
    connection.end(serialise(raw));
  });
  return server;
}

function problemOf({ code }: ParserError): Problem {
  switch (code) {
    case "HPE_INVALID_URL":
      return new Problem(
        "bad-request",
        "The address holds raw characters outside ASCII; percent-encode them.",
      );
    case "HPE_HEADER_OVERFLOW":
      return new Problem("bad-request", "The headers are over 16 KiB.", { status: 431 });
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new Problem("payload-too-large", "The chunk extensions are too large.");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new Problem("bad-request", "The request took too long to arrive.", { status: 408 });
    default:
      return new Problem("bad-request", "The request is not valid HTTP.");
  }
}

function pathOf(packet: Buffer | undefined): string {
  const line = packet?.toString("latin1", 0, REQUEST_LINE_CHARS_MAX).split("\r\n", 1)[0] ?? "";
  const target = line.split(" ")[1] ?? "/";
  const path = target.split("?", 1)[0] ?? "/";
  return /^\/[\x21-\x7e]*$/.test(path) ? path : "/";
}

function serialise({ status, headers, body }: EdgeAnswer): string {
  const lines = Object.entries({
    ...headers,
    "Content-Length": `${Buffer.byteLength(body)}`,
    Connection: "close",
    Date: new Date().toUTCString(),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`;
}

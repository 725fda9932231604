import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

export const RETRY_AFTER_SECONDS = 60;
const SLOW_MS = 3_000;
const DRIP_MS = 200;
const BOMB_BYTES = 200 * 1024 * 1024;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let bomb: Buffer | undefined;

/** What a site that misbehaves answers to everything but robots.txt, by name. */
export const MISBEHAVIOURS: Readonly<Record<string, Answer>> = {
  slow: (_request, response) => {
    setTimeout(() => response.end('<rss version="2.0"><channel/></rss>'), SLOW_MS);
  },
  "status-500": (_request, response) => response.writeHead(500).end(),
  "status-429": (_request, response) =>
    response.writeHead(429, { "retry-after": String(RETRY_AFTER_SECONDS) }).end(),
  garbage: (_request, response) =>
    response.end(`<rss><channel><item><<>>${"\u0000&<".repeat(500)}`),
  "redirect-loop": (request, response) => {
    const location = `${request.url ?? "/"}x`;
    response.writeHead(302, { location }).end();
  },
  "gzip-bomb": (_request, response) => {
    bomb ??= gzipSync(Buffer.alloc(BOMB_BYTES, " "));
    response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
  },
  "never-ending": (_request, response) => {
    const drip = setInterval(() => response.write("<rss>"), DRIP_MS);
    response.once("close", () => clearInterval(drip));
  },
  silent: () => undefined,
  reset: (request) => void request.socket.destroy(),
  "entity-bomb": (_request, response) =>
    response.end('<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><rss>&b;</rss>'),
};

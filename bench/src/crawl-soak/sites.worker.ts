import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import type { IncomingMessage, ServerResponse } from "node:http";
import { MISBEHAVIOURS } from "./misbehaviour.ts";

/** One request as its site saw it. */
export interface SeenRequest {
  readonly path: string;
  readonly startMs: number;
  /** When the answer was sent, or the caller hung up. */
  endMs: number;
  status: number;
}

export interface SoakSite {
  readonly origin: string;
  /** Undefined: it behaves. */
  readonly misbehaviour: string | undefined;
  readonly requests: SeenRequest[];
}

export interface SitesData {
  readonly good: number;
  readonly bad: number;
  readonly articlesPerSite: number;
}

const SENTENCE =
  "The harbour of this town was rebuilt in nine months, and a ferry left on Monday. ";
const HOUR_MS = 3_600_000;
const { good, bad, articlesPerSite } = workerData as SitesData;
const kinds = Object.keys(MISBEHAVIOURS);
const startedAtMs = Date.now();

async function openSite(index: number, misbehaviour: string | undefined): Promise<SoakSite> {
  const requests: SeenRequest[] = [];
  const site = { origin: "", misbehaviour, requests };
  const server = createServer((request, response) => {
    const nowMs = performance.now();
    const seen: SeenRequest = {
      path: request.url ?? "",
      startMs: nowMs,
      endMs: Infinity,
      status: 0,
    };
    requests.push(seen);
    response.once("close", () => {
      seen.endMs = performance.now();
      seen.status = response.statusCode;
    });
    if (request.url === "/robots.txt") response.writeHead(404).end();
    else if (misbehaviour === undefined) answer(index, site.origin, request, response);
    else MISBEHAVIOURS[misbehaviour]?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  site.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return site;
}

function answer(
  index: number,
  origin: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const headers = { etag: `"${index}${request.url}"` };
  if (request.headers["if-none-match"] === headers.etag) {
    response.writeHead(304, headers).end();
    return;
  }
  const isFeed = request.url === "/feed";
  const type = isFeed ? "application/feed+json" : "text/html; charset=utf-8";
  response.writeHead(200, { ...headers, "content-type": type });
  response.end(isFeed ? feedOf(index, origin) : pageOf(index, request.url ?? ""));
}

function feedOf(index: number, origin: string): string {
  const items = Array.from({ length: articlesPerSite }, (_, at) => ({
    id: `${index}-${at}`,
    url: `${origin}/${at}`,
    title: `Town ${index}: report ${at}`,
    date_published: new Date(startedAtMs - (at + 1) * HOUR_MS).toISOString(),
  }));
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: `Site ${index}`,
    items,
  });
}

function pageOf(index: number, path: string): string {
  const paragraph = `<p>Report ${path} of town ${index}. ${SENTENCE.repeat(4)}</p>`;
  return `<html lang="en"><title>T</title><nav>Menu</nav><article>${paragraph.repeat(6)}</article></html>`;
}

const sites = await Promise.all(
  Array.from({ length: good + bad }, (_, index) =>
    // Spread among the others, so that order helps nobody.
    openSite(
      index,
      index % Math.round((good + bad) / bad) === 0 ? kinds[(index / 10) % kinds.length] : undefined,
    ),
  ),
);
parentPort?.on("message", () => parentPort?.postMessage(sites));
parentPort?.postMessage(sites);

import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { stripTypeScriptTypes } from "node:module";
import { buffer } from "node:stream/consumers";

/** What the page may call; anything else of the API stays out of a browser's reach. */
const ALLOWED_PATHS =
  /^\/(feed|contents\/[^/]+|events|sources|areas|usage|users(\/[^/]+(\/sources\/[^/]+\/(follow|block))?)?)$/;
const BODY_BYTES_MAX = 64 * 1024;
const PAGE_FILES: Readonly<Record<string, string>> = {
  "index.html": "text/html; charset=utf-8",
  "style.css": "text/css; charset=utf-8",
  "icon.svg": "image/svg+xml",
  "main.ts": "text/javascript; charset=utf-8",
  "article.ts": "text/javascript; charset=utf-8",
  "card.ts": "text/javascript; charset=utf-8",
  "service.ts": "text/javascript; charset=utf-8",
};

export interface PlaygroundOptions {
  /** Where the API answers. */
  readonly baseUrl: () => string;
  /** Of the tenant whose backend this page plays; it never reaches the browser (spec 1). */
  readonly apiKey: string;
}

export type PlaygroundHandler = (
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void>;

/**
 * The playground below `/playground`: static files under a strict content security policy, and `/playground/api/…`,
 * which proxies to `/v1/…` with the tenant's key as a tenant's backend does.
 */
export async function createPlayground(options: PlaygroundOptions): Promise<PlaygroundHandler> {
  const files = await loadPage();
  return async (request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const path = url.pathname.replace(/^\/playground/, "");
    if (path.startsWith("/api/")) {
      await proxy(options, `${path.slice("/api".length)}`, url.search, request, response);
      return;
    }
    const name = path === "" || path === "/" ? "index.html" : path.slice(1);
    const file = files.get(name);
    if (file === undefined) {
      response.writeHead(404, { "content-type": "text/plain" }).end("Not found\n");
      return;
    }
    response.writeHead(200, {
      "content-type": PAGE_FILES[name],
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-cache",
    });
    response.end(file);
  };
}

async function loadPage(): Promise<ReadonlyMap<string, string>> {
  const entries = Object.keys(PAGE_FILES).map(async (name) => {
    const text = await readFile(new URL(`../page/${name}`, import.meta.url), "utf8");
    return [name, name.endsWith(".ts") ? stripTypeScriptTypes(text) : text] as const;
  });
  return new Map(await Promise.all(entries));
}

async function proxy(
  { baseUrl, apiKey }: PlaygroundOptions,
  path: string,
  search: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!ALLOWED_PATHS.test(path)) {
    response.writeHead(404, { "content-type": "application/json" }).end('{"title":"Not Found"}');
    return;
  }
  const method = request.method ?? "GET";
  const body = method === "GET" ? undefined : await buffer(request);
  if (body !== undefined && body.length > BODY_BYTES_MAX) {
    response
      .writeHead(413, { "content-type": "application/json" })
      .end('{"title":"Payload Too Large"}');
    return;
  }
  const answer = await fetch(`${baseUrl()}/v1${path}${search}`, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined || body.length === 0 ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined || body.length === 0 ? {} : { body: new Uint8Array(body) }),
  });
  response.writeHead(answer.status, {
    "content-type": answer.headers.get("content-type") ?? "application/json",
  });
  response.end(Buffer.from(await answer.arrayBuffer()));
}

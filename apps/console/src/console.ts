import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";

/** Where the build puts the page. */
export const CONSOLE_DIST = join(import.meta.dirname, "../dist");

const PREFIX = "/console/";
const INDEX = "index.html";
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};
/** Names of assets carry a hash of their content: under one name there is one content. */
const ASSET_CACHE = "public, max-age=31536000, immutable";
const PAGE_HEADERS = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};
const NOT_BUILT = "The console is not built. Build it with: npm run build:console\n";

export type ConsoleHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** A file as it is answered, in one encoding. */
interface Encoded {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
}

interface PageFile {
  readonly plain: Encoded;
  /** Made when it is first asked for, so that no start waits for it. */
  gzipped?: Encoded;
}

/**
 * The console below `/console/`: the built page from memory, under a strict content security policy. Where it was never
 * built it says how to.
 */
export async function loadConsole(directory = CONSOLE_DIST): Promise<ConsoleHandler> {
  const files = await loadFiles(directory);
  return (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (request.method !== "GET" && request.method !== "HEAD")
      return text(response, 405, "Method not allowed\n", { allow: "GET, HEAD" });
    if (pathname === PREFIX.slice(0, -1))
      return text(response, 308, "Moved\n", { location: PREFIX });
    if (files.size === 0) return text(response, 503, NOT_BUILT);
    const file = files.get(pathname.slice(PREFIX.length) || INDEX);
    if (file === undefined) return text(response, 404, "Not found\n");
    const { bytes, headers, etag } = encodedFor(request, file);
    const isKnown = request.headers["if-none-match"] === etag;
    response.writeHead(isKnown ? 304 : 200, { ...headers, etag });
    response.end(isKnown || request.method === "HEAD" ? undefined : bytes);
  };
}

async function loadFiles(directory: string): Promise<ReadonlyMap<string, PageFile>> {
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  const served = names.filter((name) => extname(name) in TYPES);
  const entries = served.map(async (name) => {
    const bytes = await readFile(join(directory, name));
    const headers = {
      ...PAGE_HEADERS,
      "content-type": TYPES[extname(name)] ?? "",
      vary: "accept-encoding",
      "cache-control": name === INDEX ? "no-cache" : ASSET_CACHE,
    };
    const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
    return [name, { plain: { bytes, headers, etag } }] as const;
  });
  return new Map(await Promise.all(entries));
}

function encodedFor(request: IncomingMessage, file: PageFile): Encoded {
  const accepted = String(request.headers["accept-encoding"] ?? "");
  if (!/\bgzip\b(?!;q=0(\.0*)?(,|$))/.test(accepted)) return file.plain;
  const { bytes, headers, etag } = file.plain;
  file.gzipped ??= {
    bytes: gzipSync(bytes),
    headers: { ...headers, "content-encoding": "gzip" },
    etag: etag.replace(/"$/, '-gzip"'),
  };
  return file.gzipped;
}

function text(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers }).end(body);
}

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { createClientWith, type ClientOptions } from "../client.ts";
import { systemEffects, type Effects } from "../effects.ts";

/** One request as it came. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Of an attempt, where a test is of something else: no standstill of a busy machine is as long. */
const PATIENT_MS = 600_000;

interface Given {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
}

/** What the n-th request gets; a function writes the answer itself. */
export type Script = (asked: Asked, index: number) => Given | ((response: ServerResponse) => void);

/** A server on loopback that answers as a test says, for what the real service does only when something is wrong. */
export async function openAnswering(script: Script) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const one = { method, path: url, headers, body: await text(request) };
    const given = script(one, asked.length);
    asked.push(one);
    if (typeof given === "function") return given(response);
    const type = given.text === undefined ? mediaTypeOf(given.status) : "text/html";
    response.writeHead(given.status ?? 200, { "content-type": type, ...given.headers });
    response.end(given.text ?? JSON.stringify(given.json ?? {}));
  });
  // Kept until the client ends it: an idle connection that ended here, just as it is used again, would be one more failure.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    asked,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function mediaTypeOf(status = 200): string {
  return status < 400 ? "application/json; charset=utf-8" : "application/problem+json";
}

export function problem(slug: string, status: number, members: object = {}) {
  const type = `https://feed.example/probs/${slug}`;
  return { type, title: slug, status, detail: "Because.", instance: "/v1", ...members };
}

/** A client whose waits are noted instead of waited, and whose dice always show `random`. */
export function hastyClient(
  options: Partial<ClientOptions> & { readonly baseUrl: string },
  {
    random = 0.5,
    ...changed
  }: Partial<Omit<Effects, "random">> & { readonly random?: number } = {},
) {
  const waits: number[] = [];
  const sleep: Effects["sleep"] = (ms, signal) => {
    waits.push(ms);
    return systemEffects.sleep(0, signal);
  };
  const effects = { ...systemEffects, sleep, random: () => random, ...changed };
  const usual = { apiKey: "cf_live_test", timeoutMs: PATIENT_MS };
  const client = createClientWith({ ...usual, ...options }, effects);
  return { client, waits };
}

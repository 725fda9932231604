import type { Dispatcher } from "undici";
import { REDIRECTS_MAX } from "./limits.ts";
import { assertPublicUrl, assertWebUrl } from "./address-guard.ts";
import { Connections } from "./connections.ts";
import { FetchError } from "./fetch-error.ts";
import { guardedLookup, systemResolve } from "./guarded-lookup.ts";
import type { Resolve } from "./guarded-lookup.ts";
import { ACCEPT_ENCODING, inflateBody } from "./inflate.ts";

export interface Fetched {
  /** Where the answer came from, after redirects. */
  readonly url: string;
  /** Where it has moved for good: as far as the redirects were permanent (RFC 9110, 15.4.2 and 15.4.9). */
  readonly movedTo?: string;
  readonly status: number;
  /** Lower-case names; of repeated fields the first, but `link` and `content-encoding` joined. */
  readonly headers: Readonly<Record<string, string>>;
  /** Inflated. */
  readonly bytes: Uint8Array;
}

export interface FetchOptions {
  readonly accept: string;
  /** Of the body, on the wire and inflated. */
  readonly bytesMax: number;
  /** For one hop, from connecting to the last byte. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Conditional requests: `if-none-match`, `if-modified-since`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly redirectsMax?: number;
  /** Every hop is sent through this: politeness and robots.txt count for a redirect's target too. */
  readonly through?: (url: URL, send: () => Promise<Fetched>) => Promise<Fetched>;
}

export interface PostOptions {
  readonly body: string | Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** Of the answer's body; what is beyond is not read. */
  readonly bytesMax: number;
  /** From connecting to the last byte that is read. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** GET and POST of addresses that come from outside. */
export interface SafeFetch extends AsyncDisposable {
  /**
   * Any final status is an answer, not an error. Errors: FetchError; the signal's reason when it is
   * aborted.
   */
  get(url: string, options: FetchOptions): Promise<Fetched>;
  /**
   * Sends once. A redirect is an answer like any other; so is a status whose body breaks off. No
   * content encoding is accepted. Errors: FetchError; the signal's reason when it is aborted.
   */
  post(url: string, options: PostOptions): Promise<Fetched>;
}

export interface SafeFetchOptions {
  readonly userAgent: string;
  /** Exact origins (`http://127.0.0.1:8790`) that may be private: those of this installation's own sites. */
  readonly allowedOrigins: readonly string[];
  /** Every address may be private: where the operator of the installation says so. */
  readonly anyAddress?: boolean;
  readonly resolve?: Resolve;
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
const PERMANENT_STATUSES = new Set([301, 308]);

/**
 * Opens a client that reaches the public internet and nothing else (OWASP API7:2023): literal and
 * resolved addresses are checked, at every redirect anew. No cookies, no credentials, at most one
 * content encoding.
 */
export function openSafeFetch(options: SafeFetchOptions): SafeFetch {
  const allowedOrigins = new Set(options.allowedOrigins);
  const lookup = guardedLookup(options.resolve ?? systemResolve);
  const guarded = new Connections({ lookup, autoSelectFamily: true });
  const own = new Connections({});
  const { anyAddress = false } = options;
  const check = (url: URL): void =>
    anyAddress ? assertWebUrl(url) : assertPublicUrl(url, allowedOrigins);
  const connectionsTo = (url: URL): Connections =>
    anyAddress || allowedOrigins.has(url.origin) ? own : guarded;
  const send = (url: URL, fetchOptions: FetchOptions): Promise<Fetched> =>
    getOnce(url, fetchOptions, connectionsTo(url), options.userAgent);
  return {
    async get(address, fetchOptions) {
      let url = parseUrl(address);
      let movedTo: string | undefined;
      let isPermanent = true;
      for (let redirects = 0; ; redirects += 1) {
        check(url);
        const hop = url;
        const through = fetchOptions.through ?? ((_, sendHop) => sendHop());
        const fetched = await through(hop, () => send(hop, fetchOptions));
        if (!REDIRECT_STATUSES.has(fetched.status))
          return movedTo === undefined ? fetched : { ...fetched, movedTo };
        if (redirects >= (fetchOptions.redirectsMax ?? REDIRECTS_MAX))
          throw new FetchError("too-many-redirects", `too many redirects from ${address}`);
        url = redirectTarget(fetched, hop);
        isPermanent &&= PERMANENT_STATUSES.has(fetched.status);
        if (isPermanent) movedTo = url.href;
      }
    },
    async post(address, postOptions) {
      const url = parseUrl(address);
      check(url);
      return postOnce(url, postOptions, connectionsTo(url), options.userAgent);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([guarded.destroy(), own.destroy()]);
    },
  };
}

function parseUrl(address: string): URL {
  const url = URL.parse(address);
  if (url === null) throw new FetchError("bad-url", `not an address: ${address.slice(0, 200)}`);
  url.hash = "";
  return url;
}

function redirectTarget(fetched: Fetched, from: URL): URL {
  const location = fetched.headers["location"];
  const target = location === undefined ? null : URL.parse(location, from);
  if (target === null) throw new FetchError("bad-redirect", `${from.href} redirects to nowhere`);
  target.hash = "";
  return target;
}

function getOnce(
  url: URL,
  options: FetchOptions,
  connections: Connections,
  userAgent: string,
): Promise<Fetched> {
  return withDeadline(url, options, async (deadline) => {
    const response = await connections.get(url, {
      ...deadline,
      headers: {
        "user-agent": userAgent,
        accept: options.accept,
        "accept-encoding": ACCEPT_ENCODING,
        ...options.headers,
      },
    });
    const headers = firstOfEach(response.headers);
    const isRedirect = REDIRECT_STATUSES.has(response.statusCode);
    const body = await readBody(response.body, headers, isRedirect ? 0 : options.bytesMax);
    const encoding = headers["content-encoding"] ?? "";
    const bytes = isRedirect ? body : await inflateBody(body, encoding, options.bytesMax);
    return { url: url.href, status: response.statusCode, headers, bytes };
  });
}

function postOnce(
  url: URL,
  options: PostOptions,
  connections: Connections,
  userAgent: string,
): Promise<Fetched> {
  return withDeadline(url, options, async (deadline) => {
    const response = await connections.post(url, {
      ...deadline,
      headers: { ...options.headers, "user-agent": userAgent, "accept-encoding": "identity" },
      body: options.body,
    });
    const bytes = await readStart(response.body, options.bytesMax);
    const headers = firstOfEach(response.headers);
    return { url: url.href, status: response.statusCode, headers, bytes };
  });
}

interface Deadline {
  readonly signal: AbortSignal;
  readonly headersTimeout: 0;
  readonly bodyTimeout: 0;
}

async function withDeadline(
  url: URL,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal },
  send: (deadline: Deadline) => Promise<Fetched>,
): Promise<Fetched> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  try {
    return await send({
      signal: AbortSignal.any([options.signal, timeout]),
      // The one deadline above covers both; 0 leaves it alone in charge.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof FetchError) throw error;
    if (timeout.aborted)
      throw new FetchError("timeout", `${url.href} took more than ${options.timeoutMs} ms`);
    throw new FetchError("unreachable", `${url.href} gave no answer`, { cause: error });
  }
}

/** At most `bytesMax`; 0 reads nothing and hangs up, for bodies nobody needs. */
async function readBody(
  body: Dispatcher.ResponseData["body"],
  headers: Readonly<Record<string, string>>,
  bytesMax: number,
): Promise<Uint8Array> {
  if (bytesMax === 0) {
    hangUp(body);
    return new Uint8Array();
  }
  if (Number(headers["content-length"] ?? 0) > bytesMax) {
    hangUp(body);
    throw new FetchError("too-large", `more than ${bytesMax} bytes`);
  }
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving the loop by an error destroys the stream and with it the connection.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > bytesMax) throw new FetchError("too-large", `more than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The first `bytesMax` of a body, or what came before it broke off. */
async function readStart(
  body: Dispatcher.ResponseData["body"],
  bytesMax: number,
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= bytesMax) break;
    }
  } catch {
    // The status has been said; the rest of the body changes nothing about it.
  }
  return Buffer.concat(chunks).subarray(0, bytesMax);
}

/** Destroying an unread body reports an abort that nobody waits for. */
function hangUp(body: Dispatcher.ResponseData["body"]): void {
  body.on("error", () => undefined);
  body.destroy();
}

function firstOfEach(headers: Dispatcher.ResponseData["headers"]): Record<string, string> {
  const first: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(headers)) {
    const text = Array.isArray(value) ? value[0] : value;
    if (text !== undefined) first[name] = text;
  }
  // Lists that may come in several fields (RFC 9110, 5.3): a second encoding is to be seen, and refused.
  for (const name of ["content-encoding", "link"]) {
    const values = headers[name];
    if (Array.isArray(values)) first[name] = values.join(", ");
  }
  return first;
}

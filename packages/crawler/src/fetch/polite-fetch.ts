import type { Clock } from "@feed/runtime";
import { Hosts } from "../hosts.ts";
import type { OriginPoliteness } from "../hosts.ts";
import { FETCH_TIMEOUT_MS, ROBOTS_BYTES_MAX, ROBOTS_REDIRECTS_MAX } from "../limits.ts";
import { Robots } from "../robots.ts";
import { FetchError } from "@feed/safe-fetch";
import type { Fetched, SafeFetch } from "@feed/safe-fetch";

/** Of what a hub says: a sentence. */
const FORM_ANSWER_BYTES_MAX = 4 * 1024;

export interface PoliteRequest {
  readonly accept: string;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * GET of public addresses as their hosts want it: robots.txt, one at a time, with pauses, at every
 * redirect.
 */
export interface PoliteFetch {
  /** Errors: FetchError; the signal's reason. */
  get(url: string, request: PoliteRequest): Promise<Fetched>;
  /**
   * Sends a form, once, when it is the host's turn. A service asked to do something is no page: its robots.txt says
   * nothing about it. Errors: FetchError; the signal's reason.
   */
  postForm(url: string, form: URLSearchParams, signal: AbortSignal): Promise<Fetched>;
  /** How many requests to the origin run or wait. */
  busyness(origin: string): number;
}

export interface PoliteFetchOptions {
  readonly safeFetch: SafeFetch;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  readonly politeness: ReadonlyMap<string, OriginPoliteness>;
}

export function createPoliteFetch(options: PoliteFetchOptions): PoliteFetch {
  const { safeFetch } = options;
  const hosts = new Hosts(options);
  const robots = new Robots({
    userAgent: options.userAgent,
    clock: options.clock,
    fetch: (url, signal) =>
      safeFetch.get(url, {
        accept: "text/plain, */*;q=0.1",
        bytesMax: ROBOTS_BYTES_MAX,
        timeoutMs: FETCH_TIMEOUT_MS,
        redirectsMax: ROBOTS_REDIRECTS_MAX,
        signal,
        through: (hop, send) => hosts.send(hop, undefined, send, signal),
      }),
  });
  return {
    get: (url, request) =>
      safeFetch.get(url, {
        ...request,
        timeoutMs: FETCH_TIMEOUT_MS,
        through: async (hop, send) => {
          const delayMs = await robots.admit(hop, request.signal);
          return hosts.send(hop, delayMs, send, request.signal);
        },
      }),
    async postForm(address, form, signal) {
      const url = URL.parse(address);
      if (url === null) throw new FetchError("bad-url", "not an address");
      const post = {
        body: form.toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
        bytesMax: FORM_ANSWER_BYTES_MAX,
        timeoutMs: FETCH_TIMEOUT_MS,
        signal,
      };
      return hosts.send(url, undefined, () => safeFetch.post(url.href, post), signal);
    },
    busyness: (origin) => hosts.busyness(origin),
  };
}

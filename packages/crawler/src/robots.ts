import { createRequire } from "node:module";
import type { Clock } from "@feed/runtime";
import type { Fetched } from "@feed/safe-fetch";
import { FetchError } from "@feed/safe-fetch";
import { CRAWL_DELAY_MS_MAX, HOSTS_MAX, ROBOTS_RETRY_MS, ROBOTS_TTL_MS } from "./limits.ts";
import { decodeText } from "./feeds/charset.ts";

interface Rules {
  isAllowed(url: string, userAgent: string): boolean | undefined;
  getCrawlDelay(userAgent: string): number | undefined;
}
/** The package is CommonJS and its types promise a default export that it has not. */
const parseRobots = createRequire(import.meta.url)("robots-parser") as (
  url: string,
  text: string,
) => Rules;

interface Known {
  /** Undefined: everything is forbidden, because the host could not say. */
  readonly rules: Rules | undefined;
  readonly validUntilMs: number;
}

export interface RobotsOptions {
  /** Product token or whole user agent; what stands before a slash counts. */
  readonly userAgent: string;
  readonly clock: Clock;
  /** Fetches robots.txt, following redirects. */
  readonly fetch: (url: string, signal: AbortSignal) => Promise<Fetched>;
}

/** What each origin's robots.txt wants (RFC 9309), asked once and remembered for 24 hours at most. */
export class Robots {
  readonly #options: RobotsOptions;
  readonly #known = new Map<string, Known>();
  readonly #asking = new Map<string, Promise<Known>>();

  constructor(options: RobotsOptions) {
    this.#options = options;
  }

  /**
   * Pause the host wants between requests, undefined where it names none.
   *
   * @throws FetchError `robots-disallowed`, or the signal's reason
   */
  async admit(url: URL, signal: AbortSignal): Promise<number | undefined> {
    const { rules, validUntilMs } = await this.#rulesOf(url.origin, signal);
    if (rules === undefined)
      throw new FetchError("robots-disallowed", `${url.origin} could not give its robots.txt`, {
        retryAtMs: validUntilMs,
      });
    if (rules.isAllowed(url.href, this.#options.userAgent) === false)
      throw new FetchError("robots-disallowed", `robots.txt forbids ${url.href}`);
    const delaySeconds = rules.getCrawlDelay(this.#options.userAgent);
    if (delaySeconds === undefined || !Number.isFinite(delaySeconds)) return undefined;
    return Math.min(CRAWL_DELAY_MS_MAX, Math.max(0, delaySeconds * 1_000));
  }

  async #rulesOf(origin: string, signal: AbortSignal): Promise<Known> {
    const known = this.#known.get(origin);
    if (known !== undefined && known.validUntilMs > this.#options.clock.nowMs()) return known;
    const asking = this.#asking.get(origin);
    if (asking !== undefined) return asking;
    const asked = this.#ask(origin, signal).finally(() => this.#asking.delete(origin));
    this.#asking.set(origin, asked);
    return asked;
  }

  async #ask(origin: string, signal: AbortSignal): Promise<Known> {
    const answer = await this.#answerOf(`${origin}/robots.txt`, signal);
    const nowMs = this.#options.clock.nowMs();
    // A copy that has expired is better than none while the host is away (RFC 9309, 2.4).
    const rules = answer ?? this.#known.get(origin)?.rules;
    const ttlMs = answer === undefined ? ROBOTS_RETRY_MS : ROBOTS_TTL_MS;
    const known = { rules, validUntilMs: nowMs + ttlMs };
    this.#known.delete(origin);
    this.#known.set(origin, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > HOSTS_MAX && oldest !== undefined) this.#known.delete(oldest);
    return known;
  }

  /** Undefined where the host is unreachable or failing: all is forbidden then (RFC 9309, 2.3.1.4). */
  async #answerOf(url: string, signal: AbortSignal): Promise<Rules | undefined> {
    try {
      const { status, bytes, headers } = await this.#options.fetch(url, signal);
      if (status >= 200 && status < 300)
        return parseRobots(url, decodeText(bytes, headers["content-type"]).text);
      // "Unavailable" is no rule at all (RFC 9309, 2.3.1.3); 429 asks for quiet, so it counts as unreachable.
      return status >= 400 && status < 500 && status !== 429 ? parseRobots(url, "") : undefined;
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      // More than five redirects may count as unavailable (RFC 9309, 2.3.1.2); all else is unreachable.
      const isUnavailable = error.code === "too-many-redirects" || error.code === "bad-redirect";
      return isUnavailable ? parseRobots(url, "") : undefined;
    }
  }
}

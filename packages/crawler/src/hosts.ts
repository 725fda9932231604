import type { Clock } from "@feed/runtime";
import { FetchError } from "@feed/safe-fetch";
import type { Fetched } from "@feed/safe-fetch";
import { BACK_OFF_FIRST_MS, BACK_OFF_MS_MAX, HOSTS_MAX, HOST_DELAY_MS } from "./limits.ts";
import { retryAfterMs } from "./retry-after.ts";

/** How one origin may be asked, where its owner has said so: a site of this installation's own. */
export interface OriginPoliteness {
  readonly requestsAtOnce: number;
  /** Between the end of one request and the start of the next. */
  readonly delayMs: number;
}

export interface HostsOptions {
  readonly clock: Clock;
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  /** By exact origin; all others get one request at a time and a pause. */
  readonly politeness: ReadonlyMap<string, OriginPoliteness>;
}

/** One failure is an accident; this many in a row are an outage. */
const FAILURES_TOLERATED = 2;
const PASSING_STATUSES_FROM = 500;

interface Host {
  running: number;
  readonly waiting: (() => void)[];
  nextStartMs: number;
  quietUntilMs: number;
  failuresInRow: number;
}

/**
 * Politeness to each origin: how many requests at once, how long between them, and when to leave it
 * alone.
 */
export class Hosts {
  readonly #options: HostsOptions;
  readonly #hosts = new Map<string, Host>();

  constructor(options: HostsOptions) {
    this.#options = options;
  }

  /**
   * Sends a request when it is the origin's turn. `delayMs` is the pause its robots.txt asks for.
   *
   * @throws FetchError `backing-off` at once while the origin is to be left alone; what `send`
   * throws; the signal's reason
   */
  async send(
    url: URL,
    delayMs: number | undefined,
    send: () => Promise<Fetched>,
    signal: AbortSignal,
  ): Promise<Fetched> {
    const host = this.#hostOf(url.origin);
    const own = this.#options.politeness.get(url.origin);
    this.#assertNotQuiet(host, url);
    await this.#takeTurn(host, own?.requestsAtOnce ?? 1);
    try {
      signal.throwIfAborted();
      this.#assertNotQuiet(host, url);
      const waitMs = host.nextStartMs - this.#options.clock.nowMs();
      if (waitMs > 0) await this.#options.sleep(waitMs, signal);
      return await this.#observed(host, send);
    } finally {
      host.nextStartMs = this.#options.clock.nowMs() + (own?.delayMs ?? delayMs ?? HOST_DELAY_MS);
      host.running -= 1;
      host.waiting.shift()?.();
    }
  }

  /** How many requests to the origin run or wait. */
  busyness(origin: string): number {
    const host = this.#hosts.get(origin);
    return host === undefined ? 0 : host.running + host.waiting.length;
  }

  async #takeTurn(host: Host, requestsAtOnce: number): Promise<void> {
    while (host.running >= requestsAtOnce) {
      await new Promise<void>((resolve) => host.waiting.push(resolve));
    }
    host.running += 1;
  }

  #assertNotQuiet(host: Host, url: URL): void {
    if (host.quietUntilMs <= this.#options.clock.nowMs()) return;
    throw new FetchError("backing-off", `${url.origin} is left alone for now`, {
      retryAtMs: host.quietUntilMs,
    });
  }

  async #observed(host: Host, send: () => Promise<Fetched>): Promise<Fetched> {
    try {
      const fetched = await send();
      this.#noteAnswer(host, fetched);
      return fetched;
    } catch (error) {
      const isOutage =
        error instanceof FetchError && (error.code === "unreachable" || error.code === "timeout");
      if (isOutage) this.#noteFailure(host);
      throw error;
    }
  }

  #noteAnswer(host: Host, { status, headers }: Fetched): void {
    const nowMs = this.#options.clock.nowMs();
    if (status === 429 || status === 503) {
      this.#noteFailure(host);
      const askedMs = retryAfterMs(headers["retry-after"], nowMs) ?? BACK_OFF_FIRST_MS;
      host.quietUntilMs = Math.max(host.quietUntilMs, nowMs + Math.min(askedMs, BACK_OFF_MS_MAX));
    } else if (status >= PASSING_STATUSES_FROM) this.#noteFailure(host);
    else host.failuresInRow = 0;
  }

  #noteFailure(host: Host): void {
    host.failuresInRow += 1;
    const beyond = host.failuresInRow - FAILURES_TOLERATED - 1;
    if (beyond < 0) return;
    const backOffMs = Math.min(BACK_OFF_MS_MAX, BACK_OFF_FIRST_MS * 2 ** beyond);
    host.quietUntilMs = Math.max(host.quietUntilMs, this.#options.clock.nowMs() + backOffMs);
  }

  #hostOf(origin: string): Host {
    const known = this.#hosts.get(origin);
    const host = known ?? {
      running: 0,
      waiting: [],
      nextStartMs: 0,
      quietUntilMs: 0,
      failuresInRow: 0,
    };
    // Put last, so that the first is the one left longest.
    this.#hosts.delete(origin);
    this.#hosts.set(origin, host);
    if (this.#hosts.size > HOSTS_MAX) this.#forgetIdle();
    return host;
  }

  #forgetIdle(): void {
    const nowMs = this.#options.clock.nowMs();
    for (const [origin, host] of this.#hosts) {
      const isBusy = host.running > 0 || host.waiting.length > 0;
      if (isBusy || Math.max(host.quietUntilMs, host.nextStartMs) > nowMs) continue;
      this.#hosts.delete(origin);
      return;
    }
  }
}

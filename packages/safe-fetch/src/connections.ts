import { Agent, errors, request } from "undici";
import type { Dispatcher } from "undici";
import { CONNECT_TIMEOUT_MS } from "./limits.ts";

type Request = Omit<Exclude<Parameters<typeof request>[1], undefined>, "dispatcher" | "method">;

const KEEP_ALIVE_MS = 5_000;
const RESET_CODES = new Set<unknown>(["ECONNRESET", "EPIPE"]);

/** Connections to hosts, kept for a while for the next request. */
export class Connections {
  readonly #kept: Agent;
  /** Each for one request. */
  readonly #fresh: Agent;

  constructor(connectOptions: Agent.Options["connect"] & object) {
    const connect = { ...connectOptions, timeout: CONNECT_TIMEOUT_MS };
    const options = { allowH2: false, connections: 8, connect };
    this.#kept = new Agent({ ...options, keepAliveTimeout: KEEP_ALIVE_MS });
    this.#fresh = new Agent({ ...options, pipelining: 0 });
  }

  /**
   * A host may close a kept connection just as the next request is sent on it. That is no answer of the host's, and goes
   * again on a fresh one (RFC 9112, 9.3.1).
   */
  async get(url: URL, options: Request): Promise<Dispatcher.ResponseData<unknown>> {
    try {
      return await request(url, { ...options, method: "GET", dispatcher: this.#kept });
    } catch (error) {
      if (!wasClosedWhenKept(error)) throw error;
      return await request(url, { ...options, method: "GET", dispatcher: this.#fresh });
    }
  }

  /** Once: what was sent may have been taken, whatever became of the connection. */
  post(url: URL, options: Request): Promise<Dispatcher.ResponseData<unknown>> {
    return request(url, { ...options, method: "POST", dispatcher: this.#kept });
  }

  async destroy(): Promise<void> {
    await Promise.all([this.#kept.destroy(), this.#fresh.destroy()]);
  }
}

function wasClosedWhenKept(error: unknown): boolean {
  // What has brought bytes has brought an answer before.
  if (error instanceof errors.SocketError) return (error.socket?.bytesRead ?? 0) > 0;
  return error instanceof Error && "code" in error && RESET_CODES.has(error.code);
}

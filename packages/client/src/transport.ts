import { baseAddress, pathOf } from "./address.ts";
import type { ParameterValues } from "./address.ts";
import { readAnswer, standingOf } from "./answer.ts";
import type { Standing } from "./answer.ts";
import { withDeadline } from "./deadline.ts";
import type { Effects } from "./effects.ts";
import { ROUTES } from "./openapi.generated.ts";
import type { Operations } from "./openapi.generated.ts";
import { withRetries } from "./retry.ts";
import { VERSION } from "./version.ts";

export type OperationName = keyof typeof ROUTES;
type Parameters<Name extends OperationName> = Operations["parameters"][Name];
type Answers<Name extends OperationName> = Operations["answers"][Name];
export type Answer<Name extends OperationName> = Answers<Name>[keyof Answers<Name>];

/** What can be said of every call. */
export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Of each attempt, in place of the client's. */
  readonly timeoutMs?: number;
}

/** Of a POST with an effect. */
export interface PostOptions extends CallOptions {
  /**
   * 1 to 255 visible ASCII characters, remembered by the service for 24 hours. Made by the client when omitted; give
   * your own to repeat a request after a restart without a second effect.
   */
  readonly idempotencyKey?: string;
}

/** One answer of the service, success or not, as `onAnswer` gets it. */
export interface AnswerReport extends Standing {
  readonly operation: OperationName;
  /** From 1. */
  readonly attempt: number;
  readonly tookMs: number;
}

export interface TransportOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly retriesMax: number;
  readonly onAnswer: ((answer: AnswerReport) => void) | undefined;
}

interface Request<Name extends OperationName> {
  readonly parameters: Parameters<Name>;
  readonly body?: Name extends keyof Operations["bodies"] ? Operations["bodies"][Name] : never;
}

/** Calls operations of the service: one request, and its repetitions with the same request id and idempotency key. */
export class Transport {
  readonly effects: Effects;
  readonly #options: TransportOptions;
  readonly #base: string;

  /** @throws ClientUsageError for a base URL that is none. */
  constructor(options: TransportOptions, effects: Effects) {
    this.effects = effects;
    this.#options = options;
    this.#base = baseAddress(options.baseUrl);
  }

  /** Of each attempt, unless a call says otherwise. */
  get timeoutMs(): number {
    return this.#options.timeoutMs;
  }

  /**
   * @throws ProblemError, AnswerError, TimeoutError or ConnectionError once there is nothing left to retry; the
   *   signal's reason.
   */
  call<Name extends OperationName>(
    operation: Name,
    { parameters, body }: Request<Name>,
    { signal, timeoutMs = this.timeoutMs, idempotencyKey }: PostOptions = {},
  ): Promise<Answer<Name>> {
    const { method, takesIdempotencyKey, ...route } = ROUTES[operation];
    const url = `${this.#base}${pathOf(route, parameters as ParameterValues)}`;
    const { newId } = this.effects;
    const headers: Record<string, string> = {
      Accept: "application/json",
      Authorization: `Bearer ${this.#options.apiKey}`,
      "User-Agent": `content-feed-client/${VERSION}`,
      "X-Request-Id": newId(),
      ...(takesIdempotencyKey && { "Idempotency-Key": idempotencyKey ?? newId() }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
    };
    const request: RequestInit = {
      method,
      headers,
      // The key goes to the address that was configured, and to no other.
      redirect: "manual",
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const { retriesMax } = this.#options;
    return withRetries({ retriesMax, effects: this.effects, signal }, (attempt) =>
      withDeadline({ what: `${method} ${url}`, timeoutMs, signal }, async (deadline) => {
        const answer = await this.#answer(
          url,
          { ...request, signal: deadline },
          { operation, attempt },
        );
        return answer as Answer<Name>;
      }),
    );
  }

  async #answer(
    url: string,
    request: RequestInit,
    called: Pick<AnswerReport, "operation" | "attempt">,
  ): Promise<unknown> {
    const { fetch, nowMs } = this.effects;
    const startedAtMs = nowMs();
    const response = await fetch(url, request);
    const text = await response.text();
    const standing = standingOf(response, nowMs());
    this.#options.onAnswer?.({ ...called, ...standing, tookMs: nowMs() - startedAtMs });
    return readAnswer(response, text, standing);
  }
}

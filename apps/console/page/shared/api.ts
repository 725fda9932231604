import { ROUTES } from "../openapi.generated.ts";
import type { Operations, Problem } from "../openapi.generated.ts";

const TIMEOUT_MS = 30_000;
/** Of every refusal of the service: others come from what stands before it. */
const PROBLEM_TYPE = "application/problem+json";

export type Operation = keyof typeof ROUTES;
type Parameters<Name extends Operation> = Operations["parameters"][Name];
type Bodies = Operations["bodies"];
type Answers<Name extends Operation> = Operations["answers"][Name];
export type Answer<Name extends Operation> = Answers<Name>[keyof Answers<Name>];
export type Me = Answer<"adminGetMe">["data"];

/** The service answered with a problem document (RFC 9457). */
export class Refused extends Error {
  readonly problem: Problem;
  /** Undefined where the answer names no time. */
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: Problem, retryAfterSeconds: number | undefined) {
    super(problem.detail);
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** The last step of the problem's type: `validation`, `conflict`, … */
  get slug(): string {
    return this.problem.type.split("/").at(-1) ?? "";
  }

  /** What is wrong with the field at a JSON Pointer of the body. */
  faultAt(pointer: string): string | undefined {
    return this.problem.errors?.find((fault) => fault.pointer === pointer)?.detail;
  }
}

/** No answer of the service came: it, or the way to it, is away. */
export class Unreachable extends Error {}

/** Calls `/admin/v1` with the session cookie, and changes with the session's CSRF token. */
export class Api {
  #csrfToken: string | null = null;
  readonly #onSessionEnded: () => void;

  /** `onSessionEnded`: a call that needs a session was answered 401. */
  constructor(onSessionEnded: () => void) {
    this.#onSessionEnded = onSessionEnded;
  }

  /** From now on calls are made for this person. */
  signedIn(me: Me): void {
    this.#csrfToken = me.csrf_token;
  }

  /** There is no session any more: that a call is refused ends none. */
  signedOut(): void {
    this.#csrfToken = null;
  }

  /** Rejects with Refused or Unreachable. */
  async call<Name extends Operation>(
    operation: Name,
    parameters: Parameters<Name>,
    ...[body]: Name extends keyof Bodies ? [Bodies[Name]] : []
  ): Promise<Answer<Name>> {
    if (body === undefined) return this.#ask(operation, parameters);
    return this.#ask(operation, parameters, JSON.stringify(body), "application/json");
  }

  /** Sends a file of JSON Lines to an operation that takes them. Rejects as `call` does. */
  async sendLines<Name extends Operation>(
    operation: Name,
    parameters: Parameters<Name>,
    lines: Blob,
  ): Promise<Answer<Name>> {
    return this.#ask(operation, parameters, lines, "application/x-ndjson");
  }

  async #ask<Name extends Operation>(
    operation: Name,
    parameters: Parameters<Name>,
    body?: string | Blob,
    type?: string,
  ): Promise<Answer<Name>> {
    const { method } = ROUTES[operation];
    const answer = await this.#send(addressOf(operation, parameters), {
      method,
      headers: {
        accept: "application/json",
        ...(type !== undefined && { "content-type": type }),
        ...(method !== "GET" && this.#csrfToken !== null && { "x-csrf-token": this.#csrfToken }),
      },
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    if (!answer.ok && answer.headers.get("content-type")?.startsWith(PROBLEM_TYPE) !== true)
      throw new Unreachable(`a proxy answered ${answer.status}`);
    const parsed: unknown = text === "" ? null : JSON.parse(text);
    if (answer.ok) return parsed as Answer<Name>;
    if (answer.status === 401 && this.#csrfToken !== null) {
      this.#csrfToken = null;
      this.#onSessionEnded();
    }
    const retryAfter = Number(answer.headers.get("retry-after") ?? Number.NaN);
    throw new Refused(parsed as Problem, Number.isNaN(retryAfter) ? undefined : retryAfter);
  }

  /** The OpenAPI document the service is described by. Rejects with Unreachable. */
  async document(): Promise<unknown> {
    const answer = await this.#send("/openapi.json", { method: "GET" });
    return answer.json();
  }

  async #send(address: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(address, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    } catch (error) {
      throw new Unreachable("no answer", { cause: error });
    }
  }
}

/**
 * Path and query of an operation, percent-encoded.
 *
 * @throws RangeError for a value that is no step of a path: browsers take `.` and `..` as "here" and "one up".
 */
export function addressOf(operation: Operation, parameters: object): string {
  const { path, query } = ROUTES[operation];
  const values = parameters as Readonly<Record<string, unknown>>;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? "");
    if (/^\.{0,2}$/.test(value)) throw new RangeError(`${name} can't be "${value}"`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const name of query) {
    if (values[name] !== undefined) search.set(name, String(values[name]));
  }
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}

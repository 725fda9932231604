import { AnswerError } from "./errors.ts";
import type { AnswerFacts } from "./errors.ts";
import type { Problem } from "./openapi.generated.ts";
import { problemError } from "./problems.ts";

const NO_CONTENT = 204;
const EXCERPT_CHARS = 200;
const MS_PER_SECOND = 1_000;

/** What the headers of an answer say. Undefined: the header is missing. */
export interface Standing extends AnswerFacts {
  /** Credits this request cost; of the operations that cost any. */
  readonly creditsUsed: number | undefined;
  /** Requests a second, what is left of them in this second, and when it ends. */
  readonly rateLimit:
    | { readonly limit: number; readonly remaining: number; readonly resetsAtMs: number }
    | undefined;
  /** The answer is that of an earlier request with the same idempotency key. */
  readonly isReplayed: boolean;
}

export function standingOf({ status, headers }: Response, nowMs: number): Standing {
  const number = (name: string) => {
    const text = headers.get(name);
    return text === null || text === "" || Number.isNaN(Number(text)) ? undefined : Number(text);
  };
  const limit = number("x-ratelimit-limit");
  const remaining = number("x-ratelimit-remaining");
  const reset = number("x-ratelimit-reset");
  const isLimitKnown = limit !== undefined && remaining !== undefined && reset !== undefined;
  return {
    status,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterMs: retryAfterMs(headers.get("retry-after"), nowMs),
    creditsUsed: number("x-credits-used"),
    rateLimit: isLimitKnown ? { limit, remaining, resetsAtMs: reset * MS_PER_SECOND } : undefined,
    isReplayed: headers.get("idempotent-replayed") === "true",
  };
}

/** Seconds, or a date (RFC 9110, 10.2.3); undefined for anything else. */
function retryAfterMs(text: string | null, nowMs: number): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * MS_PER_SECOND;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

/**
 * The JSON of a success; null where it has no body.
 *
 * @throws ProblemError for a problem document, AnswerError for whatever else is no answer of the service: a page of
 *   a proxy in front of it, a redirect, a body that is cut.
 */
export function readAnswer(response: Response, text: string, facts: AnswerFacts): unknown {
  if (response.status === NO_CONTENT) return null;
  const mediaType =
    response.headers.get("content-type")?.split(";", 1)[0]?.trim() ?? "no media type";
  const value = /^application\/(?:problem\+)?json$/.test(mediaType) ? parsed(text) : undefined;
  if (response.ok && value !== undefined) return value;
  if (isProblem(value)) throw problemError(value, facts);
  const said = text.slice(0, EXCERPT_CHARS).replace(/\s+/g, " ");
  throw new AnswerError(`unexpected answer ${facts.status} (${mediaType}): ${said}`, facts);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isProblem(value: unknown): value is Problem {
  const problem = value as Partial<Problem> | null | undefined;
  return typeof problem?.type === "string" && typeof problem.title === "string";
}

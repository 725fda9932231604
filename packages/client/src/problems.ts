import { AnswerError } from "./errors.ts";
import type { AnswerFacts } from "./errors.ts";
import type { Fault, Problem } from "./openapi.generated.ts";

/** A problem document (RFC 9457) as an error; each `type` the service documents has a class of its own. */
export class ProblemError extends AnswerError {
  override readonly name: string = "ProblemError";
  /** The document as it came; further members depend on its type. */
  readonly problem: Problem;

  constructor(problem: Problem, facts: AnswerFacts) {
    super(`${problem.title}: ${problem.detail}`, facts);
    this.problem = problem;
  }

  /** The last step of the problem's `type`, such as `rate-limit`. */
  get slug(): string {
    return slugOf(this.problem);
  }
}

/** 400: something in the request breaks a rule. */
export class ValidationError extends ProblemError {
  override readonly name = "ValidationError";

  /** Every fault, each with a JSON Pointer into the body, or `query:NAME`, `path:NAME`, `header:NAME`. */
  get errors(): readonly Fault[] {
    return this.problem.errors ?? [];
  }
}

/** 400: the request cannot be read. */
export class BadRequestError extends ProblemError {
  override readonly name = "BadRequestError";
}

/** 400: an area name means areas of different levels. */
export class AmbiguousAreaError extends ProblemError {
  override readonly name = "AmbiguousAreaError";

  /** What each name can mean. */
  get candidates(): NonNullable<Problem["candidates"]> {
    return this.problem.candidates ?? [];
  }
}

/** 400: begin again without a cursor. */
export class InvalidCursorError extends ProblemError {
  override readonly name = "InvalidCursorError";
}

/** 401: no valid key. */
export class UnauthorizedError extends ProblemError {
  override readonly name = "UnauthorizedError";
}

/** 402: the usage cap of this billing cycle is reached. */
export class UsageLimitExceededError extends ProblemError {
  override readonly name = "UsageLimitExceededError";
}

/** 403: the tenant is suspended, or the key or the tenant's settings do not cover the call. */
export class ForbiddenError extends ProblemError {
  override readonly name = "ForbiddenError";
}

/** 404: there is no such resource. */
export class NotFoundError extends ProblemError {
  override readonly name = "NotFoundError";
}

/** 405: the service is older or newer than this client. */
export class MethodNotAllowedError extends ProblemError {
  override readonly name = "MethodNotAllowedError";
}

/** 409: the request contradicts what is there, or one with its idempotency key still runs. */
export class ConflictError extends ProblemError {
  override readonly name = "ConflictError";
}

/** 413: send less at once. */
export class PayloadTooLargeError extends ProblemError {
  override readonly name = "PayloadTooLargeError";
}

/** 415: the body is not JSON in UTF-8. */
export class UnsupportedMediaTypeError extends ProblemError {
  override readonly name = "UnsupportedMediaTypeError";
}

/** 422: the idempotency key came with another request before. */
export class IdempotencyKeyReusedError extends ProblemError {
  override readonly name = "IdempotencyKeyReusedError";
}

/** 429: more requests within a second than the limit allows, after every retry. */
export class RateLimitError extends ProblemError {
  override readonly name = "RateLimitError";
}

/** 500: a fault of the service. */
export class InternalError extends ProblemError {
  override readonly name = "InternalError";
}

/** 503: a part that the call needs cannot be reached. */
export class UnavailableError extends ProblemError {
  override readonly name = "UnavailableError";
}

const CLASSES: ReadonlyMap<string, typeof ProblemError> = new Map<string, typeof ProblemError>([
  ["validation", ValidationError],
  ["bad-request", BadRequestError],
  ["ambiguous-area", AmbiguousAreaError],
  ["invalid-cursor", InvalidCursorError],
  ["unauthorized", UnauthorizedError],
  ["usage-limit-exceeded", UsageLimitExceededError],
  ["forbidden", ForbiddenError],
  ["not-found", NotFoundError],
  ["method-not-allowed", MethodNotAllowedError],
  ["conflict", ConflictError],
  ["payload-too-large", PayloadTooLargeError],
  ["unsupported-media-type", UnsupportedMediaTypeError],
  ["idempotency-key-reused", IdempotencyKeyReusedError],
  ["rate-limit", RateLimitError],
  ["internal", InternalError],
  ["unavailable", UnavailableError],
]);

/** The error of a problem document; `ProblemError` itself for a type this version does not know. */
export function problemError(problem: Problem, facts: AnswerFacts): ProblemError {
  return new (CLASSES.get(slugOf(problem)) ?? ProblemError)(problem, facts);
}

function slugOf({ type }: Problem): string {
  return type.slice(type.lastIndexOf("/") + 1);
}

/** Of everything that the client throws by itself; an abort throws the signal's own reason. */
export class ContentFeedError extends Error {
  override readonly name: string = "ContentFeedError";
}

/** The client was configured or called in a way that cannot work. */
export class ClientUsageError extends ContentFeedError {
  override readonly name = "ClientUsageError";
}

/** There was no answer: the address could not be reached, or the connection broke. `cause` says how. */
export class ConnectionError extends ContentFeedError {
  override readonly name = "ConnectionError";
}

/** There was no whole answer within the time-out. */
export class TimeoutError extends ContentFeedError {
  override readonly name = "TimeoutError";
}

/** What every answer that is no success has. */
export interface AnswerFacts {
  readonly status: number;
  /** `X-Request-Id`: what to name when asking the service's operator. */
  readonly requestId: string | undefined;
  /** How long the answer asks to wait. */
  readonly retryAfterMs: number | undefined;
}

/** An answer that is no success: a problem document (`ProblemError`), or something that is none. */
export class AnswerError extends ContentFeedError implements AnswerFacts {
  override readonly name: string = "AnswerError";
  readonly status: number;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, facts: AnswerFacts, options?: ErrorOptions) {
    super(message, options);
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** A push job that ended without a result. */
export class PushJobFailedError extends ContentFeedError {
  override readonly name = "PushJobFailedError";
  readonly jobId: string;
  /** `cancelled`, `usage_limit_exceeded`, …; new codes may be added. */
  readonly code: string;

  constructor(
    jobId: string,
    { code, message }: { readonly code: string; readonly message: string },
  ) {
    super(`push job ${jobId} failed (${code}): ${message}`);
    this.jobId = jobId;
    this.code = code;
  }
}

/** A webhook delivery that must not be believed. */
export class WebhookVerificationError extends ContentFeedError {
  override readonly name = "WebhookVerificationError";
}

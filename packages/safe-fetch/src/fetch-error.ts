export type FetchErrorCode =
  /** Not http or https, with a name and password, or too long. */
  | "bad-url"
  /** A private, loopback or otherwise inner address, literal or resolved. */
  | "blocked-address"
  | "unresolved"
  | "unreachable"
  | "timeout"
  | "too-large"
  | "bad-encoding"
  | "too-many-redirects"
  | "bad-redirect"
  /** robots.txt does not want us there. */
  | "robots-disallowed"
  /** The host asked for quiet, or failed; see `retryAtMs`. */
  | "backing-off"
  /** An answer that is neither what was asked for nor 304. */
  | "bad-status";

/** Why something could not be fetched. The message names the address but no content. */
export class FetchError extends Error {
  override readonly name = "FetchError";
  readonly code: FetchErrorCode;
  /** With `bad-status`. */
  readonly status: number | undefined;
  /** Not before then, where the host said so. */
  readonly retryAtMs: number | undefined;

  constructor(
    code: FetchErrorCode,
    message: string,
    details: {
      readonly status?: number;
      readonly retryAtMs?: number;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.code = code;
    this.status = details.status;
    this.retryAtMs = details.retryAtMs;
  }
}

/** One kind of problem: what its page at `/probs/{slug}` says. */
export interface ProblemType {
  readonly title: string;
  readonly status: number;
  readonly meaning: string;
  readonly remedy: string;
}

/** Every problem the service answers with (spec 7; decisions, "HTTP in general"). */
export const PROBLEM_TYPES = {
  validation: {
    title: "Validation Error",
    status: 400,
    meaning: "The request can be read, but something in it breaks a rule.",
    remedy:
      "Every fault is listed in `errors` with a pointer to its place. Correct them and send again.",
  },
  "bad-request": {
    title: "Bad Request",
    status: 400,
    meaning:
      "The request can't be read: raw text outside ASCII in the address, no JSON, or broken HTTP.",
    remedy:
      "Percent-encode text in the address, send JSON in UTF-8, and keep headers below 16 KiB.",
  },
  "ambiguous-area": {
    title: "Ambiguous Area",
    status: 400,
    meaning:
      "A name in `area_names` means areas of different levels, and nothing says which is meant.",
    remedy:
      "Send `area_level`, or write the name with its suffix. `candidates` lists what it can mean.",
  },
  unauthorized: {
    title: "Unauthorized",
    status: 401,
    meaning: "There is no valid key: it is missing, malformed, unknown, expired or revoked.",
    remedy: "Send `Authorization: Bearer <API_KEY>` with a key that is in force.",
  },
  forbidden: {
    title: "Forbidden",
    status: 403,
    meaning:
      "The tenant is suspended, or the key's scopes or the tenant's settings don't cover this call.",
    remedy: "Use a key with the scope, or ask the operator of the service.",
  },
  "not-found": {
    title: "Not Found",
    status: 404,
    meaning: "There is no such path or resource, or it belongs to another tenant.",
    remedy: "Check the address and the identifiers in it.",
  },
  "method-not-allowed": {
    title: "Method Not Allowed",
    status: 405,
    meaning: "The path exists, but not with this method.",
    remedy: "Use a method of the `Allow` header.",
  },
  "usage-limit-exceeded": {
    title: "Usage Limit Exceeded",
    status: 402,
    meaning: "The tenant's usage cap for this billing cycle is reached. Free endpoints go on.",
    remedy:
      "Wait for the next cycle (the 1st of the month, 00:00 in Tokyo), or have the cap raised.",
  },
  conflict: {
    title: "Conflict",
    status: 409,
    meaning:
      "The request contradicts what is there, or one with the same Idempotency-Key still runs.",
    remedy: "For an Idempotency-Key: wait and send again. It is let go after 30 seconds at most.",
  },
  "idempotency-key-reused": {
    title: "Idempotency Key Reused",
    status: 422,
    meaning: "This Idempotency-Key came with another request within the last 24 hours.",
    remedy: "Use a new key for each new request, and the same one for its repetitions alone.",
  },
  "invalid-cursor": {
    title: "Invalid Cursor",
    status: 400,
    meaning:
      "The cursor was changed, is too old, or was made for another tenant or other parameters.",
    remedy: "Begin again without a cursor. Only `limit` may change between pages.",
  },
  "payload-too-large": {
    title: "Payload Too Large",
    status: 413,
    meaning: "The body is over the limit, counted after inflating.",
    remedy: "Send less at once.",
  },
  "unsupported-media-type": {
    title: "Unsupported Media Type",
    status: 415,
    meaning: "The body is not JSON in UTF-8, or is encoded otherwise than by gzip.",
    remedy: "Send `Content-Type: application/json`, plain or with `Content-Encoding: gzip`.",
  },
  "rate-limit": {
    title: "Rate Limit Exceeded",
    status: 429,
    meaning: "More requests came within one second than the limit allows.",
    remedy:
      "Wait for `Retry-After` seconds; watch `X-RateLimit-Remaining`; back off exponentially.",
  },
  internal: {
    title: "Internal Error",
    status: 500,
    meaning: "A fault of the service.",
    remedy: "Try again; if it stays, report the `X-Request-Id` of the answer.",
  },
  unavailable: {
    title: "Service Unavailable",
    status: 503,
    meaning:
      "A part that the call needs can't be reached, or a change is recorded but can't be seen yet.",
    remedy: "Send the same request again after `Retry-After` seconds; repeating is safe.",
  },
} as const satisfies Record<string, ProblemType>;

export type ProblemSlug = keyof typeof PROBLEM_TYPES;

export function isProblemSlug(text: string): text is ProblemSlug {
  return Object.hasOwn(PROBLEM_TYPES, text);
}

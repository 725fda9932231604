import type { WindowState } from "@feed/read-state/port";

/** A limit a request was counted against, or would be. */
export interface LimitStanding extends WindowState {
  /** Name in `RateLimit-Policy`. */
  readonly policy: "tenant" | "address";
  readonly limitPerSecond: number;
}

/** Seconds until the window ends, at least 1: `Retry-After`. */
export function retryAfterSeconds({ resetAtMs }: LimitStanding, nowMs: number): number {
  return Math.max(1, Math.ceil((resetAtMs - nowMs) / 1000));
}

/** The specification's three headers (spec 8) and those of draft-ietf-httpapi-ratelimit-headers-11. */
export function rateLimitHeaders(
  standing: LimitStanding,
  nowMs: number,
): Readonly<Record<string, string>> {
  const { policy, limitPerSecond, remaining, resetAtMs } = standing;
  return {
    "X-RateLimit-Limit": `${limitPerSecond}`,
    "X-RateLimit-Remaining": `${remaining}`,
    "X-RateLimit-Reset": `${Math.ceil(resetAtMs / 1000)}`,
    "RateLimit-Policy": `"${policy}";q=${limitPerSecond};w=1`,
    RateLimit: `"${policy}";r=${remaining};t=${retryAfterSeconds(standing, nowMs)}`,
  };
}

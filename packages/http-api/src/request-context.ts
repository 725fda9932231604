import { newRequestId } from "@feed/runtime";
import type { Clock } from "@feed/runtime";
import type { ApiMiddleware } from "./api-context.ts";
import { Problem } from "./problem.ts";

const SANE_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const PRINTABLE_ASCII = /^[\x21-\x7e]*$/;

/** Names the request, answers with `X-Request-Id`, and sets the time it counts as received. */
export function requestContext(clock: Clock): ApiMiddleware {
  return (ctx, next) => {
    const given = ctx.get("x-request-id");
    ctx.state.requestId = newRequestId(clock);
    ctx.state.correlationId = SANE_ID.test(given) ? given : ctx.state.requestId;
    ctx.state.receivedAtMs = clock.nowMs();
    ctx.set("X-Request-Id", ctx.state.correlationId);
    ctx.set("X-Content-Type-Options", "nosniff");
    return next();
  };
}

/**
 * Refuses what the parser lets pass and HTTP does not: a missing Host (RFC 9112, 3.2), and raw characters
 * outside ASCII in the address (spec 4.1 rule 5), should a parser ever hand them on.
 *
 * @throws Problem 400 `bad-request`.
 */
export const wellFormed: ApiMiddleware = (ctx, next) => {
  if (ctx.get("host") === "" && ctx.req.httpVersion === "1.1") {
    throw new Problem("bad-request", "The Host header is missing.");
  }
  if (!PRINTABLE_ASCII.test(ctx.req.url ?? "")) {
    throw new Problem(
      "bad-request",
      "The address holds raw characters outside ASCII; percent-encode them.",
    );
  }
  return next();
};

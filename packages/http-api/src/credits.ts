import { creditsFromTenths } from "@feed/domain/credits";
import type { ApiContext } from "./api-context.ts";
import { Problem } from "./problem.ts";

/** `X-Credits-Used` (spec 8): one decimal, and a bare 0 where nothing was charged. */
export function setCreditsUsed(ctx: ApiContext, tenths: number): void {
  ctx.set("X-Credits-Used", tenths === 0 ? "0" : creditsFromTenths(tenths).toFixed(1));
}

export function usageLimitExceeded(capTenths: number): Problem {
  const credits = creditsFromTenths(capTenths);
  return new Problem(
    "usage-limit-exceeded",
    `The usage cap of ${credits} credits is reached for this billing cycle.`,
  );
}

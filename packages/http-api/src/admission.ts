import { ADDRESS_RATE_LIMIT_PER_SECOND } from "@feed/domain/limits";
import { tenantOfSpace } from "@feed/domain/tenant";
import type { ApiKey, Tenant } from "@feed/domain/tenant";
import type { Logger } from "@feed/runtime";
import { ReadStateUnavailable } from "@feed/read-state/port";
import type { ReadState } from "@feed/read-state/port";
import type { ApiContext, ApiMiddleware, Caller } from "./api-context.ts";
import type { Identify } from "./authenticate.ts";
import type { ClientAddress } from "./client-address.ts";
import { FixedWindow } from "./fixed-window.ts";
import { Problem } from "./problem.ts";
import { rateLimitHeaders, retryAfterSeconds } from "./rate-limit-headers.ts";
import type { LimitStanding } from "./rate-limit-headers.ts";

/** The API itself; the rest is pages, pictures and probes. */
export const LIMITED_PATH = /^\/(?:v1|admin)(?:\/|$)/;

interface AdmissionOptions {
  readonly readState: Pick<ReadState, "countRequest">;
  readonly identify: Identify;
  readonly identifySession: (ctx: ApiContext) => Promise<Caller>;
  readonly addressOf: ClientAddress;
  readonly addresses: FixedWindow;
  readonly log: Logger;
  /** Told of every request by a key. */
  readonly noteUse: (key: ApiKey, nowMs: number) => void;
}

/**
 * Who asks, and whether there is room for the request (spec 8; decisions, "HTTP in general"): a tenant is
 * counted in the window all nodes share, anybody else by address in this process. Pages outside `/v1` and
 * `/admin` show the address's standing without counting: one page has many pictures.
 */
export function admission(options: AdmissionOptions): ApiMiddleware {
  const { identify, identifySession, noteUse, log } = options;
  const whileAway = new FixedWindow();

  const countTenant = async (tenant: Tenant, nowMs: number): Promise<LimitStanding> => {
    const { tenantId, rateLimitPerSecond: limitPerSecond } = tenant;
    const key = `tenant:${tenantOfSpace(tenantId)}`;
    try {
      const window = await options.readState.countRequest(key, limitPerSecond, nowMs);
      return { ...window, policy: "tenant", limitPerSecond };
    } catch (error) {
      if (!(error instanceof ReadStateUnavailable)) throw error;
      // Shared windows are away: this node counts for itself, rather than let everything or nothing pass.
      log.warn({ err: error }, "rate limit counted by this process alone");
      return { ...whileAway.count(key, limitPerSecond, nowMs), policy: "tenant", limitPerSecond };
    }
  };

  return async (ctx, next) => {
    const { state, path } = ctx;
    const nowMs = state.receivedAtMs;
    const authorization = ctx.get("authorization");
    const hasSession = authorization === "" && path.startsWith("/admin/");
    let failure: unknown;
    const caller = hasSession
      ? await identifySession(ctx).catch((error: unknown): Caller => {
          failure = error;
          return { kind: "anonymous" };
        })
      : identify(authorization, path, nowMs);
    state.caller = caller;
    if (caller.kind === "tenant") noteUse(caller.key, nowMs);
    const isLimited = LIMITED_PATH.test(path);
    state.standing =
      isLimited && caller.kind === "tenant"
        ? await countTenant(caller.tenant, nowMs)
        : addressStanding(options, ctx, isLimited && caller.kind === "anonymous");
    ctx.set(rateLimitHeaders(state.standing, nowMs));
    if (isLimited) ctx.set("Cache-Control", "no-store");
    if (isLimited && !state.standing.allowed) throw rateLimited(state.standing, nowMs);
    // The session can't be looked up; the answer to that carries the headers too.
    if (failure !== undefined) throw failure;
    return next();
  };
}

function addressStanding(
  { addressOf, addresses }: AdmissionOptions,
  ctx: ApiContext,
  isCounted: boolean,
): LimitStanding {
  const address = addressOf(ctx.req.socket.remoteAddress, ctx.get("x-forwarded-for"));
  const limitPerSecond = ADDRESS_RATE_LIMIT_PER_SECOND;
  const nowMs = ctx.state.receivedAtMs;
  const window = isCounted
    ? addresses.count(address, limitPerSecond, nowMs)
    : addresses.peek(address, limitPerSecond, nowMs);
  // Only what is counted is refused: an operator is not shut out by somebody behind the same address.
  return { ...window, allowed: window.allowed || !isCounted, policy: "address", limitPerSecond };
}

function rateLimited(standing: LimitStanding, nowMs: number): Problem {
  const { limitPerSecond, policy } = standing;
  return new Problem("rate-limit", `More than ${limitPerSecond} requests came within a second.`, {
    headers: { "Retry-After": `${retryAfterSeconds(standing, nowMs)}` },
    members: { "violated-policies": [policy] },
  });
}

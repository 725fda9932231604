import type { ApiKey, Tenant } from "@feed/domain/tenant";
import type { Router } from "@koa/router";
import type { Middleware, ParameterizedContext } from "koa";
import type { LimitStanding } from "./rate-limit-headers.ts";

/** Who asks, as far as the Authorization header tells. */
export type Caller =
  | { readonly kind: "tenant"; readonly tenant: Tenant; readonly key: ApiKey }
  | { readonly kind: "admin" }
  | { readonly kind: "anonymous" };

export interface ApiState {
  /** Names the request in facts and ledgers: the service's own, never the caller's. */
  requestId: string;
  /** `X-Request-Id`: the caller's where it sent a sane one. */
  correlationId: string;
  receivedAtMs: number;
  caller: Caller;
  standing: LimitStanding;
}

export type ApiMiddleware = Middleware<ApiState>;
export type ApiContext = ParameterizedContext<ApiState>;
export type ApiRouter = Router<ApiState>;

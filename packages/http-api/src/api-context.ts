import type { TenantId } from "@feed/domain/ids";
import type { Role } from "@feed/domain/people";
import type { ApiKey, Tenant } from "@feed/domain/tenant";
import type { Router } from "@koa/router";
import type { Middleware, ParameterizedContext } from "koa";
import type { LimitStanding } from "./rate-limit-headers.ts";

/** Somebody who may use the admin API: a person with a session, or whoever holds the admin token. */
export interface AdminCaller {
  readonly kind: "admin";
  /** Who changes are recorded under. */
  readonly actor: string;
  readonly role: Role;
  /** Null for operators. */
  readonly tenantId: TenantId | null;
  /** Null for the admin token, which names nobody. */
  readonly session: CallerSession | null;
}

export interface CallerSession {
  readonly token: string;
  readonly personId: string;
  readonly expiresAtMs: number;
  /** Whether the request carries the session's X-CSRF-Token. */
  readonly hasCsrfToken: boolean;
}

/** Who asks, as far as the Authorization header tells. */
export type Caller =
  | { readonly kind: "tenant"; readonly tenant: Tenant; readonly key: ApiKey }
  | AdminCaller
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

import { Counter, Histogram } from "prom-client";
import type { Registry } from "prom-client";
import type { Logger } from "@feed/runtime";
import { activeTraceId } from "@feed/runtime/traces";
import type { ApiMiddleware } from "./api-context.ts";

const UNMATCHED = "unmatched";
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Numbers of the API. Labels hold no user, content or address; routes are patterns. */
export interface HttpMetrics {
  /** Rate, errors and duration of every route; a line of the log for each answer, at level debug. */
  readonly middleware: ApiMiddleware;
  readonly eventsAccepted: Counter<"type">;
  readonly eventsRejected: Counter;
  /** Genuine tokens past their 90 days: their events count, linked to nothing. */
  readonly trackingTokensExpired: Counter;
  readonly idempotentReplays: Counter;
  /** Events whose session belongs to another user: the tenant shares session ids between users. */
  readonly sessionsShared: Counter;
  readonly changesNotVisible: Counter;
}

export function createHttpMetrics(registry: Registry, log: Logger): HttpMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: "http_requests_total",
    help: "Answers by route, method and status.",
    labelNames: ["route", "method", "status"] as const,
    registers,
  });
  const duration = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from the request's headers to the answer's body.",
    labelNames: ["route", "method"] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  return {
    middleware: async (ctx, next) => {
      const startMs = performance.now();
      try {
        await next();
      } finally {
        const matched: unknown = ctx["_matchedRoute"];
        const route = typeof matched === "string" ? matched : UNMATCHED;
        const method = METHODS.has(ctx.method) ? ctx.method : "OTHER";
        const tookMs = performance.now() - startMs;
        requests.inc({ route, method, status: ctx.status });
        duration.observe({ route, method }, tookMs / 1000);
        const { requestId, correlationId } = ctx.state;
        const traceId = activeTraceId();
        log.debug(
          { requestId, correlationId, traceId, method, route, status: ctx.status, tookMs },
          "answered",
        );
      }
    },
    eventsAccepted: new Counter({
      name: "feed_events_accepted_total",
      help: "Behavioural events recorded, by type.",
      labelNames: ["type"] as const,
      registers,
    }),
    eventsRejected: new Counter({
      name: "feed_events_rejected_total",
      help: "Behavioural events refused as invalid.",
      registers,
    }),
    trackingTokensExpired: new Counter({
      name: "feed_tracking_tokens_expired_total",
      help: "Events counted without a link because their tracking token was too old.",
      registers,
    }),
    idempotentReplays: new Counter({
      name: "http_idempotent_replays_total",
      help: "Answers repeated for an Idempotency-Key.",
      registers,
    }),
    sessionsShared: new Counter({
      name: "feed_sessions_shared_total",
      help: "Events whose session was first used by another user.",
      registers,
    }),
    changesNotVisible: new Counter({
      name: "feed_changes_not_visible_total",
      help: "Changes answered with 503 because the projection had not passed them in time.",
      registers,
    }),
  };
}

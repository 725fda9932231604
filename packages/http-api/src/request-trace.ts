import { failSpan, inSpan } from "@feed/runtime/traces";
import type { ApiMiddleware } from "./api-context.ts";

const SERVER_ERRORS_FROM = 500;

/** Every request is a span, of the caller's trace where it sent a `traceparent`; named by its route, never by its address. */
export const requestTrace: ApiMiddleware = (ctx, next) => {
  const traceparent = ctx.get("traceparent") || undefined;
  const attributes = { "http.request.method": ctx.method };
  return inSpan(ctx.method, { kind: "SERVER", traceparent, attributes }, async (span) => {
    await next();
    if (!span.isRecording()) return;
    const route: unknown = ctx["_matchedRoute"];
    if (typeof route === "string") {
      span.updateName(`${ctx.method} ${route}`);
      span.setAttribute("http.route", route);
    }
    span.setAttribute("http.response.status_code", ctx.status);
    span.setAttribute("feed.request_id", ctx.state.requestId);
    if (ctx.status >= SERVER_ERRORS_FROM) failSpan(span, String(ctx.status));
  });
};

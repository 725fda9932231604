import { ActivityStoreUnavailable } from "@feed/activity-store";
import { ContentIndexUnavailable } from "@feed/content-index";
import { CrawlStateUnavailable } from "@feed/crawler/state/crawl-state";
import { LogClosed, LogUnavailable } from "@feed/event-log";
import { ObjectStoreUnavailable } from "@feed/object-store";
import { ReadStateUnavailable } from "@feed/read-state/port";
import type { Logger } from "@feed/runtime";
import type { ApiContext, ApiMiddleware } from "./api-context.ts";
import { Problem, problemDocument, unavailable } from "./problem.ts";

const RETRY_AFTER_SECONDS = 2;
export const PROBLEM_MEDIA_TYPE = "application/problem+json; charset=utf-8";
/** Those that cost credits say on every error that this one cost none. */
const CHARGED_PATH = /^\/v1\/(?:feed$|contents\/|push-candidates$)/;

interface ProblemMiddlewareOptions {
  readonly problemBase: () => string;
  readonly log: Logger;
}

/**
 * Turns everything thrown further in into a problem document (spec 7); nothing of an unknown error is
 * shown.
 */
export function problems({ problemBase, log }: ProblemMiddlewareOptions): ApiMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const problem = problemFrom(error);
      report(log, ctx, problem, error);
      writeProblem(ctx, problem, problemBase());
    }
  };
}

/** Classified by kind, never by message; what is not known is 500. */
export function problemFrom(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof LogUnavailable || error instanceof LogClosed) return away("The event log");
  if (error instanceof ReadStateUnavailable) return away("The state of users");
  if (error instanceof ContentIndexUnavailable) return away("The index of articles");
  if (error instanceof ActivityStoreUnavailable) return away("The store of activity");
  if (error instanceof CrawlStateUnavailable) return away("The state of the crawler");
  if (error instanceof ObjectStoreUnavailable) return away("The store of pictures");
  return new Problem("internal", "The service failed; it is not the request's fault.");
}

function away(what: string): Problem {
  return unavailable(`${what} can't be reached at the moment.`, RETRY_AFTER_SECONDS);
}

/** Ends the response as a problem document. */
export function writeProblem(ctx: ApiContext, problem: Problem, problemBase: string): void {
  ctx.status = problem.status;
  ctx.set(problem.headers);
  if (CHARGED_PATH.test(ctx.path)) ctx.set("X-Credits-Used", "0");
  // A body that was given up while it was read; one that nobody touched is thrown away by the server.
  const isGivenUp = ctx.req.readableFlowing !== null && !ctx.req.complete;
  if (isGivenUp) ctx.set("Connection", "close");
  ctx.type = PROBLEM_MEDIA_TYPE;
  ctx.body = JSON.stringify(problemDocument(problem, problemBase, ctx.path));
}

function report(log: Logger, ctx: ApiContext, problem: Problem, error: unknown): void {
  const { requestId, correlationId } = ctx.state;
  const fields = { requestId, correlationId, method: ctx.method, status: problem.status };
  if (problem.slug === "internal") log.error({ ...fields, err: error }, "request failed");
  else if (problem.status >= 500) log.warn({ ...fields, err: error }, "part away");
}

import { FEED_BYTES_MAX } from "@feed/crawler/limits";
import { answerHub, isSigned } from "@feed/crawler/websub/callback";
import { CALLBACK_PATH, PUSHES_WAITING_MAX } from "@feed/crawler/websub/subscriptions";
import type { Subscription, Subscriptions } from "@feed/crawler/websub/subscriptions";
import type { Clock, Logger } from "@feed/runtime";
import type { Context, Middleware } from "koa";
import { readBytes } from "./body-reader.ts";
import { notFound, Problem, unavailable } from "./problem.ts";

/** The crawler takes a full feed of new articles in within this. */
const RETRY_AFTER_SECONDS = 30;
/** Forged pushes are noted this often at most, however many come. */
const FORGED_NOTED_EVERY_MS = 60_000;

export interface WebsubMountDependencies {
  readonly subscriptions: Subscriptions;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * `/websub/<id>`: where hubs call back (WebSub, 5.2, 5.3 and 7). GET verifies or denies a subscription, POST pushes
 * a feed, which waits for the crawler. No API key: the id is a secret of the hub's and ours, and pushes are signed.
 */
export function websubMount(deps: WebsubMountDependencies): Middleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith(CALLBACK_PATH)) return next();
    const id = ctx.path.slice(CALLBACK_PATH.length);
    if (ctx.method === "GET") return answer(ctx, id, deps);
    if (ctx.method === "POST") return take(ctx, id, deps);
    throw new Problem("method-not-allowed", `${ctx.method} is not possible here.`, {
      headers: { Allow: "GET, POST" },
    });
  };
}

async function answer(ctx: Context, id: string, deps: WebsubMountDependencies): Promise<void> {
  const { subscriptions, clock, log } = deps;
  const question = new URLSearchParams(ctx.querystring);
  let echo: string | undefined;
  if (subscriptions.get(id) === undefined) throw notFound("subscription");
  await subscriptions.change(id, (before) => {
    const hubAnswer = answerHub(before, question, clock.nowMs());
    echo = hubAnswer?.echo;
    return hubAnswer === undefined ? before : hubAnswer.after;
  });
  if (echo === undefined) throw notFound("subscription");
  log.info({ mode: question.get("hub.mode"), topic: question.get("hub.topic") }, "a hub called");
  ctx.set("Cache-Control", "no-store");
  ctx.status = 200;
  ctx.type = "text/plain; charset=utf-8";
  ctx.body = echo;
}

async function take(ctx: Context, id: string, deps: WebsubMountDependencies): Promise<void> {
  const { subscriptions, clock } = deps;
  const subscription = subscriptions.get(id);
  // A hub may end what it is told is gone (WebSub, 7).
  if (subscription === undefined || subscription.status === "ending")
    throw new Problem("not-found", "There is no such subscription any more.", { status: 410 });
  const bytes = await readBytes(ctx.req, FEED_BYTES_MAX);
  const receivedAtMs = clock.nowMs();
  // Answered alike, so that nobody can try signatures; ignored (WebSub, 7.1.2).
  ctx.status = 202;
  ctx.body = "";
  if (!isSigned(subscription.secret, ctx.get("x-hub-signature"), bytes))
    return noteForged(id, subscription, receivedAtMs, deps);
  const contentType = ctx.get("content-type") || undefined;
  if (!(await subscriptions.addPush(id, { receivedAtMs, contentType, bytes })))
    throw unavailable(
      `${PUSHES_WAITING_MAX} pushes of this topic wait already.`,
      RETRY_AFTER_SECONDS,
    );
  await subscriptions.change(id, (before) => ({ ...before, lastPushMs: receivedAtMs }));
}

async function noteForged(
  id: string,
  { sourceId, hubUrl, forgedPushMs = 0 }: Subscription,
  atMs: number,
  { subscriptions, log }: WebsubMountDependencies,
): Promise<void> {
  if (atMs - forgedPushMs < FORGED_NOTED_EVERY_MS) return;
  log.warn({ sourceId, hubUrl }, "a push without the right signature was ignored");
  await subscriptions.change(id, (before) => ({ ...before, forgedPushMs: atMs }));
}

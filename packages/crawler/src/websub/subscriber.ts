import { randomBytes } from "node:crypto";
import type { SourceId } from "@feed/domain/ids";
import { FetchError } from "@feed/safe-fetch";
import type { Fetched } from "@feed/safe-fetch";
import type { Logger } from "@feed/runtime";
import type { PoliteFetch } from "../fetch/polite-fetch.ts";
import { retryAfterMs } from "../retry-after.ts";
import { explainFault } from "../sources/explain-fault.ts";
import type { AnnouncedHub } from "./hub-links.ts";
import { CALLBACK_PATH } from "./subscriptions.ts";
import type { NamedSubscription, Subscription, Subscriptions } from "./subscriptions.ts";

export interface SubscriberOptions {
  readonly subscriptions: Subscriptions;
  /** In front of callbacks, without a slash at the end; hubs have to reach it. Absent: no hub is asked. */
  readonly callbackBase?: string;
  readonly fetch: Pick<PoliteFetch, "postForm">;
  readonly nowMs: () => number;
  readonly log: Logger;
}

/** Ten days is what the recommendation calls a good default (WebSub, 8). */
const LEASE_SECONDS = 10 * 24 * 3_600;
/** Less than 200 bytes (WebSub, 5.1.1). */
const SECRET_BYTES = 32;
/** A hub has this long to verify before it is asked again, twice as long each time. */
const ASK_AGAIN_FIRST_MS = 5 * 60_000;
const ASK_AGAIN_MS_MAX = 6 * 3_600_000;
/** After that the lease ends by itself. */
const UNSUBSCRIBE_ASKS_MAX = 3;
const HUB_REDIRECTS_MAX = 3;
/** WebSub, 5.1.2: other redirects are errors. */
const HUB_REDIRECTS = new Set([307, 308]);
const UNVERIFIED = "The hub has not verified it: can it reach PUBLIC_URL?";

/** Keeps the subscriptions of sources as their feeds announce hubs, their leases end and sources go. */
export class Subscriber {
  readonly #options: SubscriberOptions;
  readonly #asking = new Map<string, Promise<void>>();

  constructor(options: SubscriberOptions) {
    this.#options = options;
  }

  /** What a source's feed says of its hub now. Errors: CrawlStateUnavailable. */
  async noteHub(sourceId: SourceId, announced: AnnouncedHub | undefined): Promise<void> {
    const { subscriptions, nowMs } = this.#options;
    const current = subscriptions.ofSource(sourceId);
    const { hubUrl, topicUrl } = current?.subscription ?? {};
    if (hubUrl === announced?.hubUrl && topicUrl === announced?.topicUrl) return;
    if (current !== undefined) await this.#end(current);
    if (announced === undefined) return;
    await subscriptions.add({
      sourceId,
      ...announced,
      secret: randomBytes(SECRET_BYTES).toString("base64url"),
      status: "wanted",
      nextAskMs: nowMs(),
      asks: 0,
      isPending: false,
    });
  }

  /**
   * Asks the hubs that are due, and ends subscriptions of sources that are not crawled any more. What a hub answers
   * is waited for by `idle` alone. Errors: CrawlStateUnavailable.
   */
  async round(crawled: ReadonlySet<SourceId>, signal: AbortSignal): Promise<void> {
    const nowMs = this.#options.nowMs();
    for (const named of this.#options.subscriptions.all()) {
      const { id, subscription } = named;
      const isEnding = subscription.status === "ending";
      if (!isEnding && !crawled.has(subscription.sourceId)) await this.#end(named);
      else if (subscription.nextAskMs <= nowMs) this.#startAsking(id, subscription, signal);
    }
  }

  async idle(): Promise<void> {
    await Promise.all(this.#asking.values());
  }

  /** A hub that was never asked, or said no, has nothing to take back. */
  async #end({ id }: NamedSubscription): Promise<void> {
    const { callbackBase, subscriptions } = this.#options;
    const nextAskMs = this.#options.nowMs();
    await subscriptions.change(id, (before) =>
      callbackBase === undefined || before.status === "wanted" || before.status === "denied"
        ? undefined
        : { ...before, status: "ending", nextAskMs, asks: 0, isPending: false },
    );
  }

  #startAsking(id: string, subscription: Subscription, signal: AbortSignal): void {
    const { callbackBase, log } = this.#options;
    if (callbackBase === undefined || this.#asking.has(id)) return;
    const asked = this.#ask(id, subscription, callbackBase, signal)
      .catch((error: unknown) => {
        if (signal.aborted) return;
        log.warn({ sourceId: subscription.sourceId, err: error }, "hub could not be asked");
      })
      .finally(() => this.#asking.delete(id));
    this.#asking.set(id, asked);
  }

  async #ask(
    id: string,
    subscription: Subscription,
    callbackBase: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { subscriptions } = this.#options;
    // Known before the hub is asked: it may verify before it answers.
    await subscriptions.change(id, (before) => asking(before, this.#options.nowMs()));
    const now = subscriptions.get(id);
    if (now === undefined) return;
    const form = requestForm(now, `${callbackBase}${CALLBACK_PATH}${id}`);
    const failure = await this.#send(subscription.hubUrl, form, signal);
    if (failure === undefined) return;
    this.#options.log.warn(
      { sourceId: now.sourceId, hubUrl: now.hubUrl, ...failure },
      "hub refused",
    );
    await subscriptions.change(id, (before) => refused(before, failure));
  }

  /** Undefined where the hub took it. */
  async #send(
    hubUrl: string,
    form: URLSearchParams,
    signal: AbortSignal,
  ): Promise<Failure | undefined> {
    try {
      let url = hubUrl;
      for (let redirects = 0; ; redirects += 1) {
        const answer = await this.#options.fetch.postForm(url, form, signal);
        const target = redirects < HUB_REDIRECTS_MAX ? otherHub(answer) : undefined;
        if (target === undefined) return failureOf(answer, this.#options.nowMs());
        url = target;
      }
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      const { code, retryAtMs } = error;
      return { problem: explainFault({ code }), ...(retryAtMs === undefined ? {} : { retryAtMs }) };
    }
  }
}

interface Failure {
  readonly problem: string;
  readonly retryAtMs?: number;
}

/** As it stands while the hub is asked. */
function asking(before: Subscription, nowMs: number): Subscription | undefined {
  const { status, asks, isPending } = before;
  if (status === "ending" && asks >= UNSUBSCRIBE_ASKS_MAX) return undefined;
  const lapsed = status === "active" && (before.leaseUntilMs ?? 0) <= nowMs;
  const waitMs = Math.min(ASK_AGAIN_MS_MAX, ASK_AGAIN_FIRST_MS * 2 ** Math.min(asks, 20));
  return {
    ...before,
    status: status === "ending" || (status === "active" && !lapsed) ? status : "asked",
    asks: asks + 1,
    isPending: true,
    nextAskMs: nowMs + waitMs,
    ...(isPending ? { problem: UNVERIFIED } : {}),
  };
}

/** Nothing where the hub has verified all the same. */
function refused(before: Subscription, { problem, retryAtMs }: Failure): Subscription {
  if (!before.isPending) return before;
  return {
    ...before,
    status: before.status === "asked" ? "failed" : before.status,
    isPending: false,
    nextAskMs: Math.max(before.nextAskMs, retryAtMs ?? 0),
    problem,
  };
}

function requestForm(subscription: Subscription, callback: string): URLSearchParams {
  const form = new URLSearchParams({
    "hub.callback": callback,
    "hub.mode": subscription.status === "ending" ? "unsubscribe" : "subscribe",
    "hub.topic": subscription.topicUrl,
  });
  if (subscription.status === "ending") return form;
  form.set("hub.lease_seconds", String(LEASE_SECONDS));
  form.set("hub.secret", subscription.secret);
  return form;
}

function otherHub({ status, headers, url }: Fetched): string | undefined {
  if (!HUB_REDIRECTS.has(status)) return undefined;
  return URL.parse(headers["location"] ?? "", url)?.href;
}

function failureOf({ status, headers }: Fetched, nowMs: number): Failure | undefined {
  if (status >= 200 && status < 300) return undefined;
  const askedMs = retryAfterMs(headers["retry-after"], nowMs);
  const problem = explainFault({ code: "bad-status", status });
  return { problem, ...(askedMs === undefined ? {} : { retryAtMs: nowMs + askedMs }) };
}

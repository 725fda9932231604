import type { Source } from "@feed/domain/source";
import { dueMsOf, pollIntervalOf } from "../crawl/schedule.ts";
import type { SourceCrawl } from "../state/crawl-state.ts";
import { isLive } from "../websub/subscriptions.ts";
import type { Subscription } from "../websub/subscriptions.ts";
import { explainFault } from "./explain-fault.ts";

/** How the crawling of a source goes. */
export interface SourceHealth {
  /** `new`: not crawled yet. `failing`: the last crawl could not read the feed. */
  readonly status: "new" | "ok" | "failing" | "paused";
  readonly lastSuccessMs?: number;
  readonly nextDueMs?: number;
  /** Now, between the source's bounds. */
  readonly intervalMs: number;
  /** 0 to 1: of the last 50 crawls, those that could not read the feed. Absent before the first. */
  readonly errorRate?: number;
  /** From publication to the service, smoothed over the last articles. */
  readonly lagMs?: number;
  /** The last ten, newest first. */
  readonly errors: readonly {
    readonly atMs: number;
    readonly url: string;
    readonly what: string;
  }[];
  /** Absent: its feed names no hub. */
  readonly hub?: HubHealth;
}

/** How its subscription at the hub of its feed stands (WebSub). */
export interface HubHealth {
  readonly url: string;
  /** `wanted`: not asked yet, or PUBLIC_URL is not set. `asked`: the hub has to verify. */
  readonly status: Exclude<Subscription["status"], "ending">;
  /** What last went wrong, as a sentence. */
  readonly problem?: string;
  /** With `active`. */
  readonly leaseUntilMs?: number;
  /** When the hub is asked again. */
  readonly nextAskMs: number;
  readonly lastPushMs?: number;
  /** When a push without the right signature came last; it was ignored. */
  readonly forgedPushMs?: number;
}

/** What the crawler remembers of a source, as far as it does. */
export interface RememberedSource {
  readonly crawl: SourceCrawl | undefined;
  readonly subscription: Subscription | undefined;
}

export function healthOf(
  source: Source,
  { crawl, subscription }: RememberedSource,
  nowMs: number,
): SourceHealth {
  const { paused } = source;
  const isPushed = isLive(subscription, nowMs);
  const hub = hubHealthOf(subscription, nowMs);
  const shared = hub === undefined ? {} : { hub };
  if (crawl === undefined || crawl.feedUrl !== source.feedUrl) {
    const status = paused ? "paused" : "new";
    const intervalMs = pollIntervalOf(source, undefined, { isPushed, nowMs });
    return { status, intervalMs, errors: [], ...shared };
  }
  const { lastSuccessMs, lagMs, outcomes, pace, failuresInRow } = crawl;
  const failed = outcomes.filter((couldRead) => !couldRead).length;
  return {
    status: paused ? "paused" : failuresInRow > 0 ? "failing" : "ok",
    intervalMs: pollIntervalOf(source, pace, { isPushed, nowMs }),
    errors: crawl.faults.map((fault) => ({
      atMs: fault.atMs,
      url: fault.url,
      what: explainFault(fault),
    })),
    ...shared,
    ...(paused ? {} : { nextDueMs: dueMsOf(source, crawl, isPushed) }),
    ...(lastSuccessMs === undefined ? {} : { lastSuccessMs }),
    ...(outcomes.length === 0 ? {} : { errorRate: failed / outcomes.length }),
    ...(lagMs === undefined ? {} : { lagMs }),
  };
}

function hubHealthOf(subscription: Subscription | undefined, nowMs: number): HubHealth | undefined {
  if (subscription === undefined || subscription.status === "ending") return undefined;
  const { hubUrl, status, problem, leaseUntilMs, lastPushMs, forgedPushMs } = subscription;
  const isOver = status === "active" && !isLive(subscription, nowMs);
  return {
    url: hubUrl,
    status: isOver ? "failed" : status,
    nextAskMs: subscription.nextAskMs,
    ...(problem === undefined ? {} : { problem }),
    ...(leaseUntilMs === undefined || status !== "active" ? {} : { leaseUntilMs }),
    ...(lastPushMs === undefined ? {} : { lastPushMs }),
    ...(forgedPushMs === undefined ? {} : { forgedPushMs }),
  };
}

import type { Source } from "@feed/domain/source";
import { intervalOf } from "../crawl/schedule.ts";
import type { SourceCrawl } from "../state/crawl-state.ts";
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
}

/** `crawl`: what the crawler remembers of the source, if anything. */
export function healthOf(
  source: Source,
  crawl: SourceCrawl | undefined,
  nowMs: number,
): SourceHealth {
  const { paused } = source;
  if (crawl === undefined || crawl.feedUrl !== source.feedUrl) {
    const status = paused ? "paused" : "new";
    return { status, intervalMs: intervalOf(source, undefined, nowMs), errors: [] };
  }
  const { lastSuccessMs, lagMs, outcomes, pace, failuresInRow } = crawl;
  const failed = outcomes.filter((couldRead) => !couldRead).length;
  return {
    status: paused ? "paused" : failuresInRow > 0 ? "failing" : "ok",
    intervalMs: intervalOf(source, pace, nowMs),
    errors: crawl.faults.map((fault) => ({
      atMs: fault.atMs,
      url: fault.url,
      what: explainFault(fault),
    })),
    ...(paused ? {} : { nextDueMs: crawl.nextDueMs }),
    ...(lastSuccessMs === undefined ? {} : { lastSuccessMs }),
    ...(outcomes.length === 0 ? {} : { errorRate: failed / outcomes.length }),
    ...(lagMs === undefined ? {} : { lagMs }),
  };
}

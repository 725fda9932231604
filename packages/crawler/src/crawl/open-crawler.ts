import type { SourceId } from "@feed/domain/ids";
import type { Source } from "@feed/domain/source";
import { createPoliteFetch } from "../fetch/polite-fetch.ts";
import { openSafeFetch } from "@feed/safe-fetch";
import type { Resolve } from "@feed/safe-fetch";
import type { OriginPoliteness } from "../hosts.ts";
import type { IngestDependencies } from "../ingest/dependencies.ts";
import { openIngest } from "../ingest/ingest.ts";
import { pictureStorage } from "../ingest/store-pictures.ts";
import type { Look } from "../state/crawl-state.ts";
import { lookAgain } from "./look-again.ts";
import { crawlPush } from "./crawl-push.ts";
import { crawlSource } from "./crawl-source.ts";
import type { CrawlReport } from "./crawl-source.ts";
import { timerSleep } from "../timer-sleep.ts";
import type { Sleep } from "../timer-sleep.ts";
import { siblingsOf } from "../publisher.ts";
import { Turns } from "./turns.ts";
import type { PoliteFetch } from "../fetch/polite-fetch.ts";
import type { Push } from "../websub/subscriptions.ts";

export type CrawlerEvent =
  | { readonly kind: "article-published"; readonly sourceId: SourceId }
  | { readonly kind: "source-crawled"; readonly report: CrawlReport };

export interface CrawlerOptions extends IngestDependencies {
  /** Sent with every request; its product token is what robots.txt names. */
  readonly userAgent: string;
  /**
   * Exact origins of this installation's own sites and how they may be asked. They, and nothing
   * else, may lie at private addresses.
   */
  readonly ownOrigins: ReadonlyMap<string, OriginPoliteness>;
  readonly onEvent: (event: CrawlerEvent) => void;
  /** All that are crawled: those of one publisher share their articles. Absent: there are no others. */
  readonly sources?: () => readonly Source[];
  /** Instead of this machine's resolver. */
  readonly resolve?: Resolve;
  /** Instead of timers. */
  readonly sleep?: Sleep;
}

export interface Crawler extends AsyncDisposable {
  /**
   * Crawls one source now, due or not. A source's failure is a report.
   *
   * Errors: an outage of our own parts (`isOwnOutage`); the signal's reason.
   */
  crawlOnce(source: Source, signal: AbortSignal): Promise<CrawlReport>;
  /** Crawls what the hub of a source's feed pushed. Errors: as `crawlOnce`. */
  crawlPush(source: Source, push: Push, signal: AbortSignal): Promise<CrawlReport>;
  /** Looks whether the page of an article is still there. Errors: as `crawlOnce`. */
  look(look: Look, signal: AbortSignal): Promise<void>;
  /** How many requests to the source's host run or wait. */
  busyness(source: Source): number;
  /** Its client, under the same politeness. */
  readonly fetch: PoliteFetch;
}

/** Reads `contents` first, then is ready. Errors: LogUnavailable, CrawlStateUnavailable. */
export async function openCrawler(options: CrawlerOptions): Promise<Crawler> {
  const { userAgent, ownOrigins, clock, state, log, onEvent } = options;
  const safeFetch = openSafeFetch({
    userAgent,
    allowedOrigins: [...ownOrigins.keys()],
    ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
  });
  const sleep = options.sleep ?? timerSleep;
  const fetch = createPoliteFetch({ safeFetch, userAgent, clock, sleep, politeness: ownOrigins });
  const ingest = await openIngest(options, pictureStorage(options, fetch));
  const deps = {
    fetch,
    ingest,
    state,
    log,
    nowMs: () => clock.nowMs(),
    turns: new Turns(),
    siblingsOf: (source: Source) => siblingsOf(source, options.sources?.() ?? []),
    onPublished: (sourceId: SourceId) => onEvent({ kind: "article-published", sourceId }),
  };
  const reported = (report: CrawlReport): CrawlReport => {
    onEvent({ kind: "source-crawled", report });
    return report;
  };
  return {
    crawlOnce: async (source, signal) => reported(await crawlSource(source, deps, signal)),
    crawlPush: async (source, push, signal) =>
      reported(await crawlPush(source, push, deps, signal)),
    look: async (look, signal) => void (await lookAgain(look, deps, signal)),
    fetch,
    busyness: (source) => fetch.busyness(URL.parse(source.feedUrl)?.origin ?? ""),
    [Symbol.asyncDispose]: () => safeFetch[Symbol.asyncDispose](),
  };
}

import type { Source } from "@feed/domain/source";
import { buildSource } from "@feed/test-kit";
import { serveSite } from "@feed/test-kit/http-site";
import type { HttpSite } from "@feed/test-kit/http-site";
import { openInstallation } from "../installation.fixture.ts";
import type { Installation } from "../installation.fixture.ts";
import { openCrawler } from "./open-crawler.ts";
import type { Crawler, CrawlerOptions } from "./open-crawler.ts";
import { publisherAt } from "./publisher.fixture.ts";
import type { TestPublisher } from "./publisher.fixture.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 9);

/** A publisher's site, an installation, and its crawler with that publisher's feed as a source. */
export interface Crawling extends AsyncDisposable {
  readonly site: HttpSite;
  readonly publisher: TestPublisher;
  readonly installation: Installation;
  readonly crawler: Crawler;
  readonly source: Source;
}

export async function openCrawling(): Promise<Crawling> {
  await using opened = new AsyncDisposableStack();
  const site = opened.use(await serveSite());
  const installation = opened.use(await openInstallation(NOW_MS));
  const crawler = opened.use(await openCrawler(crawlerOf(site, installation.deps)));
  const source = buildSource({ feedUrl: `${site.origin}/feed`, crawlIntervalMs: 60_000 });
  const owned = opened.move();
  const dispose = (): Promise<void> => owned.disposeAsync();
  const publisher = publisherAt(site);
  return { site, publisher, installation, crawler, source, [Symbol.asyncDispose]: dispose };
}

/** How tests crawl a site on loopback. */
export function crawlerOf(site: HttpSite, deps: Installation["deps"]): CrawlerOptions {
  return {
    ...deps,
    userAgent: "ContentFeedBot/1.0",
    ownOrigins: new Map([[site.origin, { requestsAtOnce: 4, delayMs: 0 }]]),
    onEvent: () => undefined,
  };
}

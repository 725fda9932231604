import { decodeText } from "../feeds/charset.ts";
import { FeedUnreadable } from "../feeds/feed-entry.ts";
import type { ParsedFeed } from "../feeds/feed-entry.ts";
import { sitemapKindOf, sitemapsOfIndex } from "../feeds/news-sitemap.ts";
import { readFeed } from "../feeds/parse-feed.ts";
import { FetchError } from "@feed/safe-fetch";
import type { PoliteFetch } from "../fetch/polite-fetch.ts";
import type { Fetched } from "@feed/safe-fetch";
import { ACCEPT_FEED } from "../crawl/crawl-source.ts";
import { FEED_BYTES_MAX } from "../limits.ts";
import { explainFault } from "./explain-fault.ts";
import { feedLinksOf, newsFirst, sitemapsOfRobots } from "./feed-links.ts";
import { USUAL_FEED_PATHS, USUAL_SITEMAP_PATHS } from "./feed-links.ts";

/** Sitemaps opened in search of one with news. */
const SITEMAPS_MAX = 6;

export interface FoundFeed {
  /** Where it lies for good: permanent redirects followed. */
  readonly feedUrl: string;
  readonly feed: ParsedFeed;
}

/** Nothing at or behind an address can be crawled; `problems` are sentences for the operator. */
export class NoFeedFound extends Error {
  override readonly name = "NoFeedFound";
  readonly problems: readonly string[];

  constructor(address: string, problems: readonly string[]) {
    super(`no feed found at ${address.slice(0, 200)}: ${problems.join(" ")}`);
    this.problems = problems;
  }
}

/**
 * Finds the feed of a site, or takes the one at the address: what the page names, then the usual
 * places, then the site's news sitemap.
 *
 * @throws NoFeedFound; the signal's reason
 */
export async function findFeed(
  address: string,
  fetch: PoliteFetch,
  signal: AbortSignal,
): Promise<FoundFeed> {
  const search = new Search(fetch, signal);
  const first = await search.open(address);
  if (first === undefined) throw new NoFeedFound(address, search.problems);
  const direct = search.feedIn(first, true);
  if (direct !== undefined) return direct;
  const text = decodeText(first.bytes, first.headers["content-type"]).text;
  if (sitemapKindOf(text) === "index") {
    const found = await search.firstSitemap(newsFirst(sitemapsOfIndex(text)));
    if (found !== undefined) return found;
  }
  const places = USUAL_FEED_PATHS.map((path) => new URL(path, first.url).href);
  const found =
    (await search.firstFeed(feedLinksOf(text, first.url), true)) ??
    (await search.firstFeed(places, false)) ??
    (await search.firstSitemap(await search.sitemapsOf(first.url)));
  if (found !== undefined) return found;
  search.problems.push("The page names no feed, and there is none at the usual places.");
  throw new NoFeedFound(address, search.problems);
}

class Search {
  readonly problems: string[] = [];
  readonly #fetch: PoliteFetch;
  readonly #signal: AbortSignal;
  #sitemapsLeft = SITEMAPS_MAX;

  constructor(fetch: PoliteFetch, signal: AbortSignal) {
    this.#fetch = fetch;
    this.#signal = signal;
  }

  /** What is at an address, or undefined and a problem. `isExpected`: its absence is a problem. */
  async open(url: string, isExpected = true): Promise<Fetched | undefined> {
    try {
      const fetched = await this.#fetch.get(url, {
        accept: `${ACCEPT_FEED},text/html;q=0.4`,
        bytesMax: FEED_BYTES_MAX,
        signal: this.#signal,
      });
      if (fetched.status === 200) return fetched;
      if (isExpected) this.#note(url, { code: "bad-status", status: fetched.status });
    } catch (error) {
      this.#signal.throwIfAborted();
      if (!(error instanceof FetchError)) throw error;
      if (isExpected || error.code === "backing-off") this.#note(url, { code: error.code });
    }
    return undefined;
  }

  feedIn(fetched: Fetched, isFirst = false): FoundFeed | undefined {
    try {
      const feed = readFeed(fetched.bytes, fetched.headers["content-type"], fetched.url);
      if (feed.entries.length > 0 || isFirst)
        return { feedUrl: fetched.movedTo ?? fetched.url, feed };
    } catch (error) {
      if (!(error instanceof FeedUnreadable)) throw error;
      if (error.code === "broken") this.#note(fetched.url, { code: error.code });
    }
    return undefined;
  }

  async firstFeed(urls: readonly string[], isExpected: boolean): Promise<FoundFeed | undefined> {
    for (const url of urls) {
      const fetched = await this.open(url, isExpected);
      const found = fetched === undefined ? undefined : this.feedIn(fetched);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async sitemapsOf(siteUrl: string): Promise<readonly string[]> {
    const robots = await this.open(new URL("/robots.txt", siteUrl).href, false);
    const text = robots === undefined ? "" : decodeText(robots.bytes, undefined).text;
    const usual = USUAL_SITEMAP_PATHS.map((path) => new URL(path, siteUrl).href);
    return [...new Set([...sitemapsOfRobots(text), ...usual])];
  }

  async firstSitemap(urls: readonly string[]): Promise<FoundFeed | undefined> {
    for (const url of urls) {
      if (this.#sitemapsLeft <= 0) return undefined;
      this.#sitemapsLeft -= 1;
      const fetched = await this.open(url, false);
      if (fetched === undefined) continue;
      const text = decodeText(fetched.bytes, fetched.headers["content-type"]).text;
      const found =
        sitemapKindOf(text) === "index"
          ? await this.firstSitemap(newsFirst(sitemapsOfIndex(text)))
          : this.feedIn(fetched);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #note(url: string, fault: { readonly code: string; readonly status?: number }): void {
    this.problems.push(`${url}: ${explainFault(fault)}`);
  }
}

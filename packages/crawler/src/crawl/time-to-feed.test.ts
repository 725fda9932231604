import { setTimeout as delay } from "node:timers/promises";
import { asId } from "@feed/domain/ids";
import type { SourceId } from "@feed/domain/ids";
import { buildSource } from "@feed/test-kit";
import { serveSite } from "@feed/test-kit/http-site";
import { describe, expect, it } from "vitest";
import { openInstallation } from "../installation.fixture.ts";
import { CRAWL_INTERVAL_MS_DEFAULT, CRAWL_INTERVAL_MS_MAX_DEFAULT } from "../sources/new-source.ts";
import type { SourceCrawl } from "../state/crawl-state.ts";
import { runCrawler } from "./run-crawler.ts";
import { afterSuccess, dueMsOf, paceOf } from "./schedule.ts";

/**
 * Goal: with the default settings 95 % of the articles of a news source are in the feed within 6 minutes.
 * Method: days of publishing on a clock of the test; a news source publishes twenty articles or more on a working day.
 */
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A Monday. */
const START_MS = Date.UTC(2026, 10, 2);
const TARGET_MS = 6 * MINUTE_MS;
const SHARE_MIN = 0.95;
const source = buildSource({
  sourceId: asId<SourceId>("news"),
  crawlIntervalMs: CRAWL_INTERVAL_MS_DEFAULT,
  crawlIntervalMsMax: CRAWL_INTERVAL_MS_MAX_DEFAULT,
});

/** How many articles a day has, by weekday from Monday on, and between which hours. */
interface Rhythm {
  readonly articles: readonly number[];
  readonly hours: readonly [from: number, to: number];
  /** Of all that at the first hour at once. */
  readonly batch?: number;
}
const RHYTHMS: Readonly<Record<string, Rhythm>> = {
  "an agency, day and night": { articles: [150, 150, 150, 150, 150, 110, 100], hours: [0, 24] },
  "a paper with a morning edition and a thin Sunday": {
    articles: [60, 60, 60, 60, 60, 45, 15],
    hours: [5, 23],
    batch: 20,
  },
  "a local paper, quiet at the weekend": { articles: [20, 20, 20, 20, 20, 4, 4], hours: [8, 19] },
  "a trade paper, closed at the weekend": { articles: [25, 25, 25, 25, 25, 0, 0], hours: [9, 18] },
};

/** When its articles are published over so many days, in order; the same for every run. */
function publishedBy({ articles, hours: [from, to], batch = 0 }: Rhythm, days: number): number[] {
  let seed = 7;
  const random = (): number => (seed = (seed * 48_271) % 0x7fffffff) / 0x7fffffff;
  return Array.from({ length: days }, (_, day) => {
    const startMs = START_MS + day * DAY_MS + from * HOUR_MS;
    const today = articles[day % articles.length] ?? 0;
    return Array.from({ length: today }, (__, at) =>
      Math.round(
        startMs + (at < Math.min(batch, today / 2) ? 0 : random() * (to - from)) * HOUR_MS,
      ),
    );
  })
    .flat()
    .toSorted((a, b) => a - b);
}

function shareInTime(delaysMs: readonly number[]): number {
  return delaysMs.filter((delayMs) => delayMs <= TARGET_MS).length / delaysMs.length;
}

/** For a poll: looks of the crawler, the feed's answer. For each article: a pause of its host, pipeline, projection. */
const POLL_MS = 1_500;
const ARTICLE_MS = 3_000;
const ENTRIES_LISTED = 25;

/** From publication to the feed, of every article, by the schedule's own decisions. */
function simulate(publishedMs: readonly number[], days: number): readonly number[] {
  const delaysMs: number[] = [];
  let crawl: SourceCrawl | undefined;
  let seen = 0;
  for (let nowMs = START_MS; nowMs < START_MS + days * DAY_MS;) {
    const count = publishedMs.findLastIndex((atMs) => atMs <= nowMs) + 1;
    const listed = publishedMs.slice(Math.max(0, count - ENTRIES_LISTED), count);
    // Newest first, one after the other.
    for (let at = count - 1; at >= seen; at -= 1)
      delaysMs.push(nowMs + POLL_MS + (count - at) * ARTICLE_MS - (publishedMs[at] ?? 0));
    const endMs = nowMs + POLL_MS + (count - seen) * ARTICLE_MS;
    seen = count;
    const result = {
      startedAtMs: nowMs,
      validators: {},
      pace: paceOf(listed, crawl?.pace, endMs),
      freshForMs: 0,
      faults: [],
      lagsMs: [],
      isComplete: true,
    };
    crawl = afterSuccess(source, result, crawl, endMs);
    nowMs = dueMsOf(source, crawl, false);
  }
  return delaysMs;
}

describe("within 6 minutes of publication 95 % of the articles are in the feed", () => {
  it.each(Object.keys(RHYTHMS))("of %s, over four weeks", (name) => {
    const days = 28;
    const publishedMs = publishedBy(RHYTHMS[name]!, days);
    const delaysMs = simulate(publishedMs, days);
    expect(delaysMs.length).toBeGreaterThan(publishedMs.length * 0.99);
    expect(shareInTime(delaysMs)).toBeGreaterThanOrEqual(SHARE_MIN);
  });

  it("of an agency, crawled over HTTP for a morning", async () => {
    const publishedMs = publishedBy(RHYTHMS["an agency, day and night"]!, 1);
    const morningMs = START_MS + 8 * HOUR_MS;
    const endMs = morningMs + 4 * HOUR_MS;
    await using installation = await openInstallation(morningMs);
    await using site = await serveSite();
    const { clock } = installation;
    const text = "The harbour was rebuilt in nine months. The first ferry left on Monday. ";
    site.on("/1.png", { status: 404 });
    const page = { headers: { "content-type": "text/html", etag: '"1"' }, body: "<html></html>" };
    for (const atMs of publishedMs) site.on(`/${atMs}`, page);
    site.on("/feed", (_request, response) => {
      const items = publishedMs
        .filter((atMs) => atMs <= clock.nowMs())
        .slice(-ENTRIES_LISTED)
        .map((atMs) => ({
          id: String(atMs),
          url: `${site.origin}/${atMs}`,
          title: `Article of ${atMs}`,
          content_html: `<p>${text.repeat(12)} ${atMs}</p>`,
          image: `${site.origin}/1.png`,
          date_published: new Date(atMs).toISOString(),
        }));
      response.end(
        JSON.stringify({ version: "https://jsonfeed.org/version/1.1", title: "P", items }),
      );
    });
    const ended = Promise.withResolvers<void>();
    let crawling = false;
    await using _crawler = await runCrawler({
      ...installation.deps,
      directory: {
        sources: () => [{ ...source, feedUrl: `${site.origin}/feed` }],
        change: () => Promise.resolve(),
      },
      userAgent: "ContentFeedBot/1.0",
      ownOrigins: new Map([[site.origin, { requestsAtOnce: 1, delayMs: 0 }]]),
      sourcesAtOnce: 1,
      onEvent: ({ kind }) => void (crawling = kind !== "source-crawled"),
      sleep: async (_, signal) => {
        await delay(1);
        signal.throwIfAborted();
        const state = installation.deps.state.source(source.sourceId);
        // Time stands while something is crawled, and goes on to the next poll then.
        if (!crawling && state !== undefined && state.nextDueMs > clock.nowMs())
          clock.set(state.nextDueMs);
        if (clock.nowMs() >= endMs) ended.resolve();
      },
    });
    await ended.promise;
    const articles = await installation.articles();
    const delaysMs = articles
      .filter(({ publishedAtMs }) => publishedAtMs > morningMs)
      .map(({ fetchedAtMs, publishedAtMs }) => fetchedAtMs + ARTICLE_MS - publishedAtMs);
    const expected = publishedMs.filter((atMs) => atMs > morningMs && atMs <= endMs - TARGET_MS);
    expect(delaysMs.length).toBeGreaterThanOrEqual(expected.length);
    expect(shareInTime(delaysMs)).toBeGreaterThanOrEqual(SHARE_MIN);
  });
});

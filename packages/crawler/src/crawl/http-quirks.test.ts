import type { Source } from "@feed/domain/source";
import { buildSource } from "@feed/test-kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serveSite } from "@feed/test-kit/http-site";
import type { HttpSite } from "@feed/test-kit/http-site";
import { openInstallation } from "../installation.fixture.ts";
import type { Installation } from "../installation.fixture.ts";
import { healthOf } from "../sources/health.ts";
import { openCrawler } from "./open-crawler.ts";
import type { Crawler } from "./open-crawler.ts";

/** Goal: what hosts say in HTTP is heard, and told to operators in words. */
const NOW_MS = Date.UTC(2026, 10, 21, 9);
const MINUTE_MS = 60_000;
const { signal } = new AbortController();
const FEED = JSON.stringify({ version: "https://jsonfeed.org/version/1.1", title: "P", items: [] });

let site: HttpSite;
let installation: Installation;
let crawler: Crawler;
let source: Source;

beforeEach(async () => {
  site = await serveSite();
  installation = await openInstallation(NOW_MS);
  crawler = await openCrawler({
    ...installation.deps,
    userAgent: "ContentFeedBot/1.0",
    ownOrigins: new Map([[site.origin, { requestsAtOnce: 4, delayMs: 0 }]]),
    onEvent: () => undefined,
  });
  source = buildSource({ feedUrl: `${site.origin}/feed`, crawlIntervalMs: 5 * MINUTE_MS });
});
afterEach(async () => {
  await crawler[Symbol.asyncDispose]();
  await installation[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const crawl = () => crawler.crawlOnce(source, signal);
const health = () => {
  const crawled = installation.deps.state.source(source.sourceId);
  return healthOf(source, { crawl: crawled, subscription: undefined }, installation.clock.nowMs());
};

describe("a feed's host is asked with what it gave", () => {
  it.each([
    ["an ETag", { etag: 'W/"1"' }, { "if-none-match": 'W/"1"' }],
    [
      "a time",
      { "last-modified": "Sat, 21 Nov 2026 08:00:00 GMT" },
      { "if-modified-since": "Sat, 21 Nov 2026 08:00:00 GMT" },
    ],
  ])("%s", async (_what, given, sent) => {
    const requests: object[] = [];
    site.on("/feed", (request, response) => {
      requests.push(request.headers);
      const isKnown = requests.length > 1;
      response.writeHead(isKnown ? 304 : 200, given).end(isKnown ? undefined : FEED);
    });
    expect(await crawl()).toMatchObject({ outcome: "crawled" });
    installation.clock.advance(5 * MINUTE_MS);
    expect(await crawl()).toMatchObject({ outcome: "not-modified" });
    expect(requests[0]).not.toHaveProperty(Object.keys(sent)[0] ?? "");
    expect(requests[1]).toMatchObject(sent);
  });
});

describe("a feed's host that", () => {
  it.each([
    [
      "is asked too often (429) is left alone as long as it says",
      { status: 429, headers: { "retry-after": "1800" } },
      30,
      "The host says it is asked too often (429).",
    ],
    [
      "is overloaded (503) until a time is left alone until then",
      { status: 503, headers: { "retry-after": "Sat, 21 Nov 2026 09:20:00 GMT" } },
      20,
      "The host answered with status 503.",
    ],
    ["wants a password (401)", { status: 401 }, 5, "The host wants a password (401)."],
    ["has nothing there (404)", { status: 404 }, 5, "There is nothing at the address (404)."],
    [
      "is gone for good (410)",
      { status: 410 },
      5,
      "What was at the address is gone for good (410).",
    ],
    ["gives something else", { body: "<p>Closed for repairs" }, 5, "What is there is no feed."],
  ])("%s", async (_what, answer, minutes, what) => {
    site.on("/feed", answer);
    expect(await crawl()).toMatchObject({ outcome: "failed" });
    expect(health()).toMatchObject({
      status: "failing",
      nextDueMs: NOW_MS + minutes * MINUTE_MS,
      errorRate: 1,
      errors: [{ atMs: NOW_MS, url: source.feedUrl, what }],
    });
    expect(health()).not.toHaveProperty("lastSuccessMs");
  });

  it("does not want its feed read is not asked for it", async () => {
    site.on("/robots.txt", { body: "User-agent: ContentFeedBot\nDisallow: /feed" });
    site.on("/feed", { body: FEED });
    expect(await crawl()).toMatchObject({ outcome: "failed", error: "robots-disallowed" });
    expect(site.asked).toEqual(["/robots.txt"]);
    expect(health().errors[0]?.what).toBe(
      "The site's robots.txt does not allow it, or could not be had.",
    );
  });

  it("is well again has its errors kept, its success told and its error rate fall", async () => {
    site.on("/feed", { status: 500 });
    await crawl();
    site.on("/feed", { body: FEED });
    for (let crawls = 0; crawls < 3; crawls += 1) {
      installation.clock.advance(5 * MINUTE_MS);
      await crawl();
    }
    expect(health()).toMatchObject({
      status: "ok",
      lastSuccessMs: NOW_MS + 15 * MINUTE_MS,
      errorRate: 0.25,
      errors: [{ what: "The host answered with status 500." }],
    });
  });
});

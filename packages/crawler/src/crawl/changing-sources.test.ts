import { asId } from "@feed/domain/ids";
import type { Source } from "@feed/domain/source";
import { TOPICS } from "@feed/domain/topics";
import { partitionOf } from "@feed/signing";
import { createFactCodec, openBundledRegistry } from "@feed/event-codec";
import { buildSource } from "@feed/test-kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serveSite } from "../http-site.fixture.ts";
import type { HttpSite } from "../http-site.fixture.ts";
import { openInstallation } from "../installation.fixture.ts";
import type { Installation } from "../installation.fixture.ts";
import { openCrawler } from "./open-crawler.ts";
import type { Crawler } from "./open-crawler.ts";
import { publisherAt, SENTENCES } from "./publisher.fixture.ts";
import type { TestPublisher } from "./publisher.fixture.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 9);
const { signal } = new AbortController();

let site: HttpSite;
let installation: Installation;
let crawler: Crawler;
let source: Source;
let publisher: TestPublisher;

beforeEach(async () => {
  site = await serveSite();
  publisher = publisherAt(site);
  installation = await openInstallation(NOW_MS);
  crawler = await openCrawler({
    ...installation.deps,
    userAgent: "ContentFeedBot/1.0",
    ownOrigins: new Map([[site.origin, { requestsAtOnce: 4, delayMs: 0 }]]),
    onEvent: () => undefined,
  });
  source = buildSource({ feedUrl: `${site.origin}/feed`, crawlIntervalMs: 60_000 });
});
afterEach(async () => {
  await crawler[Symbol.asyncDispose]();
  await installation[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const crawl = (parts: Partial<Source> = {}) => crawler.crawlOnce({ ...source, ...parts }, signal);
const redirect = (status: number, location: string) => ({ status, headers: { location } });

describe("a feed that moves", () => {
  beforeEach(() => {
    publisher.serveFeed([{ id: "a" }]);
    publisher.servePage("a");
  });

  it("for good is a change of its source", async () => {
    site.on("/old", redirect(301, "/older"));
    site.on("/older", redirect(308, "/feed"));
    const report = await crawl({ feedUrl: `${site.origin}/old` });
    expect(report).toMatchObject({ published: 1, change: { feedUrl: `${site.origin}/feed` } });
    // The new address goes on with what the old one gave.
    expect(await crawl()).toMatchObject({ outcome: "not-modified" });
  });

  it("for a while is not, nor beyond the first passing step", async () => {
    site.on("/old", redirect(302, "/feed"));
    expect((await crawl({ feedUrl: `${site.origin}/old` })).change).toBeUndefined();
    site.on("/first", redirect(301, "/old"));
    const { change } = await crawl({ feedUrl: `${site.origin}/first` });
    expect(change).toEqual({ feedUrl: `${site.origin}/old` });
  });

  it("to a page without articles is not", async () => {
    const empty = { version: "https://jsonfeed.org/version/1.1", title: "Parked", items: [] };
    site.on("/parked", { body: JSON.stringify(empty) });
    site.on("/old", redirect(301, "/parked"));
    expect((await crawl({ feedUrl: `${site.origin}/old` })).change).toBeUndefined();
  });

  it("away for good pauses its source and says why", async () => {
    site.on("/feed", { status: 410 });
    expect((await crawl()).change).toEqual({
      paused: true,
      pausedReason: "The feed answered 410 Gone.",
    });
  });
});

describe("the state of a source", () => {
  it("keeps the last ten errors, the last outcomes and the lag of new articles", async () => {
    publisher.serveFeed([]);
    await crawl();
    site.on("/feed", { status: 500 });
    for (let at = 0; at < 12; at += 1) {
      installation.clock.advance(48 * 3_600_000);
      await crawl();
    }
    const state = installation.deps.state.source(source.sourceId);
    expect(state?.faults).toHaveLength(10);
    expect(state?.faults[0]).toMatchObject({ status: 500, url: source.feedUrl });
    expect(state?.outcomes.slice(-2)).toEqual([false, true]);
    expect(state?.lagMs).toBeUndefined();
  });

  it("measures the lag of articles that came while it was crawled, not of the first crawl's", async () => {
    publisher.servePage("aa");
    publisher.servePage("aaaa");
    publisher.serveFeed([{ id: "aa" }]);
    await crawl();
    expect(installation.deps.state.source(source.sourceId)?.lagMs).toBeUndefined();
    publisher.serveFeed([{ id: "aaaa" }]);
    await crawl();
    expect(installation.deps.state.source(source.sourceId)?.lagMs).toBe(5 * 3_600_000);
  });

  it("asks again no sooner than the feed says that it stays fresh", async () => {
    const items = { version: "https://jsonfeed.org/version/1.1", title: "P", items: [] };
    site.on("/feed", {
      headers: { "cache-control": "max-age=600" },
      body: JSON.stringify(items),
    });
    await crawl();
    const state = installation.deps.state.source(source.sourceId);
    expect(state?.nextDueMs).toBe(NOW_MS + 600_000);
  });
});

describe("a recrawl", () => {
  it("looks at everything again, with what the source now says about its pages", async () => {
    publisher.serveFeed([{ id: "a" }]);
    publisher.servePage("a");
    await crawl();
    const paragraphs = async () => (await installation.articles())[0]?.bodyHtml.split("<p>").length;
    const before = (await paragraphs()) ?? 0;
    expect(await crawl()).toMatchObject({ outcome: "not-modified" });
    installation.clock.advance(60_000);
    const recrawl = {
      recrawlFromMs: installation.clock.nowMs(),
      extraction: { keep: ["article"], drop: ["p:first-of-type"] },
    };
    expect(await crawl(recrawl)).toMatchObject({ outcome: "crawled", published: 1 });
    expect(await installation.articles()).toMatchObject([{ revision: 2 }]);
    expect(await paragraphs()).toBe(before - 1);
    // Once: the next crawl is an ordinary one.
    installation.clock.advance(60_000);
    expect(await crawl(recrawl)).toMatchObject({ outcome: "not-modified" });
  });

  it("that failed is made up for", async () => {
    publisher.serveFeed([{ id: "a" }]);
    publisher.servePage("a");
    await crawl();
    installation.clock.advance(60_000);
    const recrawl = { recrawlFromMs: installation.clock.nowMs() };
    site.on("/feed", { status: 500 });
    expect(await crawl(recrawl)).toMatchObject({ outcome: "failed" });
    publisher.serveFeed([{ id: "a" }]);
    installation.clock.advance(60_000);
    expect(await crawl(recrawl)).toMatchObject({ outcome: "crawled", entries: 1 });
  });
});

describe("an article taken down by an operator", () => {
  it("never comes back, whatever its page says", async () => {
    publisher.serveFeed([{ id: "a" }]);
    publisher.servePage("a");
    await crawl();
    const [article] = await installation.articles();
    const contentId = article?.contentId ?? asId("");
    const fact = {
      type: "article.withdrawn",
      contentId,
      sourceId: source.sourceId,
      reason: "takedown",
      withdrawnAtMs: NOW_MS,
    } as const;
    await installation.eventLog.append([
      {
        topic: "contents",
        partition: partitionOf(contentId, TOPICS.contents.partitions),
        key: contentId,
        value: createFactCodec(openBundledRegistry()).encode(fact),
        timestampMs: NOW_MS,
      },
    ]);
    publisher.serveFeed([{ id: "a", title: "Changed" }]);
    publisher.servePage("a", `${SENTENCES}Changed.`);
    expect(await crawl()).toMatchObject({ outcome: "crawled", published: 0, failed: 0 });
    expect(await installation.articles()).toEqual([]);
  });
});

import type { Source } from "@feed/domain/source";
import { buildSource } from "@feed/test-kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serveSite } from "../http-site.fixture.ts";
import type { HttpSite } from "../http-site.fixture.ts";
import { openInstallation } from "../installation.fixture.ts";
import type { Installation } from "../installation.fixture.ts";
import { openCrawler } from "./open-crawler.ts";
import type { Crawler, CrawlerOptions } from "./open-crawler.ts";
import { HTML, publisherAt, XML } from "./publisher.fixture.ts";
import type { TestPublisher } from "./publisher.fixture.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 9);
const { signal } = new AbortController();

let site: HttpSite;
let installation: Installation;
let crawler: Crawler;
let source: Source;
let publisher: TestPublisher;

const options = (): CrawlerOptions => ({
  ...installation.deps,
  userAgent: "ContentFeedBot/1.0",
  ownOrigins: new Map([[site.origin, { requestsAtOnce: 4, delayMs: 0 }]]),
  onEvent: () => undefined,
});

beforeEach(async () => {
  site = await serveSite();
  publisher = publisherAt(site);
  installation = await openInstallation(NOW_MS);
  crawler = await openCrawler(options());
  source = buildSource({ feedUrl: `${site.origin}/feed`, crawlIntervalMs: 60_000 });
});
afterEach(async () => {
  await crawler[Symbol.asyncDispose]();
  await installation[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const crawl = () => crawler.crawlOnce(source, signal);

describe("what goes wrong", () => {
  it("with one article leaves the others alone, and is not tried for ever", async () => {
    publisher.serveFeed([{ id: "a" }, { id: "bb" }, { id: "ccc" }]);
    publisher.servePage("a");
    site.on("/bb", { headers: HTML, body: `<html>${"<div>".repeat(9_000)}</html>` });
    site.on("/ccc", { status: 500 });
    expect(await crawl()).toMatchObject({ outcome: "crawled", failed: 1, published: 2 });
    for (let later = 0; later < 5; later += 1) {
      installation.clock.advance(60_000);
      await crawl();
    }
    expect(publisher.pagesAsked().filter((path) => path === "/ccc")).toHaveLength(3);
    expect(publisher.pagesAsked().filter((path) => path === "/a")).toHaveLength(1);
  });

  it.each([
    ["no feed", { headers: XML, body: "<html>Maintenance</html>" }, "not-a-feed"],
    ["an error", { status: 500 }, "bad-status"],
    ["a bomb", { headers: XML, body: '<!DOCTYPE a [<!ENTITY b "c">]><rss/>' }, "doctype"],
  ])(
    "with a feed that is %s puts its source off, twice as long each time",
    async (_what, answer, code) => {
      site.on("/feed", answer);
      expect(await crawl()).toMatchObject({ outcome: "failed", error: code });
      const state = () => installation.deps.state.source(source.sourceId);
      expect(state()).toMatchObject({ nextDueMs: NOW_MS + 60_000, faults: [{ code }] });
      await crawl();
      expect(state()).toMatchObject({ nextDueMs: NOW_MS + 120_000, failuresInRow: 2 });
      publisher.serveFeed([]);
      await crawl();
      expect(state()).toMatchObject({
        nextDueMs: NOW_MS + 60_000,
        failuresInRow: 0,
        lastSuccessMs: NOW_MS,
      });
    },
  );

  it("with a feed at a private address is known before a packet is sent", async () => {
    const inner = await serveSite();
    const report = await crawler.crawlOnce({ ...source, feedUrl: `${inner.origin}/feed` }, signal);
    expect(report).toMatchObject({ outcome: "failed", error: "blocked-address" });
    expect(inner.connections()).toBe(0);
    await inner[Symbol.asyncDispose]();
  });

  it("when a host asks for quiet: what was taken stays, the rest comes when it may", async () => {
    publisher.serveFeed([{ id: "a" }, { id: "bb" }, { id: "ccc" }]);
    for (const id of ["a", "bb", "ccc"]) publisher.servePage(id);
    site.on("/bb", { status: 429, headers: { "retry-after": "600" } });
    expect(await crawl()).toMatchObject({ outcome: "crawled", published: 1 });
    const untilMs = NOW_MS + 600_000;
    expect(installation.deps.state.source(source.sourceId)?.nextDueMs).toBe(untilMs);
    installation.clock.set(untilMs);
    publisher.servePage("bb");
    expect(await crawl()).toMatchObject({ published: 2 });
  });
});

import { asId } from "@feed/domain/ids";
import type { Source } from "@feed/domain/source";
import { TOPICS } from "@feed/domain/topics";
import { partitionOf } from "@feed/signing";
import { createFactCodec, openBundledRegistry } from "@feed/event-codec";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCrawling } from "./crawling.fixture.ts";
import type { Crawling } from "./crawling.fixture.ts";
import { SENTENCES } from "./publisher.fixture.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 9);
const { signal } = new AbortController();

let here: Crawling;
beforeEach(async () => {
  here = await openCrawling();
});
afterEach(() => here[Symbol.asyncDispose]());

const crawl = (parts: Partial<Source> = {}) =>
  here.crawler.crawlOnce({ ...here.source, ...parts }, signal);
const redirect = (status: number, location: string) => ({ status, headers: { location } });

describe("a feed that moves", () => {
  beforeEach(() => {
    here.publisher.serveFeed([{ id: "a" }]);
    here.publisher.servePage("a");
  });

  it("for good is a change of its source", async () => {
    here.site.on("/old", redirect(301, "/older"));
    here.site.on("/older", redirect(308, "/feed"));
    const report = await crawl({ feedUrl: `${here.site.origin}/old` });
    expect(report).toMatchObject({ published: 1, change: { feedUrl: `${here.site.origin}/feed` } });
    // The new address goes on with what the old one gave.
    expect(await crawl()).toMatchObject({ outcome: "not-modified" });
  });

  it("for a while is not, nor beyond the first passing step", async () => {
    here.site.on("/old", redirect(302, "/feed"));
    expect((await crawl({ feedUrl: `${here.site.origin}/old` })).change).toBeUndefined();
    here.site.on("/first", redirect(301, "/old"));
    const { change } = await crawl({ feedUrl: `${here.site.origin}/first` });
    expect(change).toEqual({ feedUrl: `${here.site.origin}/old` });
  });

  it("to a page without articles is not", async () => {
    const empty = { version: "https://jsonfeed.org/version/1.1", title: "Parked", items: [] };
    here.site.on("/parked", { body: JSON.stringify(empty) });
    here.site.on("/old", redirect(301, "/parked"));
    expect((await crawl({ feedUrl: `${here.site.origin}/old` })).change).toBeUndefined();
  });

  it("away for good pauses its source and says why", async () => {
    here.site.on("/feed", { status: 410 });
    expect((await crawl()).change).toEqual({
      paused: true,
      pausedReason: "The feed answered 410 Gone.",
    });
  });
});

describe("the state of a source", () => {
  it("keeps the last ten errors, the last outcomes and the lag of new articles", async () => {
    here.publisher.serveFeed([]);
    await crawl();
    here.site.on("/feed", { status: 500 });
    for (let at = 0; at < 12; at += 1) {
      here.installation.clock.advance(48 * 3_600_000);
      await crawl();
    }
    const state = here.installation.deps.state.source(here.source.sourceId);
    expect(state?.faults).toHaveLength(10);
    expect(state?.faults[0]).toMatchObject({ status: 500, url: here.source.feedUrl });
    expect(state?.outcomes.slice(-2)).toEqual([false, true]);
    expect(state?.lagMs).toBeUndefined();
  });

  it("measures the lag of articles that came while it was crawled, not of the first crawl's", async () => {
    here.publisher.servePage("aa");
    here.publisher.servePage("aaaa");
    here.publisher.serveFeed([{ id: "aa" }]);
    await crawl();
    expect(here.installation.deps.state.source(here.source.sourceId)?.lagMs).toBeUndefined();
    here.publisher.serveFeed([{ id: "aaaa" }]);
    await crawl();
    expect(here.installation.deps.state.source(here.source.sourceId)?.lagMs).toBe(5 * 3_600_000);
  });

  it("asks again no sooner than the feed says that it stays fresh", async () => {
    const items = { version: "https://jsonfeed.org/version/1.1", title: "P", items: [] };
    here.site.on("/feed", {
      headers: { "cache-control": "max-age=600" },
      body: JSON.stringify(items),
    });
    await crawl();
    const state = here.installation.deps.state.source(here.source.sourceId);
    expect(state?.nextDueMs).toBe(NOW_MS + 600_000);
  });
});

describe("a recrawl", () => {
  it("looks at everything again, with what the source now says about its pages", async () => {
    here.publisher.serveFeed([{ id: "a" }]);
    here.publisher.servePage("a");
    await crawl();
    const paragraphs = async () =>
      (await here.installation.articles())[0]?.bodyHtml.split("<p>").length;
    const before = (await paragraphs()) ?? 0;
    expect(await crawl()).toMatchObject({ outcome: "not-modified" });
    here.installation.clock.advance(60_000);
    const recrawl = {
      recrawlFromMs: here.installation.clock.nowMs(),
      extraction: { keep: ["article"], drop: ["p:first-of-type"] },
    };
    expect(await crawl(recrawl)).toMatchObject({ outcome: "crawled", published: 1 });
    expect(await here.installation.articles()).toMatchObject([{ revision: 2 }]);
    expect(await paragraphs()).toBe(before - 1);
    // Once: the next crawl is an ordinary one.
    here.installation.clock.advance(60_000);
    expect(await crawl(recrawl)).toMatchObject({ outcome: "not-modified" });
  });

  it("that failed is made up for", async () => {
    here.publisher.serveFeed([{ id: "a" }]);
    here.publisher.servePage("a");
    await crawl();
    here.installation.clock.advance(60_000);
    const recrawl = { recrawlFromMs: here.installation.clock.nowMs() };
    here.site.on("/feed", { status: 500 });
    expect(await crawl(recrawl)).toMatchObject({ outcome: "failed" });
    here.publisher.serveFeed([{ id: "a" }]);
    here.installation.clock.advance(60_000);
    expect(await crawl(recrawl)).toMatchObject({ outcome: "crawled", entries: 1 });
  });
});

describe("an article taken down by an operator", () => {
  it("never comes back, whatever its page says", async () => {
    here.publisher.serveFeed([{ id: "a" }]);
    here.publisher.servePage("a");
    await crawl();
    const [article] = await here.installation.articles();
    const contentId = article?.contentId ?? asId("");
    const fact = {
      type: "article.withdrawn",
      contentId,
      sourceId: here.source.sourceId,
      reason: "takedown",
      withdrawnAtMs: NOW_MS,
    } as const;
    await here.installation.eventLog.append([
      {
        topic: "contents",
        partition: partitionOf(contentId, TOPICS.contents.partitions),
        key: contentId,
        value: createFactCodec(openBundledRegistry()).encode(fact),
        timestampMs: NOW_MS,
      },
    ]);
    here.publisher.serveFeed([{ id: "a", title: "Changed" }]);
    here.publisher.servePage("a", `${SENTENCES}Changed.`);
    expect(await crawl()).toMatchObject({ outcome: "crawled", published: 0, failed: 0 });
    expect(await here.installation.articles()).toEqual([]);
  });
});

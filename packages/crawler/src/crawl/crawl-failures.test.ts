import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serveSite } from "@feed/test-kit/http-site";
import { openCrawling } from "./crawling.fixture.ts";
import type { Crawling } from "./crawling.fixture.ts";
import { HTML, XML } from "./publisher.fixture.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 9);
const { signal } = new AbortController();

let here: Crawling;
beforeEach(async () => {
  here = await openCrawling();
});
afterEach(() => here[Symbol.asyncDispose]());

const crawl = () => here.crawler.crawlOnce(here.source, signal);

describe("what goes wrong", () => {
  it("with one article leaves the others alone, and is not tried for ever", async () => {
    here.publisher.serveFeed([{ id: "a" }, { id: "bb" }, { id: "ccc" }]);
    here.publisher.servePage("a");
    here.site.on("/bb", { headers: HTML, body: `<html>${"<div>".repeat(9_000)}</html>` });
    here.site.on("/ccc", { status: 500 });
    expect(await crawl()).toMatchObject({ outcome: "crawled", failed: 1, published: 2 });
    for (let later = 0; later < 5; later += 1) {
      here.installation.clock.advance(60_000);
      await crawl();
    }
    expect(here.publisher.pagesAsked().filter((path) => path === "/ccc")).toHaveLength(3);
    expect(here.publisher.pagesAsked().filter((path) => path === "/a")).toHaveLength(1);
  });

  it.each([
    ["no feed", { headers: XML, body: "<html>Maintenance</html>" }, "not-a-feed"],
    ["an error", { status: 500 }, "bad-status"],
    ["a bomb", { headers: XML, body: '<!DOCTYPE a [<!ENTITY b "c">]><rss/>' }, "doctype"],
  ])(
    "with a feed that is %s puts its source off, twice as long each time",
    async (_what, answer, code) => {
      here.site.on("/feed", answer);
      expect(await crawl()).toMatchObject({ outcome: "failed", error: code });
      const state = () => here.installation.deps.state.source(here.source.sourceId);
      expect(state()).toMatchObject({ nextDueMs: NOW_MS + 60_000, faults: [{ code }] });
      await crawl();
      expect(state()).toMatchObject({ nextDueMs: NOW_MS + 120_000, failuresInRow: 2 });
      here.publisher.serveFeed([]);
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
    const report = await here.crawler.crawlOnce(
      { ...here.source, feedUrl: `${inner.origin}/feed` },
      signal,
    );
    expect(report).toMatchObject({ outcome: "failed", error: "blocked-address" });
    expect(inner.connections()).toBe(0);
    await inner[Symbol.asyncDispose]();
  });

  it("when a host asks for quiet: what was taken stays, the rest comes when it may", async () => {
    here.publisher.serveFeed([{ id: "a" }, { id: "bb" }, { id: "ccc" }]);
    for (const id of ["a", "bb", "ccc"]) here.publisher.servePage(id);
    here.site.on("/bb", { status: 429, headers: { "retry-after": "600" } });
    expect(await crawl()).toMatchObject({ outcome: "crawled", published: 1 });
    const untilMs = NOW_MS + 600_000;
    expect(here.installation.deps.state.source(here.source.sourceId)?.nextDueMs).toBe(untilMs);
    here.installation.clock.set(untilMs);
    here.publisher.servePage("bb");
    expect(await crawl()).toMatchObject({ published: 2 });
  });
});

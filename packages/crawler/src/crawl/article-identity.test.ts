import type { Source } from "@feed/domain/source";
import { buildSource } from "@feed/test-kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serveSite } from "@feed/test-kit/http-site";
import type { HttpSite } from "@feed/test-kit/http-site";
import type { IngestDependencies } from "../ingest/dependencies.ts";
import { openInstallation } from "../installation.fixture.ts";
import type { Installation } from "../installation.fixture.ts";
import { openCrawler } from "./open-crawler.ts";
import { crawlerOf } from "./crawling.fixture.ts";
import { publisherAt, SENTENCES } from "./publisher.fixture.ts";
import type { TestPublisher } from "./publisher.fixture.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 9);
const { signal } = new AbortController();

let site: HttpSite;
let installation: Installation;
let publisher: TestPublisher;
let source: Source;

beforeEach(async () => {
  site = await serveSite();
  publisher = publisherAt(site);
  installation = await openInstallation(NOW_MS);
  source = buildSource({ feedUrl: `${site.origin}/feed` });
});
afterEach(async () => {
  await installation[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

interface Entry {
  readonly id: string;
  readonly path: string;
  readonly title?: string;
  readonly hour?: number;
}

function serveFeed(entries: readonly Entry[]): void {
  const items = entries.map(({ id, path, title = "Harbour rebuilt", hour = 8 }) => ({
    id,
    url: site.origin + path,
    title,
    date_published: `2026-11-21T0${hour}:00:00Z`,
  }));
  const feed = { version: "https://jsonfeed.org/version/1.1", title: "P", items };
  site.on("/feed", { body: JSON.stringify(feed) });
}

async function crawl(deps: IngestDependencies = installation.deps) {
  await using crawler = await openCrawler(crawlerOf(site, deps));
  return await crawler.crawlOnce(source, signal);
}

describe("an article stays one article", () => {
  beforeEach(async () => {
    publisher.servePage("one");
    serveFeed([{ id: "1", path: "/one" }]);
    await crawl();
  });

  it.each<readonly [string, readonly Entry[]]>([
    ["when its id changes", [{ id: "other", path: "/one" }]],
    ["when its id and its address change, but not its title and time", [{ id: "2", path: "/two" }]],
    [
      "when its id and title change, but not its address",
      [{ id: "2", path: "/one", title: "New" }],
    ],
  ])("%s", async (_what, entries) => {
    const [before] = await installation.articles();
    publisher.servePage("two", `${SENTENCES}And more.`);
    serveFeed(entries);
    expect(await crawl()).toMatchObject({ outcome: "crawled", failed: 0 });
    const after = await installation.articles();
    expect(after.map(({ contentId }) => contentId)).toEqual([before?.contentId]);
    expect(after[0]?.title).toBe(entries[0]?.title ?? "Harbour rebuilt");
    // And stays so: later crawls know which article the new entry is.
    serveFeed(entries.map((entry) => ({ ...entry, title: "Corrected" })));
    await crawl();
    expect(await installation.articles()).toMatchObject([
      { contentId: before?.contentId, title: "Corrected" },
    ]);
  });

  it("when the crawler has lost its memory meanwhile", async () => {
    serveFeed([{ id: "other", path: "/one" }]);
    await crawl(installation.withoutState());
    expect(await installation.articles()).toHaveLength(1);
  });

  it("when its page names one canonical address for two entries of the feed", async () => {
    publisher.servePage("amp", SENTENCES, '<link rel="canonical" href="/one">');
    serveFeed([
      { id: "1", path: "/one" },
      { id: "2", path: "/amp", title: "Harbour rebuilt (AMP)", hour: 7 },
    ]);
    expect(await crawl()).toMatchObject({ published: 0, failed: 0 });
    expect(await installation.articles()).toMatchObject([{ title: "Harbour rebuilt" }]);
  });
});

describe("two articles stay two", () => {
  it("when a feed gives all of them one address", async () => {
    publisher.servePage("log");
    serveFeed([
      { id: "1", path: "/log", title: "Version 1", hour: 1 },
      { id: "2", path: "/log", title: "Version 2", hour: 2 },
    ]);
    expect(await crawl()).toMatchObject({ published: 2 });
  });

  it("when they have one title on two days", async () => {
    publisher.servePage("one");
    publisher.servePage("two");
    serveFeed([{ id: "1", path: "/one", title: "Weather", hour: 1 }]);
    await crawl();
    serveFeed([{ id: "2", path: "/two", title: "Weather", hour: 2 }]);
    expect(await crawl()).toMatchObject({ published: 1 });
    expect(await installation.articles()).toHaveLength(2);
  });
});

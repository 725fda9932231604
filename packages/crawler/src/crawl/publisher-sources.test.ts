import { asId } from "@feed/domain/ids";
import type { SourceId } from "@feed/domain/ids";
import type { Source } from "@feed/domain/source";
import { buildSource } from "@feed/test-kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serveSite } from "@feed/test-kit/http-site";
import type { HttpSite } from "@feed/test-kit/http-site";
import { openInstallation } from "../installation.fixture.ts";
import type { Installation } from "../installation.fixture.ts";
import { openCrawler } from "./open-crawler.ts";
import type { Crawler } from "./open-crawler.ts";
import { crawlerOf } from "./crawling.fixture.ts";
import { publisherAt, SENTENCES } from "./publisher.fixture.ts";
import type { TestPublisher } from "./publisher.fixture.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 9);
const { signal } = new AbortController();

let site: HttpSite;
let installation: Installation;
let publisher: TestPublisher;
let sources: Source[];
let crawler: Crawler;

beforeEach(async () => {
  site = await serveSite();
  publisher = publisherAt(site);
  installation = await openInstallation(NOW_MS);
  sources = ["top", "sport"].map((name) =>
    buildSource({
      sourceId: asId<SourceId>(name),
      feedUrl: `${site.origin}/${name}`,
      publisher: "Harbour Daily",
    }),
  );
  crawler = await openCrawler({
    ...crawlerOf(site, installation.deps),
    sources: () => sources,
  });
});
afterEach(async () => {
  await crawler[Symbol.asyncDispose]();
  await installation[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

interface Entry {
  readonly id?: string;
  readonly path: string;
  readonly title?: string;
}

function serve(feed: string, entries: readonly Entry[]): void {
  const items = entries.map(({ id, path, title = "Harbour rebuilt" }) => ({
    id: id ?? `${feed}:${path}`,
    url: site.origin + path,
    title,
    date_published: "2026-11-21T08:00:00Z",
  }));
  const version = "https://jsonfeed.org/version/1.1";
  site.on(`/${feed}`, { body: JSON.stringify({ version, title: feed, items }) });
}

const crawl = (name: string) =>
  crawler.crawlOnce(
    sources.find(({ sourceId }) => sourceId === name)!,
    signal,
  );
const asked = (path: string) => site.asked.filter((each) => each === path).length;

describe("an article in two feeds of one publisher", () => {
  beforeEach(() => publisher.servePage("one"));

  it("is one article, of the source that brought it first, and its page is asked for once", async () => {
    serve("top", [{ path: "/one" }]);
    serve("sport", [{ path: "/one?utm_source=sport", title: "Harbour: rebuilt!" }]);
    await crawl("top");
    expect(await crawl("sport")).toMatchObject({ published: 0, failed: 0 });
    expect(await installation.articles()).toMatchObject([{ sourceId: "top", revision: 1 }]);
    expect(asked("/one")).toBe(1);
  });

  it("is one when both are crawled at the same time", async () => {
    serve("top", [{ path: "/one" }]);
    serve("sport", [{ path: "/one" }]);
    await Promise.all([crawl("top"), crawl("sport")]);
    expect(await installation.articles()).toHaveLength(1);
  });

  it.each([
    ["by the canonical address of its page", { path: "/amp" }],
    ["by its id, where that is one for the whole world", { id: "tag:daily,2026:1", path: "/two" }],
  ])("is recognised %s", async (_how, entry) => {
    publisher.servePage("amp", SENTENCES, '<link rel="canonical" href="/one">');
    publisher.servePage("two");
    serve("top", [{ id: "tag:daily,2026:1", path: "/one" }]);
    serve("sport", [entry]);
    await crawl("top");
    expect(await crawl("sport")).toMatchObject({ published: 0, failed: 0 });
    expect(await installation.articles()).toHaveLength(1);
  });

  it("follows the feed that brought it, whatever the other says later", async () => {
    serve("top", [{ path: "/one" }]);
    serve("sport", [{ path: "/one" }]);
    await crawl("top");
    await crawl("sport");
    serve("sport", [{ path: "/one", title: "Sport says otherwise" }]);
    await crawl("sport");
    expect(await installation.articles()).toMatchObject([{ title: "Harbour rebuilt" }]);
    serve("top", [{ path: "/one", title: "Corrected" }]);
    await crawl("top");
    expect(await installation.articles()).toMatchObject([{ title: "Corrected", sourceId: "top" }]);
  });

  it("goes over to the other source when the first is removed", async () => {
    serve("top", [{ path: "/one" }]);
    serve("sport", [{ path: "/one" }]);
    await crawl("top");
    await crawl("sport");
    sources = sources.filter(({ sourceId }) => sourceId === "sport");
    expect(await crawl("sport")).toMatchObject({ published: 1 });
    const bySource = (await installation.articles()).map(({ sourceId }) => sourceId);
    expect(bySource.toSorted()).toEqual(["sport", "top"]);
  });

  it("that an operator took down stays down", async () => {
    serve("top", [{ path: "/one" }]);
    serve("sport", [{ path: "/one" }]);
    await crawl("top");
    const [article] = await installation.articles();
    const known = installation.deps.state.article(article!.contentId)!;
    const down = { ...known, withdrawn: true, takenDown: true };
    await installation.deps.state.saveArticles(new Map([[article!.contentId, down]]), new Map());
    expect(await crawl("sport")).toMatchObject({ published: 0 });
  });
});

describe("two articles stay two", () => {
  it("when two feeds of a publisher give them one title and one time", async () => {
    publisher.servePage("one");
    publisher.servePage("two");
    serve("top", [{ path: "/one", title: "Weather" }]);
    serve("sport", [{ path: "/two", title: "Weather" }]);
    await crawl("top");
    expect(await crawl("sport")).toMatchObject({ published: 1 });
  });

  it("when their ids are numbers of different feeds", async () => {
    publisher.servePage("one");
    publisher.servePage("two");
    serve("top", [{ id: "1", path: "/one" }]);
    serve("sport", [{ id: "1", path: "/two", title: "Other" }]);
    await crawl("top");
    expect(await crawl("sport")).toMatchObject({ published: 1 });
  });

  it("when another publisher's feed has the same address", async () => {
    publisher.servePage("one");
    const [top, sport] = sources as [Source, Source];
    sources = [top, { ...sport, publisher: "Quay Weekly" }];
    serve("top", [{ path: "/one" }]);
    serve("sport", [{ path: "/one" }]);
    await crawl("top");
    expect(await crawl("sport")).toMatchObject({ published: 1 });
  });
});

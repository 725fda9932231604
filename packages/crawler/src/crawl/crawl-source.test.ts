import type { Source } from "@feed/domain/source";
import { STORED_PICTURE_PREFIX } from "@feed/domain/article";
import { buildSource } from "@feed/test-kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serveSite } from "../http-site.fixture.ts";
import type { HttpSite } from "../http-site.fixture.ts";
import { openInstallation } from "../installation.fixture.ts";
import type { Installation } from "../installation.fixture.ts";
import { openCrawler } from "./open-crawler.ts";
import type { Crawler, CrawlerOptions } from "./open-crawler.ts";
import { publisherAt, SENTENCES, HTML } from "./publisher.fixture.ts";
import type { TestPublisher } from "./publisher.fixture.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 9);
const HOUR_MS = 3_600_000;
const { signal } = new AbortController();

let site: HttpSite;
let installation: Installation;
let crawler: Crawler;
let source: Source;
let publisher: TestPublisher;

const options = (deps = installation.deps): CrawlerOptions => ({
  ...deps,
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

describe("a first crawl", () => {
  it("publishes each article whole: cleaned, analysed, embedded, its pictures stored", async () => {
    publisher.serveFeed([{ id: "a" }]);
    publisher.servePage(
      "a",
      SENTENCES,
      '<link rel="canonical" href="/canonical/a"><meta property="og:image" content="/lead.png">',
    );
    await publisher.servePicture("/a.png", 400, 300);
    await publisher.servePicture("/lead.png", 1200, 630);
    expect(await crawl()).toMatchObject({
      outcome: "crawled",
      entries: 1,
      published: 1,
      failed: 0,
    });
    const [article] = await installation.articles();
    expect(article).toMatchObject({
      sourceId: source.sourceId,
      revision: 1,
      title: "Title a",
      url: `${site.origin}/a`,
      canonicalUrl: `${site.origin}/canonical/a`,
      language: "en",
      publishedAtMs: Date.UTC(2026, 10, 21, 1),
      fetchedAtMs: NOW_MS,
      thumbnail: { width: 1200, height: 630 },
      embedding: { model: "hashed-ngrams-1-256" },
    });
    expect(article?.summary).toMatch(/^The harbour was rebuilt in nine months\./);
    expect(article?.bodyHtml).not.toContain("Menu");
    const [, pictureId = ""] = article?.bodyHtml.split(`src="${STORED_PICTURE_PREFIX}`) ?? [];
    const key = `pictures/original/${pictureId.slice(0, 2)}/${pictureId.slice(0, 64)}`;
    expect(await installation.objectStore.head(key)).toMatchObject({ contentType: "image/png" });
  });

  it("takes the newest article first", async () => {
    publisher.serveFeed([{ id: "a" }, { id: "ccc" }, { id: "bb" }]);
    for (const id of ["a", "bb", "ccc"]) publisher.servePage(id);
    await crawl();
    expect(publisher.pagesAsked()).toEqual(["/feed", "/ccc", "/bb", "/a"]);
  });

  it("fetches no page where the feed carries the whole article with a picture", async () => {
    const content = `<p>${SENTENCES.repeat(9)}</p><img src="/a.png">`;
    await publisher.servePicture("/a.png", 400, 300);
    publisher.serveFeed([{ id: "a", content }]);
    expect(await crawl()).toMatchObject({ published: 1 });
    expect(publisher.pagesAsked()).toEqual(["/feed"]);
    expect((await installation.articles())[0]?.thumbnail).toMatchObject({ width: 400 });
  });

  it("leaves out pictures that are none, and takes no icon for a thumbnail", async () => {
    publisher.serveFeed([{ id: "a" }]);
    publisher.servePage("a", SENTENCES, '<meta property="og:image" content="/icon.png">');
    await publisher.servePicture("/icon.png", 48, 48);
    site.on("/a.png", { headers: HTML, body: "<html>not a picture</html>" });
    expect(await crawl()).toMatchObject({ published: 1, failed: 0 });
    const [article] = await installation.articles();
    expect(article?.bodyHtml).not.toContain("<img");
    expect(article).not.toHaveProperty("thumbnail");
  });

  it("goes where a redirect leads, and says so in the article", async () => {
    publisher.serveFeed([{ id: "a" }]);
    site.on("/a", { status: 301, headers: { location: "/moved" } });
    publisher.servePage("moved");
    await crawl();
    const [article] = await installation.articles();
    expect(article).toMatchObject({
      url: `${site.origin}/a`,
      canonicalUrl: `${site.origin}/moved`,
    });
  });

  it("does not open what robots.txt forbids, and serves what the feed says", async () => {
    site.on("/robots.txt", { body: "User-agent: ContentFeedBot\nDisallow: /a" });
    publisher.serveFeed([{ id: "a" }, { id: "bb" }]);
    publisher.servePage("a");
    publisher.servePage("bb");
    expect(await crawl()).toMatchObject({ published: 2 });
    expect(publisher.pagesAsked()).toEqual(["/feed", "/bb"]);
    const articles = await installation.articles();
    expect(articles.find(({ title }) => title === "Title a")?.bodyHtml).toBe("<p>About a.</p>");
  });
});

describe("a later crawl", () => {
  beforeEach(async () => {
    publisher.serveFeed([{ id: "a" }, { id: "bb" }]);
    publisher.servePage("a");
    publisher.servePage("bb");
    await crawl();
    site.asked.length = 0;
    installation.clock.advance(60_000);
  });

  it("asks conditionally, and a feed that is the same costs nothing more", async () => {
    expect(await crawl()).toMatchObject({ outcome: "not-modified" });
    expect(site.asked).toEqual(["/feed"]);
  });

  it("fetches only what is new", async () => {
    publisher.serveFeed([{ id: "ccc" }, { id: "a" }, { id: "bb" }]);
    publisher.servePage("ccc");
    expect(await crawl()).toMatchObject({ entries: 3, published: 1 });
    expect(publisher.pagesAsked()).toEqual(["/feed", "/ccc"]);
  });

  it("publishes a changed article as its next revision, under the same id", async () => {
    const before = await installation.articles();
    publisher.serveFeed([{ id: "a", title: "Corrected" }, { id: "bb" }]);
    expect(await crawl()).toMatchObject({ published: 1 });
    const changed = (await installation.articles()).find(({ title }) => title === "Corrected");
    const original = before.find(({ title }) => title === "Title a");
    expect(changed).toMatchObject({
      revision: 2,
      contentId: original?.contentId,
      duplicateGroup: original?.duplicateGroup,
    });
  });

  it("looks again at young articles after an hour, and publishes a page that changed", async () => {
    publisher.servePage("a", `Correction. ${SENTENCES}`);
    installation.clock.advance(12 * HOUR_MS);
    expect(await crawl()).toMatchObject({ published: 1 });
    const [article] = (await installation.articles()).filter(({ revision }) => revision === 2);
    expect(article?.bodyHtml).toContain("Correction.");
  });

  it("withdraws an article that is gone: at once for 410, for 404 when it is so twice", async () => {
    site.on("/a", { status: 410 });
    site.on("/bb", { status: 404 });
    installation.clock.advance(12 * HOUR_MS);
    expect(await crawl()).toMatchObject({ withdrawn: 1 });
    installation.clock.advance(24 * HOUR_MS);
    expect(await crawl()).toMatchObject({ withdrawn: 1 });
    expect(await installation.articles()).toEqual([]);
    const withdrawn = (await installation.facts()).filter(
      ({ type }) => type === "article.withdrawn",
    );
    expect(withdrawn).toHaveLength(2);
  });

  it.each([
    ["the feed names only", undefined],
    ["the feed carries whole", `<p>${SENTENCES.repeat(9)}</p><img src="/a.png">`],
  ])("publishes a withdrawn article that came back, where %s", async (_what, content) => {
    publisher.serveFeed([{ id: "a", ...(content === undefined ? {} : { content }) }]);
    await crawl();
    site.on("/a", { status: 410 });
    installation.clock.advance(12 * HOUR_MS);
    expect(await crawl()).toMatchObject({ withdrawn: 1 });
    publisher.servePage("a");
    installation.clock.advance(24 * HOUR_MS);
    expect(await crawl()).toMatchObject({ published: 1 });
    expect((await installation.articles()).some(({ title }) => title === "Title a")).toBe(true);
  });

  it("gives the same ids and goes on counting revisions after the crawl state was lost", async () => {
    const before = await installation.articles();
    publisher.serveFeed([{ id: "a", title: "Corrected" }, { id: "bb" }]);
    const amnesiac = await openCrawler(options(installation.withoutState()));
    expect(await amnesiac.crawlOnce(source, signal)).toMatchObject({ published: 1 });
    await amnesiac[Symbol.asyncDispose]();
    const after = await installation.articles();
    const ids = (articles: typeof after) => articles.map(({ contentId }) => contentId).sort();
    expect(ids(after)).toEqual(ids(before));
    expect(after.map(({ revision }) => revision).sort()).toEqual([1, 2]);
  });
});

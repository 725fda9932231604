import { STORED_PICTURE_PREFIX } from "@feed/domain/article";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCrawler } from "./open-crawler.ts";
import { crawlerOf, openCrawling } from "./crawling.fixture.ts";
import type { Crawling } from "./crawling.fixture.ts";
import { HTML, SENTENCES } from "./publisher.fixture.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 9);
const HOUR_MS = 3_600_000;
const { signal } = new AbortController();

let here: Crawling;
beforeEach(async () => {
  here = await openCrawling();
});
afterEach(() => here[Symbol.asyncDispose]());

const crawl = () => here.crawler.crawlOnce(here.source, signal);

describe("a first crawl", () => {
  it("publishes each article whole: cleaned, analysed, embedded, its pictures stored", async () => {
    here.publisher.serveFeed([{ id: "a" }]);
    here.publisher.servePage(
      "a",
      SENTENCES,
      '<link rel="canonical" href="/canonical/a"><meta property="og:image" content="/lead.png">',
    );
    await here.publisher.servePicture("/a.png", 400, 300);
    await here.publisher.servePicture("/lead.png", 1200, 630);
    expect(await crawl()).toMatchObject({
      outcome: "crawled",
      entries: 1,
      published: 1,
      failed: 0,
    });
    const [article] = await here.installation.articles();
    expect(article).toMatchObject({
      sourceId: here.source.sourceId,
      revision: 1,
      title: "Title a",
      url: `${here.site.origin}/a`,
      canonicalUrl: `${here.site.origin}/canonical/a`,
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
    expect(await here.installation.objectStore.head(key)).toMatchObject({
      contentType: "image/png",
    });
  });

  it("takes the newest article first", async () => {
    here.publisher.serveFeed([{ id: "a" }, { id: "ccc" }, { id: "bb" }]);
    for (const id of ["a", "bb", "ccc"]) here.publisher.servePage(id);
    await crawl();
    expect(here.publisher.pagesAsked()).toEqual(["/feed", "/ccc", "/bb", "/a"]);
  });

  it("fetches no page where the feed carries the whole article with a picture", async () => {
    const content = `<p>${SENTENCES.repeat(9)}</p><img src="/a.png">`;
    await here.publisher.servePicture("/a.png", 400, 300);
    here.publisher.serveFeed([{ id: "a", content }]);
    expect(await crawl()).toMatchObject({ published: 1 });
    expect(here.publisher.pagesAsked()).toEqual(["/feed"]);
    expect((await here.installation.articles())[0]?.thumbnail).toMatchObject({ width: 400 });
  });

  it("leaves out pictures that are none, and takes no icon for a thumbnail", async () => {
    here.publisher.serveFeed([{ id: "a" }]);
    here.publisher.servePage("a", SENTENCES, '<meta property="og:image" content="/icon.png">');
    await here.publisher.servePicture("/icon.png", 48, 48);
    here.site.on("/a.png", { headers: HTML, body: "<html>not a picture</html>" });
    expect(await crawl()).toMatchObject({ published: 1, failed: 0 });
    const [article] = await here.installation.articles();
    expect(article?.bodyHtml).not.toContain("<img");
    expect(article).not.toHaveProperty("thumbnail");
  });

  it("goes where a redirect leads, and says so in the article", async () => {
    here.publisher.serveFeed([{ id: "a" }]);
    here.site.on("/a", { status: 301, headers: { location: "/moved" } });
    here.publisher.servePage("moved");
    await crawl();
    const [article] = await here.installation.articles();
    expect(article).toMatchObject({
      url: `${here.site.origin}/a`,
      canonicalUrl: `${here.site.origin}/moved`,
    });
  });

  it("does not open what robots.txt forbids, and serves what the feed says", async () => {
    here.site.on("/robots.txt", { body: "User-agent: ContentFeedBot\nDisallow: /a" });
    here.publisher.serveFeed([{ id: "a" }, { id: "bb" }]);
    here.publisher.servePage("a");
    here.publisher.servePage("bb");
    expect(await crawl()).toMatchObject({ published: 2 });
    expect(here.publisher.pagesAsked()).toEqual(["/feed", "/bb"]);
    const articles = await here.installation.articles();
    expect(articles.find(({ title }) => title === "Title a")?.bodyHtml).toBe("<p>About a.</p>");
  });
});

describe("a later crawl", () => {
  beforeEach(async () => {
    here.publisher.serveFeed([{ id: "a" }, { id: "bb" }]);
    here.publisher.servePage("a");
    here.publisher.servePage("bb");
    await crawl();
    here.site.asked.length = 0;
    here.installation.clock.advance(60_000);
  });

  it("asks conditionally, and a feed that is the same costs nothing more", async () => {
    expect(await crawl()).toMatchObject({ outcome: "not-modified" });
    expect(here.site.asked).toEqual(["/feed"]);
  });

  it("fetches only what is new", async () => {
    here.publisher.serveFeed([{ id: "ccc" }, { id: "a" }, { id: "bb" }]);
    here.publisher.servePage("ccc");
    expect(await crawl()).toMatchObject({ entries: 3, published: 1 });
    expect(here.publisher.pagesAsked()).toEqual(["/feed", "/ccc"]);
  });

  it("publishes a changed article as its next revision, under the same id", async () => {
    const before = await here.installation.articles();
    here.publisher.serveFeed([{ id: "a", title: "Corrected" }, { id: "bb" }]);
    expect(await crawl()).toMatchObject({ published: 1 });
    const changed = (await here.installation.articles()).find(({ title }) => title === "Corrected");
    const original = before.find(({ title }) => title === "Title a");
    expect(changed).toMatchObject({
      revision: 2,
      contentId: original?.contentId,
      duplicateGroup: original?.duplicateGroup,
    });
  });

  it("looks again at young articles after an hour, and publishes a page that changed", async () => {
    here.publisher.servePage("a", `Correction. ${SENTENCES}`);
    here.installation.clock.advance(12 * HOUR_MS);
    expect(await crawl()).toMatchObject({ published: 1 });
    const [article] = (await here.installation.articles()).filter(({ revision }) => revision === 2);
    expect(article?.bodyHtml).toContain("Correction.");
  });

  it("withdraws an article that is gone: at once for 410, for 404 when it is so twice", async () => {
    here.site.on("/a", { status: 410 });
    here.site.on("/bb", { status: 404 });
    here.installation.clock.advance(12 * HOUR_MS);
    expect(await crawl()).toMatchObject({ withdrawn: 1 });
    here.installation.clock.advance(24 * HOUR_MS);
    expect(await crawl()).toMatchObject({ withdrawn: 1 });
    expect(await here.installation.articles()).toEqual([]);
    const withdrawn = (await here.installation.facts()).filter(
      ({ type }) => type === "article.withdrawn",
    );
    expect(withdrawn).toHaveLength(2);
  });

  it.each([
    ["the feed names only", undefined],
    ["the feed carries whole", `<p>${SENTENCES.repeat(9)}</p><img src="/a.png">`],
  ])("publishes a withdrawn article that came back, where %s", async (_what, content) => {
    here.publisher.serveFeed([{ id: "a", ...(content === undefined ? {} : { content }) }]);
    await crawl();
    here.site.on("/a", { status: 410 });
    here.installation.clock.advance(12 * HOUR_MS);
    expect(await crawl()).toMatchObject({ withdrawn: 1 });
    here.publisher.servePage("a");
    here.installation.clock.advance(24 * HOUR_MS);
    expect(await crawl()).toMatchObject({ published: 1 });
    expect((await here.installation.articles()).some(({ title }) => title === "Title a")).toBe(
      true,
    );
  });

  it("gives the same ids and goes on counting revisions after the crawl state was lost", async () => {
    const before = await here.installation.articles();
    here.publisher.serveFeed([{ id: "a", title: "Corrected" }, { id: "bb" }]);
    const amnesiac = await openCrawler(crawlerOf(here.site, here.installation.withoutState()));
    expect(await amnesiac.crawlOnce(here.source, signal)).toMatchObject({ published: 1 });
    await amnesiac[Symbol.asyncDispose]();
    const after = await here.installation.articles();
    const ids = (articles: typeof after) => articles.map(({ contentId }) => contentId).sort();
    expect(ids(after)).toEqual(ids(before));
    expect(after.map(({ revision }) => revision).sort()).toEqual([1, 2]);
  });
});

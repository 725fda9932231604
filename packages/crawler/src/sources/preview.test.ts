import { manualClock } from "@feed/test-kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HTML, publisherAt, SENTENCES } from "../crawl/publisher.fixture.ts";
import { serveSite } from "@feed/test-kit/http-site";
import type { HttpSite } from "@feed/test-kit/http-site";
import { NoFeedFound } from "./find-feed.ts";
import { newSource, sourceIdOf } from "./new-source.ts";
import { openSourceDesk } from "./source-desk.ts";
import type { SourceDesk } from "./source-desk.ts";

/** Shortly after the publisher's articles: a feed that has been silent for a month is told as a problem. */
const NOW_MS = Date.UTC(2026, 10, 21, 9);
const { signal } = new AbortController();
let site: HttpSite;
let desk: SourceDesk;

beforeEach(async () => {
  site = await serveSite();
  desk = openSourceDesk({
    userAgent: "ContentFeedBot/1.0",
    ownOrigins: new Map([[site.origin, { requestsAtOnce: 4, delayMs: 0 }]]),
    clock: manualClock(NOW_MS),
  });
});
afterEach(async () => {
  await desk[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const preview = (path: string) => desk.preview(`${site.origin}${path}`, undefined, signal);
const page = (head: string) => ({ headers: HTML, body: `<!doctype html><head>${head}</head>` });

function serveArticles(): void {
  const publisher = publisherAt(site);
  publisher.serveFeed([{ id: "a" }, { id: "aa" }]);
  publisher.servePage("aa", SENTENCES);
}

describe("the feed of a source is found", () => {
  beforeEach(serveArticles);

  it("at its own address", async () => {
    expect(await preview("/feed")).toMatchObject({
      feedUrl: `${site.origin}/feed`,
      siteUrl: site.origin + "/",
      name: "P",
    });
  });

  it("by what the site's page names, comments last", async () => {
    const comments = '<link rel="alternate" type="application/rss+xml" title="Comments" href="/c">';
    const feed = "<link href=feed type='application/rss+xml' rel='alternate'>";
    site.on("/", page(`${comments}${feed}`));
    site.on("/c", { status: 500 });
    expect(await preview("/")).toMatchObject({
      feedUrl: `${site.origin}/feed`,
      problems: expect.anything(),
    });
    expect(site.asked).not.toContain("/c");
  });

  it("at a usual place", async () => {
    site.on("/", page(""));
    expect(await preview("/")).toMatchObject({ feedUrl: `${site.origin}/feed` });
  });

  it("where it has moved for good", async () => {
    site.on("/old", { status: 301, headers: { location: "/feed" } });
    expect(await preview("/old")).toMatchObject({ feedUrl: `${site.origin}/feed` });
  });
});

it("a news sitemap stands in where there is no feed", async () => {
  site.on("/", page(""));
  site.on("/robots.txt", { body: `Sitemap: ${site.origin}/all.xml` });
  site.on("/all.xml", {
    body: `<sitemapindex><sitemap><loc>${site.origin}/pages.xml</loc></sitemap>
<sitemap><loc>${site.origin}/news.xml?a=1&amp;b=2</loc></sitemap></sitemapindex>`,
  });
  site.on("/news.xml?a=1&b=2", {
    body: `<?xml version="1.0"?><urlset xmlns:news="x"><url><loc>${site.origin}/about</loc></url>
<url><loc>${site.origin}/n1</loc><news:news><news:publication><news:name>Harbour Daily</news:name>
<news:language>en</news:language></news:publication><news:publication_date>2026-11-20T09:00:00Z</news:publication_date>
<news:title><![CDATA[Ferry & <b>bridge</b>]]></news:title></news:news></url></urlset>`,
  });
  const found = await preview("/");
  expect(found).toMatchObject({
    format: "sitemap",
    name: "Harbour Daily",
    siteUrl: `${site.origin}/`,
    entriesFound: 1,
  });
  expect(found.entries).toEqual([
    {
      title: "Ferry & <b>bridge</b>",
      link: `${site.origin}/n1`,
      publishedAtMs: Date.UTC(2026, 10, 20, 9),
    },
  ]);
  expect(site.asked).not.toContain("/pages.xml");
});

describe("a preview", () => {
  it("shows the newest entries, one article, and what is wrong in words", async () => {
    serveArticles();
    const shown = await preview("/feed");
    expect(shown.entries.map(({ title }) => title)).toEqual(["Title aa", "Title a"]);
    expect(shown.article).toMatchObject({ title: "Title aa", pictures: 1 });
    expect(shown.article?.textChars).toBeGreaterThan(500);
    expect(shown.article?.excerpt).toMatch(/^The harbour was rebuilt/);
    expect(shown.problems).toEqual(["The feed is served without encryption."]);
  });

  it("goes on where the article's page can't be had", async () => {
    publisherAt(site).serveFeed([{ id: "a" }]);
    const { problems } = await preview("/feed");
    expect(problems).toContain(`${site.origin}/a: There is nothing at the address (404).`);
    expect(problems).toContain("Only 8 characters of text were found in the first article.");
  });

  it("is refused with every place that was tried and failed", async () => {
    site.on("/", page('<link rel="alternate" type="application/rss+xml" href="/gone">'));
    site.on("/gone", { status: 410 });
    const refused = await preview("/").catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(NoFeedFound);
    expect((refused as NoFeedFound).problems).toEqual([
      `${site.origin}/gone: What was at the address is gone for good (410).`,
      "The page names no feed, and there is none at the usual places.",
    ]);
    await expect(desk.preview("http://10.0.0.1/", undefined, signal)).rejects.toThrow(
      "The address is not on the public internet.",
    );
    await expect(desk.preview("no address", undefined, signal)).rejects.toThrow(NoFeedFound);
  });

  it("becomes a source under a readable id", async () => {
    serveArticles();
    expect(sourceIdOf("https://www.harbour-daily.example/news")).toBe("harbour-daily-example");
    const source = newSource(await preview("/feed"), sourceIdOf(site.origin), { name: "Daily" });
    expect(source).toMatchObject({ name: "Daily", language: "en", paused: false });
  });
});

import { parseFeed } from "feedsmith";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startDemoPublishers } from "./site.ts";
import type { DemoPublisher, DemoPublishers } from "./site.ts";

const NOW_MS = Date.UTC(2026, 4, 20, 3, 0, 0);
const DAY_MS = 24 * 60 * 60 * 1000;

let site: DemoPublishers;
beforeAll(async () => {
  site = await startDemoPublishers({ nowMs: NOW_MS });
});
afterAll(() => site[Symbol.asyncDispose]());

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  const charset = /charset=([\w-]+)/.exec(response.headers.get("content-type") ?? "")?.[1];
  return new TextDecoder(charset, { fatal: true }).decode(await response.arrayBuffer());
}

interface Entry {
  readonly title: string;
  readonly link: string;
  readonly publishedAtMs: number;
}

/** The three things every format has, read by a feed parser that is not ours. */
function entriesOf(document: string): readonly Entry[] {
  const parsed = parseFeed(document);
  const entry = (title?: string, link?: string, published?: string): Entry => ({
    title: title ?? "",
    link: link ?? "",
    publishedAtMs: Date.parse(published ?? ""),
  });
  switch (parsed.format) {
    case "rss":
      return (parsed.feed.items ?? []).map((item) => entry(item.title, item.link, item.pubDate));
    case "rdf":
      return (parsed.feed.items ?? []).map((item) =>
        entry(item.title, item.link, item.dc?.dates?.[0]),
      );
    case "atom":
      return (parsed.feed.entries ?? []).map((item) =>
        entry(textOf(item.title), item.links?.[0]?.href, item.published),
      );
    case "json":
      return (parsed.feed.items ?? []).map((item) =>
        entry(item.title, item.url, item.date_published),
      );
  }
}

const textOf = (title: unknown): string =>
  typeof title === "string"
    ? title
    : String((title as { value?: string } | undefined)?.value ?? "");

async function entriesFrom(publisher: DemoPublisher): Promise<readonly Entry[]> {
  return entriesOf(await fetchText(publisher.feedUrl));
}

const meta = (html: string, property: string): string | undefined =>
  new RegExp(`<meta property="${property}" content="([^"]+)"`).exec(html)?.[1];

const publisherOf = (slug: string): DemoPublisher => {
  const found = site.publishers.find((publisher) => publisher.slug === slug);
  if (found === undefined) throw new Error(`no publisher ${slug}`);
  return found;
};

describe("the demo publishers", () => {
  it("are at least 12 sources with 300 articles, about 60 % of them Japanese", async () => {
    expect(site.publishers.length).toBeGreaterThanOrEqual(12);
    expect(site.articleCount).toBeGreaterThanOrEqual(300);
    let japanese = 0;
    for (const publisher of site.publishers) {
      if (publisher.language === "ja") japanese += (await entriesFrom(publisher)).length;
    }
    expect(japanese / site.articleCount).toBeGreaterThan(0.55);
    expect(japanese / site.articleCount).toBeLessThan(0.68);
  });

  it("offer well-formed feeds of four kinds whose entries are dated within the last ten days", async () => {
    const formats = new Set<string>();
    for (const publisher of site.publishers) {
      const document = await fetchText(publisher.feedUrl);
      formats.add(parseFeed(document).format);
      const entries = entriesOf(document);
      expect(entries.length).toBeGreaterThanOrEqual(20);
      for (const { title, link, publishedAtMs } of entries) {
        expect(title).not.toBe("");
        expect(link.startsWith(publisher.homeUrl)).toBe(true);
        expect(publishedAtMs).toBeLessThan(NOW_MS);
        expect(publishedAtMs).toBeGreaterThan(NOW_MS - 10.1 * DAY_MS);
      }
      const young = entries.filter(({ publishedAtMs }) => publishedAtMs > NOW_MS - 5 * DAY_MS);
      expect(young.length).toBeGreaterThan(entries.length / 2);
    }
    expect([...formats].sort()).toEqual(["atom", "json", "rdf", "rss"]);
  });

  it("give every article a title of its own", async () => {
    const titles: string[] = [];
    for (const publisher of site.publishers) {
      titles.push(...(await entriesFrom(publisher)).map(({ title }) => title));
    }
    expect(titles).toHaveLength(site.articleCount);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it("answer every article with its canonical address, its author and a picture that decodes", async () => {
    let withoutPicture = 0;
    for (const publisher of site.publishers) {
      for (const [index, { title, link }] of (await entriesFrom(publisher)).entries()) {
        const html = await fetchText(link);
        expect(html).toContain(`<link rel="canonical" href="${link.replace(/\?.*$/, "")}">`);
        expect(html).toContain('<meta name="author"');
        expect(html).toContain(title.replaceAll("&", "&amp;"));
        expect(html).not.toMatch(/\{\w+\}<|undefined/);
        const image = meta(html, "og:image");
        if (image === undefined) withoutPicture += 1;
        if (image === undefined || index % 10 !== 0) continue;
        const picture = Buffer.from(await (await fetch(image)).arrayBuffer());
        const { width, height } = await sharp(picture).metadata();
        expect([width, height]).toEqual([1200, 675]);
      }
    }
    expect(withoutPicture).toBeGreaterThan(0);
    expect(withoutPicture).toBeLessThan(site.articleCount / 8);
  });

  it("link to their own articles by relative addresses that lead there", async () => {
    let followed = 0;
    for (const publisher of site.publishers) {
      for (const { link } of await entriesFrom(publisher)) {
        const hrefs = (await fetchText(link)).matchAll(/<a href="(?!https?:)([^"]+)"/g);
        for (const [, href = ""] of hrefs) {
          const { status } = await fetch(new URL(href, link));
          expect(`${link} ${href} ${status}`).toBe(`${link} ${href} 200`);
          followed += 1;
        }
      }
    }
    expect(followed).toBeGreaterThan(100);
  });

  it("have one publisher whose pages and feed are Shift_JIS bytes", async () => {
    const { feedUrl, homeUrl } = publisherOf("shuto-machikado");
    for (const url of [feedUrl, homeUrl]) {
      const response = await fetch(url);
      expect(response.headers.get("content-type")).toMatch(/charset=Shift_JIS$/);
      const bytes = await response.arrayBuffer();
      expect(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes)).toThrow(TypeError);
      expect(new TextDecoder("shift_jis", { fatal: true }).decode(bytes)).toContain(
        "渋谷駅の地下に",
      );
    }
  });

  it("answer 304 to a conditional request, until something new is published", async () => {
    const { feedUrl, slug } = publisherOf("akebono-keizai");
    const first = await fetch(feedUrl);
    const etag = first.headers.get("etag") ?? "";
    const modified = first.headers.get("last-modified") ?? "";
    const get = (headers: Record<string, string>): Promise<Response> => fetch(feedUrl, { headers });
    expect((await get({ "if-none-match": etag })).status).toBe(304);
    expect((await get({ "if-modified-since": modified })).status).toBe(304);
    expect((await get({ "if-none-match": '"other"', "if-modified-since": modified })).status).toBe(
      200,
    );
    const published = site.publish(slug, NOW_MS + 60_000);
    const second = await get({ "if-none-match": etag });
    expect(second.status).toBe(200);
    expect(entriesOf(await second.text())[0]).toEqual({
      title: published.title,
      link: published.url,
      publishedAtMs: NOW_MS + 60_000,
    });
    expect((await fetch(published.url)).status).toBe(200);
  });

  it("keep their member pages out of reach by robots.txt and ask for no delay", async () => {
    const robots = await fetchText(`${site.baseUrl}/robots.txt`);
    expect(robots).toContain("Crawl-delay: 0");
    expect(robots).toContain("Disallow: /*/members/");
  });

  it("answer 404 to what is not there and 405 to what is not a reading method", async () => {
    for (const path of [
      "/nobody/",
      "/quire-review/review/none",
      "/quire-review/images/x-1200.jpg",
    ]) {
      expect((await fetch(site.baseUrl + path)).status).toBe(404);
    }
    expect((await fetch(site.baseUrl, { method: "POST" })).status).toBe(405);
    expect(() => site.publish("nobody", NOW_MS)).toThrow(RangeError);
  });

  it("write the same articles and draw the same pictures at every start", async () => {
    await using again = await startDemoPublishers({ nowMs: NOW_MS });
    const here = (text: string): string => text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "");
    for (const slug of ["quire-review", "hibari-sports", "shuto-machikado"]) {
      const { feedUrl } = publisherOf(slug);
      const other = await fetchText(feedUrl.replace(site.baseUrl, again.baseUrl));
      expect(here(other)).toBe(here(await fetchText(feedUrl)));
    }
    const image = meta(
      await fetchText((await entriesFrom(publisherOf("hibari-sports")))[0]!.link),
      "og:image",
    )!;
    const bytes = async (url: string): Promise<Buffer> =>
      Buffer.from(await (await fetch(url)).arrayBuffer());
    const twin = await bytes(image.replace(site.baseUrl, again.baseUrl));
    expect(twin.equals(await bytes(image))).toBe(true);
  });
});

import sharp from "sharp";
import type { HttpSite } from "@feed/test-kit/http-site";

export const XML = { "content-type": "application/rss+xml; charset=utf-8" };
export const HTML = { "content-type": "text/html; charset=utf-8" };
export const SENTENCES =
  "The harbour was rebuilt in nine months. The first ferry left on Monday morning. All watched. ";

/** A publisher of a test, whose feed, pages and pictures change as it says. */
export interface TestPublisher {
  readonly serveFeed: (items: readonly Item[]) => void;
  readonly servePage: (id: string, text?: string, head?: string) => void;
  readonly servePicture: (path: string, width: number, height: number) => Promise<void>;
  /** Feed and pages asked for, in order. */
  readonly pagesAsked: () => readonly string[];
}

/** An item of the publisher's feed; the longer its id, the later it was published. */
interface Item {
  readonly id: string;
  readonly title?: string;
  readonly content?: string;
}
const item = (
  origin: string,
  { id, title = `Title ${id}`, content }: Item,
): string => `<item><title>${title}</title>
<link>${origin}/${id}</link><guid isPermaLink="false">${id}</guid><description>About ${id}.</description>
<pubDate>Sat, 21 Nov 2026 0${id.length}:00:00 GMT</pubDate>
${content === undefined ? "" : `<content:encoded><![CDATA[${content}]]></content:encoded>`}</item>`;

export function publisherAt(site: HttpSite): TestPublisher {
  function serveFeed(items: readonly Item[]): void {
    const headers = {
      ...XML,
      etag: `"${Buffer.from(JSON.stringify(items)).toString("base64url")}"`,
    };
    const body = `<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
<title>P</title><link>${site.origin}</link>${items.map((each) => item(site.origin, each)).join("")}</channel></rss>`;
    site.on("/feed", { headers, body });
  }

  function servePage(id: string, text = SENTENCES, head = ""): void {
    const body = `<html lang="en"><head><title>Page of ${id}</title>${head}</head><body><nav>Menu</nav>
<article><h1>${id}</h1>${`<p>${text.repeat(3)}</p>`.repeat(3)}<p><img src="/${id}.png"></p></article></body></html>`;
    const tag = `"${Buffer.from(`${id}${text}`).toString("base64url")}"`;
    site.on(`/${id}`, { headers: { ...HTML, etag: tag }, body });
  }

  async function servePicture(path: string, width: number, height: number): Promise<void> {
    const create = { width, height, channels: 3, background: "#336699" } as const;
    site.on(path, { body: await sharp({ create }).png().toBuffer() });
  }
  const pagesAsked = (): string[] => site.asked.filter((path) => /^\/[a-z]+$/.test(path));
  return { serveFeed, servePage, servePicture, pagesAsked };
}

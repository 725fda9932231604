import { tagsOf } from "../html-scan.ts";

/** Pages name a handful; the rest are of single topics or comments. */
const LINKS_MAX = 5;
const FEED_TYPE = /^(application\/(rss|atom|rdf|feed)\+(xml|json)|application\/json|text\/xml)\b/i;

/** Where feeds usually lie on sites that do not say so. */
export const USUAL_FEED_PATHS = [
  "/feed",
  "/rss",
  "/rss.xml",
  "/feed.xml",
  "/atom.xml",
  "/index.xml",
];
export const USUAL_SITEMAP_PATHS = ["/news-sitemap.xml", "/sitemap-news.xml", "/sitemap.xml"];

/** Addresses of the feeds a page names (RSS Autodiscovery), absolute, in its order, comments last. */
export function feedLinksOf(html: string, pageUrl: string): readonly string[] {
  const found: { readonly url: string; readonly isAside: boolean }[] = [];
  let baseUrl = pageUrl;
  for (const { name, isClosing, startsAt, endsAt } of tagsOf(html)) {
    if (isClosing || (name !== "link" && name !== "base")) continue;
    const attribute = attributesOf(html.slice(startsAt, endsAt));
    const url = URL.parse(attribute("href") ?? "", baseUrl)?.href;
    if (url === undefined) continue;
    if (name === "base") baseUrl = url;
    const isFeed = /\balternate\b/i.test(attribute("rel") ?? "");
    if (!isFeed || !FEED_TYPE.test(attribute("type") ?? "")) continue;
    const isAside = /comment|コメント/i.test(`${attribute("title") ?? ""} ${url}`);
    found.push({ url, isAside });
  }
  const ordered = [
    ...found.filter((link) => !link.isAside),
    ...found.filter((link) => link.isAside),
  ];
  return [...new Set(ordered.map(({ url }) => url))].slice(0, LINKS_MAX);
}

/** Sitemaps a robots.txt names (RFC 9309, 2.2.4), those of news first. */
export function sitemapsOfRobots(text: string): readonly string[] {
  const named = [...text.matchAll(/^\s*sitemap:\s*(\S+)/gim)].map(([, url = ""]) => url);
  return newsFirst(named);
}

export function newsFirst(urls: readonly string[]): readonly string[] {
  const isNews = (url: string): boolean => /news/i.test(url);
  return [...urls.filter(isNews), ...urls.filter((url) => !isNews(url))];
}

function attributesOf(tag: string): (name: string) => string | undefined {
  return (name) => {
    const quoted = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, "i").exec(
      tag,
    );
    return (quoted?.[1] ?? quoted?.[2] ?? quoted?.[3])?.replaceAll("&amp;", "&").trim();
  };
}

import type { Article } from "../article.ts";
import type { FeedKind, Publisher } from "../publisher.ts";
import { bodyHtml, escapeText } from "./markup.ts";
import type { Addresses } from "./markup.ts";

/** A feed document and the media type it is served with. */
interface FeedDocument {
  readonly mediaType: string;
  readonly text: string;
}

type FeedWriter = (
  publisher: Publisher,
  articles: readonly Article[],
  addresses: Addresses,
) => string;

const WRITERS: Readonly<
  Record<FeedKind, { readonly mediaType: string; readonly write: FeedWriter }>
> = {
  rss: { mediaType: "application/rss+xml", write: rssFeed },
  atom: { mediaType: "application/atom+xml", write: atomFeed },
  rdf: { mediaType: "application/rdf+xml", write: rdfFeed },
  json: { mediaType: "application/feed+json", write: jsonFeed },
};

/** The publisher's feed of these articles, newest first, in the format it has chosen. */
export function feedDocument(
  publisher: Publisher,
  articles: readonly Article[],
  addresses: Addresses,
): FeedDocument {
  const { mediaType, write } = WRITERS[publisher.feed.kind];
  return { mediaType, text: write(publisher, articles, addresses) };
}

const element = (name: string, text: string): string => `<${name}>${escapeText(text)}</${name}>`;

const declaration = (publisher: Publisher): string =>
  `<?xml version="1.0" encoding="${publisher.charset === "shift_jis" ? "Shift_JIS" : "UTF-8"}"?>`;

const iso = (timeMs: number): string => new Date(timeMs).toISOString();

/** Stable over restarts and ports, unlike the address (RFC 4151). */
const guidOf = (article: Article): string => `tag:${article.slug}.example,2026:${article.id}`;

const linkOf = (publisher: Publisher, article: Article, addresses: Addresses): string =>
  addresses.article(article.id) + (publisher.feed.trackingQuery ?? "");

function rssFeed(publisher: Publisher, articles: readonly Article[], addresses: Addresses): string {
  const item = (article: Article): string => {
    const full =
      publisher.feed.content === "full"
        ? `<content:encoded><![CDATA[${bodyHtml(publisher, article, addresses)}]]></content:encoded>`
        : "";
    const picture =
      article.scene === undefined
        ? ""
        : `<media:content url="${addresses.picture(article, "lead", 1200)}" medium="image"/>`;
    return `<item>
${element("title", article.title)}
${element("link", linkOf(publisher, article, addresses))}
<guid isPermaLink="false">${guidOf(article)}</guid>
${element("description", article.summary)}
${element("category", article.category)}
${element("dc:creator", article.author)}
${element("pubDate", new Date(article.publishedAtMs).toUTCString())}
${picture}${full}
</item>`;
  };
  return `${declaration(publisher)}
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/"
 xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
${element("title", publisher.name)}
${element("link", addresses.home)}
${element("description", publisher.tagline)}
${element("language", publisher.language)}
<atom:link rel="self" type="application/rss+xml" href="${addresses.feed}"/>
${articles.map(item).join("\n")}
</channel>
</rss>
`;
}

function atomFeed(
  publisher: Publisher,
  articles: readonly Article[],
  addresses: Addresses,
): string {
  const entry = (article: Article): string => {
    const full =
      publisher.feed.content === "full"
        ? `<content type="html">${escapeText(bodyHtml(publisher, article, addresses))}</content>`
        : "";
    return `<entry>
${element("title", article.title)}
<link rel="alternate" type="text/html" href="${escapeText(linkOf(publisher, article, addresses))}"/>
${element("id", guidOf(article))}
${element("published", iso(article.publishedAtMs))}
${element("updated", iso(article.publishedAtMs))}
<author>${element("name", article.author)}</author>
<category term="${escapeText(article.category)}"/>
<summary type="text">${escapeText(article.summary)}</summary>
${full}
</entry>`;
  };
  return `${declaration(publisher)}
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${publisher.language}">
${element("title", publisher.name)}
${element("subtitle", publisher.tagline)}
${element("id", `tag:${publisher.slug}.example,2026:feed`)}
${element("updated", iso(Math.max(0, ...articles.map((article) => article.publishedAtMs))))}
<link rel="self" href="${addresses.feed}"/>
<link rel="alternate" href="${addresses.home}"/>
${articles.map(entry).join("\n")}
</feed>
`;
}

function rdfFeed(publisher: Publisher, articles: readonly Article[], addresses: Addresses): string {
  const links = articles.map((article) => escapeText(linkOf(publisher, article, addresses)));
  const item = (article: Article, index: number): string => {
    const full =
      publisher.feed.content === "full"
        ? `<content:encoded><![CDATA[${bodyHtml(publisher, article, addresses)}]]></content:encoded>`
        : "";
    return `<item rdf:about="${links[index] ?? ""}">
${element("title", article.title)}
<link>${links[index] ?? ""}</link>
${element("description", article.summary)}
${element("dc:creator", article.author)}
${element("dc:subject", article.category)}
${element("dc:date", iso(article.publishedAtMs))}
${full}
</item>`;
  };
  return `${declaration(publisher)}
<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xml:lang="${publisher.language}">
<channel rdf:about="${addresses.feed}">
${element("title", publisher.name)}
${element("link", addresses.home)}
${element("description", publisher.tagline)}
${element("dc:language", publisher.language)}
<items><rdf:Seq>${links.map((link) => `<rdf:li rdf:resource="${link}"/>`).join("")}</rdf:Seq></items>
</channel>
${articles.map(item).join("\n")}
</rdf:RDF>
`;
}

function jsonFeed(
  publisher: Publisher,
  articles: readonly Article[],
  addresses: Addresses,
): string {
  const item = (article: Article): unknown => ({
    id: guidOf(article),
    url: linkOf(publisher, article, addresses),
    title: article.title,
    summary: article.summary,
    ...(publisher.feed.content === "full"
      ? { content_html: bodyHtml(publisher, article, addresses) }
      : { content_text: article.summary }),
    date_published: iso(article.publishedAtMs),
    authors: [{ name: article.author }],
    tags: [article.category],
    language: publisher.language,
    ...(article.scene === undefined ? {} : { image: addresses.picture(article, "lead", 1200) }),
  });
  const feed = {
    version: "https://jsonfeed.org/version/1.1",
    title: publisher.name,
    description: publisher.tagline,
    home_page_url: addresses.home,
    feed_url: addresses.feed,
    language: publisher.language,
    items: articles.map(item),
  };
  return JSON.stringify(feed, undefined, 1);
}

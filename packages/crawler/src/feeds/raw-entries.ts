import type { parseFeed } from "feedsmith";
import type { RawEntry } from "./build-entry.ts";

type Parsed = ReturnType<typeof parseFeed<string>>;
type FeedOf<Format extends Parsed["format"]> = Extract<Parsed, { format: Format }>["feed"];
type RssItem = NonNullable<FeedOf<"rss">["items"]>[number];
type Media = RssItem["media"];

/**
 * The fields of each entry, by format. Texts of RSS are HTML by custom, whatever their
 * specifications say.
 */
export function rawEntriesOf(parsed: Parsed): readonly RawEntry[] {
  switch (parsed.format) {
    case "rss":
      return rssEntries(parsed.feed);
    case "rdf":
      return rdfEntries(parsed.feed);
    case "atom":
      return atomEntries(parsed.feed);
    case "json":
      return jsonEntries(parsed.feed);
  }
}

function rssEntries(feed: FeedOf<"rss">): readonly RawEntry[] {
  const languages = [feed.language, ...(feed.dc?.languages ?? [])];
  return (feed.items ?? []).map((item) => ({
    id: item.guid?.value,
    links: [
      item.link,
      item.guid?.isPermaLink === false ? undefined : item.guid?.value,
      item.atom?.links?.[0]?.href,
    ],
    titleHtml: item.title ?? item.dc?.titles?.[0],
    summaryHtml: item.description,
    contentHtml: item.content?.encoded,
    authors: [...(item.dc?.creators ?? []), ...(item.authors ?? []).map(({ name }) => name)],
    published: [item.pubDate, ...(item.dc?.dates ?? []), item.atom?.published],
    updated: [item.atom?.updated, item.dcterms?.modified?.[0]],
    categories: [...(item.categories ?? []).map(({ name }) => name), ...(item.dc?.subjects ?? [])],
    languages: [...(item.dc?.languages ?? []), ...languages],
    pictures: [
      ...mediaPictures(item.media),
      ...(item.enclosures ?? []).map(({ url, type }) => pictureOfType(url, type)),
    ],
  }));
}

function rdfEntries(feed: FeedOf<"rdf">): readonly RawEntry[] {
  return (feed.items ?? []).map((item) => ({
    id: item.rdf?.about,
    links: [item.link, item.rdf?.about],
    titleHtml: item.title ?? item.dc?.titles?.[0],
    summaryHtml: item.description,
    contentHtml: item.content?.encoded,
    authors: item.dc?.creators ?? [],
    published: item.dc?.dates ?? [],
    updated: [item.dcterms?.modified?.[0]],
    categories: item.dc?.subjects ?? [],
    languages: [...(item.dc?.languages ?? []), ...(feed.dc?.languages ?? []), feed.xml?.lang],
    pictures: mediaPictures(item.media),
  }));
}

function atomEntries(feed: FeedOf<"atom">): readonly RawEntry[] {
  return (feed.entries ?? []).map((entry) => {
    const links = entry.links ?? [];
    const alternates = links.filter(({ rel }) => rel === undefined || rel === "alternate");
    return {
      id: entry.id,
      links: [
        ...alternates.filter(({ type }) => type === undefined || type.includes("html")),
        ...alternates,
      ].map(({ href }) => href),
      titleHtml: htmlOf(entry.title),
      summaryHtml: htmlOf(entry.summary),
      contentHtml: htmlOf(entry.content),
      authors: (entry.authors ?? feed.authors ?? []).map(({ name }) => name),
      published: [entry.published, entry.dc?.dates?.[0], entry.updated],
      updated: [entry.updated],
      categories: (entry.categories ?? []).map(({ label, term }) => label ?? term),
      languages: [entry.content?.xml?.lang, entry.xml?.lang, feed.xml?.lang],
      pictures: [
        ...mediaPictures(entry.media),
        ...links
          .filter(({ rel }) => rel === "enclosure")
          .map(({ href, type }) => pictureOfType(href, type)),
      ],
    };
  });
}

function jsonEntries(feed: FeedOf<"json">): readonly RawEntry[] {
  return (feed.items ?? []).map((item) => ({
    id: item.id,
    links: [item.url, item.external_url],
    titleHtml: escaped(item.title ?? item.content_text?.slice(0, 80)),
    summaryHtml: escaped(item.summary),
    // `content_text` is what sites without a body put there, so it is trusted as a summary is.
    contentHtml: item.content_html ?? escaped(item.content_text),
    authors: (item.authors ?? feed.authors ?? []).map(({ name }) => escaped(name)),
    published: [item.date_published],
    updated: [item.date_modified],
    categories: (item.tags ?? []).map(escaped),
    languages: [item.language, feed.language],
    pictures: [
      item.image,
      item.banner_image,
      ...(item.attachments ?? []).map(({ url, mime_type }) => pictureOfType(url, mime_type)),
    ],
  }));
}

function mediaPictures(media: Media): readonly (string | undefined)[] {
  if (media === undefined) return [];
  const groups = media.groups ?? [];
  const contents = [...(media.contents ?? []), ...groups.flatMap((group) => group.contents ?? [])];
  const pictures = contents
    .filter(({ medium, type }) => medium === "image" || type?.startsWith("image/") === true)
    .sort((a, b) => (b.width ?? 0) - (a.width ?? 0));
  const thumbnails = [
    ...(media.thumbnails ?? []),
    ...contents.flatMap((content) => content.thumbnails ?? []),
    ...groups.flatMap((group) => group.thumbnails ?? []),
  ];
  return [...pictures, ...thumbnails].map(({ url }) => url);
}

function pictureOfType(url: string | undefined, type: string | undefined): string | undefined {
  return type?.startsWith("image/") === true ? url : undefined;
}

/** Atom says which of its texts are HTML (RFC 4287, 3.1.1); the others are made so. */
function htmlOf(
  text: { readonly value?: string; readonly type?: string } | undefined,
): string | undefined {
  const isHtml = text?.type === "html" || text?.type === "xhtml" || text?.type === "text/html";
  return isHtml ? text?.value : escaped(text?.value);
}

function escaped(text: string | undefined): string | undefined {
  return text?.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

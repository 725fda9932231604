import { parseFeed } from "feedsmith";
import { ENTRIES_PER_FEED_MAX } from "../limits.ts";
import { buildEntry } from "./build-entry.ts";
import type { RawEntry } from "./build-entry.ts";
import { describeFeed } from "./feed-description.ts";
import { publicationOf, sitemapEntries, sitemapKindOf } from "./news-sitemap.ts";
import { decodeText } from "./charset.ts";
import { FeedUnreadable } from "./feed-entry.ts";
import type { FeedEntry, ParsedFeed } from "./feed-entry.ts";
import { rawEntriesOf } from "./raw-entries.ts";

/** By public identifier, or by system identifier alone, as UserLand's 0.91 has it. */
const NETSCAPE_DOCTYPE =
  /^<!DOCTYPE\s+rss\s+(?:PUBLIC\s+"-\/\/Netscape Communications\/\/DTD RSS 0\.91\/\/EN"\s+"[^"]*"|SYSTEM\s+"https?:\/\/my\.netscape\.com\/publish\/formats\/rss-0\.91\.dtd")\s*>/;
const DOCTYPE_CHARS_MAX = 500;

/**
 * Reads a feed of any format and charset. The bytes are at most FEED_BYTES_MAX: the fetch saw to it.
 *
 * @throws FeedUnreadable
 */
export function readFeed(
  bytes: Uint8Array,
  contentType: string | undefined,
  feedUrl: string,
): ParsedFeed {
  const { text } = decodeText(bytes, contentType);
  const document = withoutNetscapeDoctype(text.replace(/^[\ufeff\s]+/, ""));
  // A DOCTYPE is what entity bombs are made of, and no other feed format has one.
  if (document.startsWith("<!", prologueEnd(document)))
    throw new FeedUnreadable("doctype", `${feedUrl} has a document type declaration`);
  return sitemapKindOf(document) === "urls"
    ? readSitemap(document, feedUrl)
    : readParsed(parseDocument(document, feedUrl), feedUrl);
}

function readParsed(parsed: ReturnType<typeof parseFeed<string>>, feedUrl: string): ParsedFeed {
  const built = buildEntries(rawEntriesOf(parsed), feedUrl);
  return { format: parsed.format, ...built, ...describeFeed(parsed) };
}

/** A sitemap without news is no feed, though there may be one beside it. */
function readSitemap(document: string, feedUrl: string): ParsedFeed {
  const raw = sitemapEntries(document);
  if (raw.length === 0)
    throw new FeedUnreadable("not-a-feed", `${feedUrl} is a sitemap without news`);
  const title = publicationOf(document);
  const built = buildEntries(raw, feedUrl);
  return { format: "sitemap", ...built, ...(title === undefined ? {} : { title }) };
}

function buildEntries(raws: readonly RawEntry[], feedUrl: string) {
  const entries: FeedEntry[] = [];
  let entriesRefused = 0;
  for (const raw of raws.slice(0, ENTRIES_PER_FEED_MAX)) {
    const entry = buildEntry(raw, feedUrl);
    if (entry === undefined) entriesRefused += 1;
    else entries.push(entry);
  }
  return { entries, entriesRefused };
}

function parseDocument(document: string, feedUrl: string): ReturnType<typeof parseFeed<string>> {
  try {
    return parseFeed<string>(document);
  } catch (cause) {
    const code = /^(\{|<\?xml|<(rss|feed|rdf:RDF)\b)/i.test(document) ? "broken" : "not-a-feed";
    throw new FeedUnreadable(code, `${feedUrl} can't be read as a feed`, cause);
  }
}

/**
 * Netscape's RSS 0.91 wants its document type declared. That one declaration, without an internal subset, is
 * dropped unread: nothing it names is fetched, and no entity is known by it.
 */
function withoutNetscapeDoctype(document: string): string {
  const at = prologueEnd(document);
  const declared = NETSCAPE_DOCTYPE.exec(document.slice(at, at + DOCTYPE_CHARS_MAX))?.[0];
  return declared === undefined
    ? document
    : document.slice(0, at) + document.slice(at + declared.length);
}

/** Where what may stand before a root element ends: declarations, comments and white space. */
function prologueEnd(document: string): number {
  let at = 0;
  for (;;) {
    while (/\s/.test(document[at] ?? "")) at += 1;
    const closing = document.startsWith("<?", at)
      ? "?>"
      : document.startsWith("<!--", at)
        ? "-->"
        : undefined;
    const end = closing === undefined ? -1 : document.indexOf(closing, at + 2);
    if (closing === undefined || end === -1) return at;
    at = end + closing.length;
  }
}

import { ENTRIES_PER_FEED_MAX } from "../limits.ts";
import type { RawEntry } from "./build-entry.ts";

/** A `url` of a sitemap is some hundred characters; the rest of a longer one is not looked at. */
const BLOCK_CHARS_MAX = 10_000;

/** Whether a document's root element says that it is a sitemap, and of which kind. */
export function sitemapKindOf(document: string): "urls" | "index" | undefined {
  const root = /<(?:[\w-]+:)?(urlset|sitemapindex)\b/.exec(document.slice(0, BLOCK_CHARS_MAX))?.[1];
  if (root === undefined) return undefined;
  return root === "urlset" ? "urls" : "index";
}

/**
 * The articles of a news sitemap (Google News sitemap extension, with its image extension). Addresses
 * without a news title are pages, not articles.
 */
export function sitemapEntries(document: string): readonly RawEntry[] {
  const entries: RawEntry[] = [];
  for (const block of blocksOf(document, "url")) {
    const titleHtml = textIn(block, "title");
    if (titleHtml === undefined) continue;
    const link = textIn(block, "loc");
    entries.push({
      links: [link],
      titleHtml,
      authors: [],
      published: [textIn(block, "publication_date"), textIn(block, "lastmod")],
      updated: [textIn(block, "lastmod")],
      categories: (textIn(block, "keywords") ?? "").split(","),
      languages: [textIn(block, "language")],
      pictures: [textIn(block.slice(Math.max(0, block.indexOf(":image>"))), "loc")].filter(
        (address) => address !== link,
      ),
    });
    if (entries.length >= ENTRIES_PER_FEED_MAX) break;
  }
  return entries;
}

/** The sitemaps an index names. */
export function sitemapsOfIndex(document: string): readonly string[] {
  return blocksOf(document, "sitemap").flatMap((block) => decoded(textIn(block, "loc")) ?? []);
}

/** Name of the publication, where its sitemap gives it. */
export function publicationOf(document: string): string | undefined {
  return decoded(textIn(document.slice(0, 2 * BLOCK_CHARS_MAX), "name"));
}

function blocksOf(document: string, name: string): readonly string[] {
  const blocks: string[] = [];
  const [opening, closing] = [`<${name}>`, `</${name}>`];
  for (let at = document.indexOf(opening); at !== -1; at = document.indexOf(opening, at)) {
    const end = document.indexOf(closing, at);
    if (end === -1) break;
    blocks.push(document.slice(at + opening.length, Math.min(end, at + BLOCK_CHARS_MAX)));
    at = end;
  }
  return blocks;
}

/** The content of the first element of a name, whatever its prefix, as HTML. */
function textIn(block: string, name: string): string | undefined {
  const opening = new RegExp(`<(?:[\\w-]+:)?${name}>`).exec(block);
  if (opening === null) return undefined;
  const from = opening.index + opening[0].length;
  const cdata = /^\s*<!\[CDATA\[([\s\S]*?)\]\]>/.exec(block.slice(from))?.[1];
  if (cdata !== undefined) return cdata.replaceAll("&", "&amp;").replaceAll("<", "&lt;").trim();
  const end = block.indexOf("</", from);
  return end === -1 ? undefined : block.slice(from, end).trim();
}

/** Addresses and names in XML carry five references and no more. */
function decoded(text: string | undefined): string | undefined {
  return text
    ?.replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");
}

import {
  AUTHOR_CHARS_MAX,
  LABELS_PER_ARTICLE_MAX,
  PICTURES_PER_ARTICLE_MAX,
  TITLE_CHARS_MAX,
} from "../limits.ts";
import { plainText } from "../plain-text.ts";
import { parseTime } from "./parse-time.ts";
import type { FeedEntry } from "./feed-entry.ts";

type Text = string | undefined;

/** Fields as a format names them, before they are trusted. */
export interface RawEntry {
  readonly id?: Text;
  readonly links: readonly Text[];
  readonly titleHtml?: Text;
  readonly summaryHtml?: Text;
  readonly contentHtml?: Text;
  readonly authors: readonly Text[];
  readonly published: readonly Text[];
  readonly updated: readonly Text[];
  readonly categories: readonly Text[];
  readonly languages: readonly Text[];
  readonly pictures: readonly Text[];
}

const LANGUAGE_TAG = /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*$/;

/** An entry of trusted fields; undefined where it has no title or no http address. */
export function buildEntry(raw: RawEntry, baseUrl: string): FeedEntry | undefined {
  const link = firstUrl(raw.links, baseUrl);
  const title = plainText(raw.titleHtml ?? "", TITLE_CHARS_MAX);
  if (link === undefined || title === "") return undefined;
  const authors = raw.authors.map((name) => plainText(name ?? "", AUTHOR_CHARS_MAX));
  const categories = raw.categories.map((label) => plainText(label ?? "", 100));
  const pictures = raw.pictures.map((address) => absolute(address, link));
  return {
    id: raw.id?.trim() || link,
    link,
    title,
    categories: distinct(categories).slice(0, LABELS_PER_ARTICLE_MAX),
    pictureUrls: distinct(pictures).slice(0, PICTURES_PER_ARTICLE_MAX),
    ...present("summaryHtml", filled(raw.summaryHtml)),
    ...present("contentHtml", filled(raw.contentHtml)),
    ...present("author", filled(distinct(authors).join(", ").slice(0, AUTHOR_CHARS_MAX))),
    ...present("publishedAtMs", firstTime(raw.published)),
    ...present("updatedAtMs", firstTime(raw.updated)),
    ...present(
      "language",
      raw.languages.find((tag) => tag !== undefined && LANGUAGE_TAG.test(tag)),
    ),
  };
}

function present<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [Name in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [Name in Key]?: Value });
}

function filled(text: Text): Text {
  return text === undefined || text.trim() === "" ? undefined : text;
}

function firstUrl(addresses: readonly Text[], baseUrl: string): Text {
  for (const address of addresses) {
    const url = absolute(address, baseUrl);
    if (url !== undefined) return url;
  }
  return undefined;
}

function absolute(address: Text, baseUrl: string): Text {
  if (address === undefined || address.trim() === "") return undefined;
  const url = URL.parse(address.trim(), baseUrl);
  return url?.protocol === "http:" || url?.protocol === "https:" ? url.href : undefined;
}

function firstTime(texts: readonly Text[]): number | undefined {
  for (const text of texts) {
    const timeMs = text === undefined ? undefined : parseTime(text);
    if (timeMs !== undefined) return timeMs;
  }
  return undefined;
}

function distinct(texts: readonly Text[]): string[] {
  return [...new Set(texts.filter((text) => text !== undefined && text !== ""))] as string[];
}

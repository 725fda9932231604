import { parseTime } from "../feeds/parse-time.ts";
import { URL_CHARS_MAX } from "@feed/safe-fetch";
import { AUTHOR_CHARS_MAX, TITLE_CHARS_MAX } from "../limits.ts";
import { plainText } from "../plain-text.ts";
import { articleOfJsonLd, namesIn, textsIn } from "./json-ld.ts";

/** What an article's page says about it outside its text. */
export interface PageMetadata {
  readonly canonicalUrl?: string;
  readonly title?: string;
  readonly author?: string;
  readonly publishedAtMs?: number;
  /** BCP 47, as written. */
  readonly language?: string;
  /** The picture it is shared with. */
  readonly pictureUrl?: string;
  readonly sections: readonly string[];
}

/** Reads JSON-LD first, which is made for machines, then `meta`, then the page's own elements. */
export function readMetadata(document: Document, pageUrl: string): PageMetadata {
  const article = articleOfJsonLd(document);
  const meta = (...names: readonly string[]) => metaContents(document, names);
  const canonicalUrl = canonicalOf(document, pageUrl);
  const title = firstText(
    [...textsIn(article?.["headline"]), ...meta("og:title"), document.title],
    TITLE_CHARS_MAX,
  );
  // `article:author` is often the address of a profile.
  const authors = [...namesIn(article?.["author"]), ...meta("author", "article:author")];
  const author = firstText(
    authors.filter((name) => !/^https?:/i.test(name)),
    AUTHOR_CHARS_MAX,
  );
  const publishedAtMs = firstTime([
    ...textsIn(article?.["datePublished"]),
    ...meta("article:published_time", "datePublished", "date", "DC.date.issued"),
    ...attributes(document, "time[datetime]", "datetime"),
  ]);
  const language = document.documentElement.getAttribute("lang")?.trim() || meta("og:locale")[0];
  const pictureUrl = firstUrl(
    [...meta("og:image", "og:image:url", "twitter:image"), ...textsIn(article?.["image"])],
    pageUrl,
  );
  return {
    sections: [...meta("article:section"), ...textsIn(article?.["articleSection"])],
    ...(canonicalUrl === undefined ? {} : { canonicalUrl }),
    ...(title === undefined ? {} : { title }),
    ...(author === undefined ? {} : { author }),
    ...(publishedAtMs === undefined ? {} : { publishedAtMs }),
    ...(language === undefined ? {} : { language }),
    ...(pictureUrl === undefined ? {} : { pictureUrl }),
  };
}

function canonicalOf(document: Document, pageUrl: string): string | undefined {
  const addresses = [
    ...attributes(document, 'link[rel~="canonical"]', "href"),
    ...metaContents(document, ["og:url"]),
  ];
  const canonical = firstUrl(addresses, pageUrl);
  // Sites that name their home page on every page mean nothing by it.
  const isHome = canonical !== undefined && new URL(canonical).pathname === "/";
  return isHome && new URL(pageUrl).pathname !== "/" ? undefined : canonical;
}

/** In the order of `names`, then of the document. */
function metaContents(document: Document, names: readonly string[]): readonly string[] {
  return names.flatMap((name) =>
    attributes(
      document,
      `meta[property="${name}"], meta[name="${name}"], meta[itemprop="${name}"]`,
      "content",
    ),
  );
}

function attributes(document: Document, selector: string, name: string): readonly string[] {
  return [...document.querySelectorAll(selector)].flatMap((element) => {
    const value = element.getAttribute(name)?.trim() ?? "";
    return value === "" ? [] : [value];
  });
}

function firstText(texts: readonly string[], charsMax: number): string | undefined {
  return texts.map((text) => plainText(text, charsMax)).find((text) => text !== "");
}

function firstTime(texts: readonly string[]): number | undefined {
  return texts.map(parseTime).find((timeMs) => timeMs !== undefined);
}

function firstUrl(addresses: readonly string[], baseUrl: string): string | undefined {
  for (const address of addresses) {
    const url = URL.parse(address, baseUrl);
    const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
    if (url !== null && isHttp && url.href.length <= URL_CHARS_MAX) return url.href;
  }
  return undefined;
}

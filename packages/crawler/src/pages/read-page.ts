import { setImmediate } from "node:timers/promises";
import { ArticleBodyError, assertAffordable } from "@feed/article-body";
import type { ParsingLimits } from "@feed/article-body";
import type { ExtractionOverrides } from "@feed/domain/source";
import { Readability } from "@mozilla/readability";
import { JSDOM } from "jsdom";
import { decodeText } from "../feeds/charset.ts";
import { readMetadata } from "./page-metadata.ts";
import type { PageMetadata } from "./page-metadata.ts";

/** Articles have some thousand elements; pages of more are lists, or made to be slow. 512 is the deepest browsers go. */
const LIMITS: ParsingLimits = { nodesMax: 20_000, depthMax: 512, attributesMax: 500 };
/** Readability's own 500 refuses short Japanese news. */
const CHARS_MIN = 140;

export interface ReadPage extends PageMetadata {
  /** Not sanitised. Absent where no article was found. */
  readonly contentHtml?: string;
}

/** A page that can't be read as one, and never will be as it is. */
export class PageUnreadable extends Error {
  override readonly name = "PageUnreadable";
}

/** One document-less window for all pages: opening one for each costs more than parsing. */
const { window } = new JSDOM("");

/**
 * Finds the article in its page. Scripts are never run and nothing is loaded. The event loop gets a
 * turn before each page, because one takes some ten milliseconds.
 *
 * @throws PageUnreadable
 */
export async function readPage(
  bytes: Uint8Array,
  contentType: string | undefined,
  pageUrl: string,
  extraction?: ExtractionOverrides,
): Promise<ReadPage> {
  await setImmediate();
  if (!/html|^$/i.test(contentType ?? ""))
    throw new PageUnreadable(`${pageUrl} is no HTML page but ${contentType}`);
  const { text } = decodeText(bytes, contentType);
  assertReadable(text, pageUrl);
  return extract(text, pageUrl, extraction);
}

/** The document model below takes time and memory that grow with the square of such things. */
function assertReadable(html: string, pageUrl: string): void {
  try {
    assertAffordable(html, LIMITS);
  } catch (error) {
    if (!(error instanceof ArticleBodyError)) throw error;
    throw new PageUnreadable(`${pageUrl}: ${error.message}`, { cause: error });
  }
}

function extract(html: string, pageUrl: string, extraction?: ExtractionOverrides): ReadPage {
  const document = new window.DOMParser().parseFromString(html, "text/html");
  setBase(document, pageUrl);
  const metadata = readMetadata(document, document.baseURI);
  // From here on the document is changed.
  for (const selector of extraction?.drop ?? [])
    for (const element of document.querySelectorAll(selector)) element.remove();
  const contentHtml = keptHtml(document, extraction?.keep ?? []) ?? searchedHtml(document);
  return contentHtml === "" ? metadata : { ...metadata, contentHtml };
}

function searchedHtml(document: Document): string {
  const article = new Readability(document, { charThreshold: CHARS_MIN }).parse();
  return article?.content?.trim() ?? "";
}

/** What the selectors match, outermost elements in the page's order; undefined where that is nothing. */
function keptHtml(document: Document, keep: readonly string[]): string | undefined {
  if (keep.length === 0) return undefined;
  const selector = keep.join(",");
  const kept = [...document.querySelectorAll(selector)].filter(
    (element) => (element.parentElement?.closest(selector) ?? null) === null,
  );
  if (kept.length === 0) return undefined;
  for (const element of kept) {
    const linked = [element, ...element.querySelectorAll("[src],[href]")];
    for (const each of linked) makeAbsolute(each, document.baseURI);
  }
  return kept.map(({ outerHTML }) => outerHTML).join("\n");
}

function makeAbsolute(element: Element, baseUrl: string): void {
  for (const name of ["src", "href"]) {
    const url = URL.parse(element.getAttribute(name) ?? "", baseUrl);
    if (element.hasAttribute(name) && url !== null) element.setAttribute(name, url.href);
  }
}

/** Whether a text is a list of CSS selectors that pages can be read with. */
export function isSelector(text: string): boolean {
  try {
    window.document.querySelector(text);
    return text.trim() !== "";
  } catch {
    return false;
  }
}

/** A parsed document has no address of its own: its `base` says what relative ones count from. */
function setBase(document: Document, pageUrl: string): void {
  const existing = document.querySelector("base[href]");
  const href = URL.parse(existing?.getAttribute("href") ?? "", pageUrl)?.href ?? pageUrl;
  const base = existing ?? document.createElement("base");
  base.setAttribute("href", href);
  document.head.prepend(base);
}

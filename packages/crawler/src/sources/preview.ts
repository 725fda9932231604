import { detectLanguage } from "@feed/article-analysis";
import {
  ArticleBodyError,
  cleanArticleHtml,
  collectPictureUrls,
  makeExcerpt,
} from "@feed/article-body";
import type { ExtractionOverrides } from "@feed/domain/source";
import type { FeedEntry, FeedFormat } from "../feeds/feed-entry.ts";
import { FetchError } from "@feed/safe-fetch";
import type { PoliteFetch } from "../fetch/polite-fetch.ts";
import { PAGE_BYTES_MAX } from "../limits.ts";
import { chooseContent } from "../pages/choose-content.ts";
import { PageUnreadable, readPage } from "../pages/read-page.ts";
import type { ReadPage } from "../pages/read-page.ts";
import { explainFault } from "./explain-fault.ts";
import { findFeed } from "./find-feed.ts";
import type { FoundFeed } from "./find-feed.ts";

const ENTRIES_SHOWN_MAX = 10;
/** A body with less is a teaser. */
const TEXT_CHARS_MIN = 200;
const SILENT_MS_MAX = 30 * 24 * 3_600_000;

/** What a source would give, before it is one. */
export interface SourcePreview {
  readonly name: string;
  readonly siteUrl: string;
  readonly feedUrl: string;
  readonly format: FeedFormat;
  readonly language?: string;
  /** Of the whole feed. */
  readonly entriesFound: number;
  /** The newest ten. */
  readonly entries: readonly PreviewedEntry[];
  /** The first of them, read as it would be. */
  readonly article?: PreviewedArticle;
  /** In words; empty where all is well. */
  readonly problems: readonly string[];
}

export type PreviewedEntry = Pick<FeedEntry, "title" | "link" | "publishedAtMs">;

export interface PreviewedArticle {
  readonly title: string;
  readonly url: string;
  readonly excerpt: string;
  readonly textChars: number;
  readonly pictures: number;
}

export interface PreviewDependencies {
  readonly fetch: PoliteFetch;
  readonly nowMs: () => number;
}

/**
 * Finds the feed behind an address and shows what a crawl would give. Nothing is stored.
 *
 * @throws NoFeedFound; the signal's reason
 */
export async function previewSource(
  address: string,
  extraction: ExtractionOverrides | undefined,
  { fetch, nowMs }: PreviewDependencies,
  signal: AbortSignal,
): Promise<SourcePreview> {
  const found = await findFeed(address, fetch, signal);
  const { feed, feedUrl } = found;
  const newest = feed.entries
    .toSorted((a, b) => (b.publishedAtMs ?? 0) - (a.publishedAtMs ?? 0))
    .slice(0, ENTRIES_SHOWN_MAX);
  const problems = [...feedProblems(found, nowMs())];
  const [first] = newest;
  const read =
    first === undefined ? undefined : await readArticle(first, extraction, fetch, signal);
  problems.push(...(read?.problems ?? []));
  const siteUrl = siteOf(feed.siteUrl, feedUrl);
  return {
    name: feed.title ?? new URL(siteUrl).hostname,
    siteUrl,
    feedUrl,
    format: feed.format,
    entriesFound: feed.entries.length,
    entries: newest.map(({ title, link, publishedAtMs }) => ({
      title,
      link,
      ...(publishedAtMs === undefined ? {} : { publishedAtMs }),
    })),
    problems,
    ...(read?.language === undefined ? {} : { language: read.language }),
    ...(read?.article === undefined ? {} : { article: read.article }),
  };
}

function siteOf(written: string | undefined, feedUrl: string): string {
  const site = written === undefined ? null : URL.parse(written, feedUrl);
  return site?.protocol === "https:" || site?.protocol === "http:"
    ? site.href
    : `${new URL(feedUrl).origin}/`;
}

function feedProblems({ feed, feedUrl }: FoundFeed, nowMs: number): readonly string[] {
  const { entries, entriesRefused } = feed;
  const times = entries.map(({ publishedAtMs }) => publishedAtMs);
  const undated = times.filter((timeMs) => timeMs === undefined).length;
  const newestMs = Math.max(...times.map((timeMs) => timeMs ?? 0));
  const ahead = times.filter((timeMs) => (timeMs ?? 0) > nowMs).length;
  const said: readonly (readonly [boolean, string])[] = [
    [entries.length === 0, "The feed is empty."],
    [feedUrl.startsWith("http:"), "The feed is served without encryption."],
    [entriesRefused > 0, `${entriesRefused} entries have no title or no address and are left out.`],
    [
      undated > 0,
      `${undated} entries have no date: that of their page, or of the crawl, is taken.`,
    ],
    [ahead > 0, `${ahead} entries are dated ahead: they count as published when they are seen.`],
    [
      entries.length > undated && nowMs - newestMs > SILENT_MS_MAX,
      "Nothing was published in the last 30 days.",
    ],
  ];
  return said.flatMap(([isSo, sentence]) => (isSo ? [sentence] : []));
}

async function readArticle(
  entry: FeedEntry,
  extraction: ExtractionOverrides | undefined,
  fetch: PoliteFetch,
  signal: AbortSignal,
): Promise<{
  readonly article?: PreviewedArticle;
  readonly language?: string;
  readonly problems: readonly string[];
}> {
  const { page, pageUrl, problem } = await openPage(entry, extraction, fetch, signal);
  const problems = problem === undefined ? [] : [`${entry.link}: ${problem}`];
  const fromPage = extraction === undefined ? undefined : page?.contentHtml;
  const html = fromPage ?? chooseContent(entry, page?.contentHtml);
  try {
    const { text, prose } = await cleanArticleHtml(html, {
      baseUrl: pageUrl,
      pictureFor: () => undefined,
    });
    const hint = page?.language ?? entry.language;
    const { title } = entry;
    const language = detectLanguage({ title, text, ...(hint === undefined ? {} : { hint }) });
    const inBody = collectPictureUrls(html, pageUrl);
    const shared = page?.pictureUrl === undefined ? [] : [page.pictureUrl];
    const pictures = new Set([...shared, ...entry.pictureUrls, ...inBody]).size;
    if (text.length < TEXT_CHARS_MIN)
      problems.push(`Only ${text.length} characters of text were found in the first article.`);
    if (pictures === 0) problems.push("No picture was found in the first article.");
    const excerpt = makeExcerpt({ text: prose, title, language });
    const article = { title, url: entry.link, excerpt, textChars: text.length, pictures };
    return { article, language, problems };
  } catch (error) {
    if (!(error instanceof ArticleBodyError)) throw error;
    return { problems: [...problems, explainFault({ code: error.code })] };
  }
}

async function openPage(
  entry: FeedEntry,
  extraction: ExtractionOverrides | undefined,
  fetch: PoliteFetch,
  signal: AbortSignal,
): Promise<{ readonly page?: ReadPage; readonly pageUrl: string; readonly problem?: string }> {
  const pageUrl = entry.link;
  try {
    const request = { accept: "text/html", bytesMax: PAGE_BYTES_MAX, signal };
    const { status, bytes, headers, url } = await fetch.get(entry.link, request);
    if (status !== 200) return { pageUrl, problem: explainFault({ code: "bad-status", status }) };
    const page = await readPage(bytes, headers["content-type"], url, extraction);
    return { page, pageUrl: url };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PageUnreadable)
      return { pageUrl, problem: explainFault({ code: "page-unreadable" }) };
    if (!(error instanceof FetchError)) throw error;
    return { pageUrl, problem: explainFault({ code: error.code }) };
  }
}

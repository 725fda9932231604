import type { FeedDescription } from "./feed-description.ts";

/** One entry of a feed, whatever its format. Addresses are absolute; texts are plain unless named HTML. */
export interface FeedEntry {
  /** What the publisher says identifies it; formats without such a field give the link. */
  readonly id: string;
  readonly link: string;
  readonly title: string;
  readonly summaryHtml?: string;
  /** The body, where the feed carries one. It need not be the whole. */
  readonly contentHtml?: string;
  readonly author?: string;
  readonly publishedAtMs?: number;
  readonly updatedAtMs?: number;
  readonly categories: readonly string[];
  /** BCP 47, as written. */
  readonly language?: string;
  /** Pictures the feed names beside the body, best first. */
  readonly pictureUrls: readonly string[];
}

export type FeedFormat = "rss" | "atom" | "rdf" | "json" | "sitemap";

export interface ParsedFeed extends FeedDescription {
  readonly format: FeedFormat;
  /** In the feed's order; entries without title or link are left out. */
  readonly entries: readonly FeedEntry[];
  /** Entries left out for that. */
  readonly entriesRefused: number;
}

export type FeedErrorCode = "not-a-feed" | "broken" | "doctype";

/** A document that is no feed; the same bytes will never be one. */
export class FeedUnreadable extends Error {
  override readonly name = "FeedUnreadable";
  readonly code: FeedErrorCode;

  constructor(code: FeedErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

import type { SourceId } from "./ids.ts";

/** A publisher as the service knows it (spec 2.2), and how it is crawled. */
export interface Source {
  readonly sourceId: SourceId;
  readonly name: string;
  /** Top page of the source. */
  readonly url: string;
  /** A feed, or a news sitemap where there is no feed. */
  readonly feedUrl: string;
  /** Whether applications may show a reworded title (spec 2.2, title rule). */
  readonly titleRewriteAllowed: boolean;
  readonly language?: string;
  /** `#rrggbb`, for generated placeholder pictures. */
  readonly colour: string;
  /** The shortest time between two fetches of the feed. */
  readonly crawlIntervalMs: number;
  /** The longest: between the two it follows how often the source publishes. Absent: always the shortest. */
  readonly crawlIntervalMsMax?: number;
  readonly paused: boolean;
  /** Why, where the crawler paused it. */
  readonly pausedReason?: string;
  /** How its pages are read, where the usual way finds too much or too little. */
  readonly extraction?: ExtractionOverrides;
  /** What an operator noted about the rights. */
  readonly licenceNotes?: string;
  /** Everything is looked at again in the first crawl after that. */
  readonly recrawlFromMs?: number;
  /** Not crawled, not listed, and licensed to nobody: its articles are in no feed. */
  readonly removed?: boolean;
  /**
   * Sources of one publisher share their articles: the same one in two of their feeds is one. Absent: the registrable
   * domain of its top page.
   */
  readonly publisher?: string;
}

/** CSS selectors for a source's pages. */
export interface ExtractionOverrides {
  /** The article is what these match, in the page's order. Empty: it is searched for. */
  readonly keep: readonly string[];
  /** Taken out of the page before. */
  readonly drop: readonly string[];
}

import type { PictureRef } from "@feed/domain/article";
import type { ContentId, SourceId } from "@feed/domain/ids";

/** What a conditional request sends (RFC 9110, 13). */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/** How a source's crawl stands. */
export interface SourceCrawl {
  /** The feed these belong to; another address begins anew. */
  readonly feedUrl: string;
  readonly validators: Validators;
  readonly nextDueMs: number;
  /** From then on the feed is asked without validators, so that its entries can be looked at again. */
  readonly recheckFromMs: number;
  /** When the last crawl began. */
  readonly startedAtMs?: number;
  readonly lastSuccessMs?: number;
  readonly failuresInRow: number;
  /** The last ten, newest first. */
  readonly faults: readonly CrawlFault[];
  /** The last crawls, newest first: whether each could read the feed. */
  readonly outcomes: readonly boolean[];
  /** From publication to `contents`, smoothed over the articles that came while it was crawled. */
  readonly lagMs?: number;
  readonly pace?: PublicationPace;
  /** Something of its feed is still to be fetched. */
  readonly isIncomplete?: boolean;
}

/** Something of a source that could not be had. */
export interface CrawlFault {
  readonly code: string;
  readonly atMs: number;
  /** Its feed, or an article of it. */
  readonly url: string;
  /** Of the answer, with `bad-status`. */
  readonly status?: number;
}

/** How often a source publishes: this many entries since then. */
export interface PublicationPace {
  readonly entries: number;
  readonly sinceMs: number;
  /** The shortest time between two articles that was seen on each of the last days (UTC, counted from 1970). */
  readonly days?: readonly { readonly day: number; readonly gapMs: number }[];
}

/** What is known of a feed's entry, by the id of its article. */
export interface KnownEntry {
  /** The article it is another entry of. Absent: its own. */
  readonly articleId?: ContentId;
  /** The article is another source's of the same publisher, whose feed speaks for it. */
  readonly ofSource?: SourceId;
  /** Of the entry as the feed gave it. */
  readonly fingerprint: string;
  readonly pageValidators: Validators;
  readonly checkedAtMs: number;
  /** Looks in a row that found it gone. */
  readonly missing: number;
  /** Why it could not be taken in. */
  readonly failure?: { readonly code: string; readonly attempts: number };
}

/** What is known of an article in `contents`; all of it can be read from there again. */
export interface KnownArticle {
  readonly revision: number;
  readonly fingerprint: string;
  readonly publishedAtMs: number;
  readonly duplicateGroup: string;
  readonly withdrawn: boolean;
  /** Withdrawn by an operator: it never comes back by itself. */
  readonly takenDown?: boolean;
}

/** An entry of a feed as it was last read. */
export interface ListedEntry {
  readonly entryId: ContentId;
  readonly link: string;
}

/** That the page of an article is to be looked at then: is it still there? */
export interface Look {
  readonly articleId: ContentId;
  readonly sourceId: SourceId;
  readonly entryId: ContentId;
  readonly link: string;
  readonly dueMs: number;
  /** Looks in a row that found it gone. */
  readonly missing: number;
  /** Its entry stands in the feed, and is looked at with it. */
  readonly isListed: boolean;
  readonly pageValidators: Validators;
}

export interface KnownPicture {
  readonly picture: PictureRef;
  readonly fetchedAtMs: number;
}

/**
 * The crawler's private memory between runs. Losing it costs fetches and nothing else: ids come out
 * the same, and articles are read back from `contents` (see `catchUp`).
 *
 * Reads are synchronous, of what was written before. Writes resolve when they are visible to other
 * processes.
 * Errors: CrawlStateUnavailable.
 */
export interface CrawlState extends AsyncDisposable {
  source(sourceId: SourceId): SourceCrawl | undefined;
  saveSource(sourceId: SourceId, crawl: SourceCrawl): Promise<void>;
  entry(contentId: ContentId): KnownEntry | undefined;
  saveEntry(contentId: ContentId, entry: KnownEntry): Promise<void>;
  article(contentId: ContentId): KnownArticle | undefined;
  /** With the keys they are found by; a key that is taken stays with the article it has. */
  saveArticles(
    articles: ReadonlyMap<ContentId, KnownArticle>,
    identities: ReadonlyMap<string, ContentId>,
  ): Promise<void>;
  /** The article known by a key; see `identityKeysOf`. */
  identified(key: string): ContentId | undefined;
  picture(url: string): KnownPicture | undefined;
  savePicture(url: string, picture: KnownPicture): Promise<void>;
  /** The entries of a source's feed, newest first; empty before it was read. */
  listing(sourceId: SourceId): readonly ListedEntry[];
  saveListing(sourceId: SourceId, entries: readonly ListedEntry[]): Promise<void>;
  look(articleId: ContentId): Look | undefined;
  /** Those that are due, longest first. */
  looksDue(nowMs: number, countMax: number): readonly Look[];
  /** An article has one at most; undefined: none any more. */
  saveLook(articleId: ContentId, look: Look | undefined): Promise<void>;
  /** First offset of each partition of `contents` that is not in here yet. */
  logOffsets(): ReadonlyMap<number, number>;
  saveLogOffsets(offsets: ReadonlyMap<number, number>): Promise<void>;
}

/** The directory can't be used: not writable, or full. */
export class CrawlStateUnavailable extends Error {
  override readonly name = "CrawlStateUnavailable";
}

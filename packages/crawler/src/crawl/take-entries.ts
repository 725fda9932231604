import type { SourceId } from "@feed/domain/ids";
import type { Source } from "@feed/domain/source";
import type { Logger } from "@feed/runtime";
import { FetchError } from "@feed/safe-fetch";
import { FeedUnreadable } from "../feeds/feed-entry.ts";
import type { FeedEntry, ParsedFeed } from "../feeds/feed-entry.ts";
import { identityKeysOf } from "../identity.ts";
import { failureCodeOf } from "../ingest/failures.ts";
import type { CrawlFault, SourceCrawl } from "../state/crawl-state.ts";
import { crawlArticle } from "./crawl-article.ts";
import type { ArticleOutcome, CrawlArticleDependencies } from "./crawl-article.ts";
import { entryIdOf } from "./same-article.ts";
import type { FeedContext } from "./same-article.ts";

export interface CrawlSourceDependencies extends CrawlArticleDependencies {
  readonly log: Logger;
  /** Other sources of the same publisher. */
  readonly siblingsOf: (source: Source) => readonly SourceId[];
  /** After each published article. */
  readonly onPublished: (sourceId: Source["sourceId"]) => void;
}

/** Whose entries they are, and what was known of it before. */
export interface EntriesOf {
  readonly source: Source;
  readonly previous: SourceCrawl | undefined;
  readonly deps: CrawlSourceDependencies;
}

export interface TakenEntries {
  readonly published: number;
  readonly withdrawn: number;
  readonly failed: number;
  /** Nothing of the feed is left for the next crawl. */
  readonly isComplete: boolean;
  /** The host asked for quiet until then; else 0. */
  readonly quietUntilMs: number;
  /** Newest first. */
  readonly faults: readonly CrawlFault[];
  /** Of the articles that came while the source was crawled, from publication to now. */
  readonly lagsMs: readonly number[];
}

/** An article that comes later was not late, it was put in later. */
const LAG_MS_MAX = 24 * 3_600_000;

/**
 * Takes in the entries of a feed, newest first. One that fails leaves the others alone; a host that asks for quiet
 * ends it.
 *
 * Errors: an outage of our own parts; the signal's reason.
 */
export async function takeEntries(
  { source, previous, deps }: EntriesOf,
  feed: ParsedFeed,
  signal: AbortSignal,
): Promise<TakenEntries> {
  const taken = { published: 0, withdrawn: 0, failed: 0, isComplete: true, quietUntilMs: 0 };
  const faults: CrawlFault[] = [];
  const lagsMs: number[] = [];
  const context = contextOf(source, feed.entries, deps.siblingsOf(source));
  for (const entry of newestFirst(feed.entries)) {
    const outcome = await crawlOrStop(source, entry, context, deps, signal);
    if (outcome.kind === "host-quiet") {
      taken.quietUntilMs = outcome.untilMs;
      taken.isComplete = false;
      break;
    }
    if (outcome.kind === "published") {
      deps.onPublished(source.sourceId);
      const lagMs = deps.nowMs() - (entry.publishedAtMs ?? 0);
      if (outcome.isNew && previous !== undefined && lagMs < LAG_MS_MAX)
        lagsMs.push(Math.max(0, lagMs));
    }
    if (outcome.kind === "published" || outcome.kind === "withdrawn") taken[outcome.kind] += 1;
    if (outcome.kind !== "failed") continue;
    taken.failed += 1;
    if (outcome.passing) taken.isComplete = false;
    faults.push(faultOf(outcome.error, entry.link, deps.nowMs()));
    logFailure(source, entry, outcome.error, deps.log);
  }
  return { ...taken, faults: faults.toReversed(), lagsMs };
}

function contextOf(
  source: Source,
  entries: readonly FeedEntry[],
  siblings: FeedContext["siblings"],
): FeedContext {
  const seen = new Set<string>();
  const sharedKeys = new Set<string>();
  for (const { link, title, publishedAtMs } of entries) {
    const { sourceId } = source;
    const dated = publishedAtMs === undefined ? {} : { publishedAtMs };
    const article = { sourceId, url: link, canonicalUrl: link, title, ...dated };
    for (const key of identityKeysOf(article)) (seen.has(key) ? sharedKeys : seen).add(key);
  }
  const entryIds = new Set(entries.map((entry) => entryIdOf(source.sourceId, entry)));
  return { entryIds, sharedKeys, siblings };
}

export function faultOf(error: unknown, url: string, atMs: number): CrawlFault {
  const code = error instanceof FeedUnreadable ? error.code : failureCodeOf(error);
  const status = error instanceof FetchError ? error.status : undefined;
  return { code, atMs, url, ...(status === undefined ? {} : { status }) };
}

type EntryOutcome = ArticleOutcome | { readonly kind: "host-quiet"; readonly untilMs: number };

/** What was taken in before the host asked for quiet stays taken in. */
async function crawlOrStop(
  source: Source,
  entry: FeedEntry,
  context: FeedContext,
  deps: CrawlSourceDependencies,
  signal: AbortSignal,
): Promise<EntryOutcome> {
  try {
    return await crawlArticle(source, entry, context, deps, signal);
  } catch (error) {
    if (!(error instanceof FetchError) || error.code !== "backing-off") throw error;
    return { kind: "host-quiet", untilMs: error.retryAtMs ?? 0 };
  }
}

function logFailure(source: Source, entry: FeedEntry, error: unknown, log: Logger): void {
  const code = failureCodeOf(error);
  const line = { sourceId: source.sourceId, url: entry.link, code, err: error };
  log[code === "internal" ? "error" : "info"](line, "article set aside");
}

export function timeOf(entry: FeedEntry): number | undefined {
  return entry.publishedAtMs ?? entry.updatedAtMs;
}

export function newestFirst(entries: readonly FeedEntry[]): readonly FeedEntry[] {
  return [...entries].sort((a, b) => (timeOf(b) ?? 0) - (timeOf(a) ?? 0));
}

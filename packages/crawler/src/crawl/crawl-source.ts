import type { Source } from "@feed/domain/source";
import type { Logger } from "@feed/runtime";
import { FeedUnreadable } from "../feeds/feed-entry.ts";
import type { FeedEntry, ParsedFeed } from "../feeds/feed-entry.ts";
import { readFeed } from "../feeds/parse-feed.ts";
import { FetchError } from "../fetch/fetch-error.ts";
import type { Fetched } from "../fetch/safe-fetch.ts";
import { failureCodeOf, isOwnOutage } from "../ingest/failures.ts";
import { FEED_BYTES_MAX } from "../limits.ts";
import { retryAfterMs } from "../retry-after.ts";
import type { SourceCrawl } from "../state/crawl-state.ts";
import { crawlArticle } from "./crawl-article.ts";
import type { ArticleOutcome, CrawlArticleDependencies } from "./crawl-article.ts";
import { afterFailure, afterSuccess } from "./schedule.ts";
import { conditionalHeaders, validatorsOf } from "./validators.ts";

export interface CrawlReport {
  readonly sourceId: Source["sourceId"];
  /** `not-modified`: the feed is the one of last time. `failed`: it could not be read; see `error`. */
  readonly outcome: "crawled" | "not-modified" | "failed";
  readonly error?: string;
  readonly entries: number;
  readonly published: number;
  readonly withdrawn: number;
  /** Articles that could not be taken in. */
  readonly failed: number;
}

export interface CrawlSourceDependencies extends CrawlArticleDependencies {
  readonly log: Logger;
  /** After each published article. */
  readonly onPublished: (sourceId: Source["sourceId"]) => void;
}

const ACCEPT_FEED = [
  "application/feed+json,application/atom+xml,application/rss+xml,application/rdf+xml",
  "application/xml;q=0.9,text/xml;q=0.9,*/*;q=0.5",
].join(",");

/**
 * Crawls one source once: its feed, then what is new in it, newest first. A source's own failure is
 * a report, not an error, and says when it is due again.
 *
 * Errors: an outage of our own parts; the signal's reason.
 */
export async function crawlSource(
  source: Source,
  deps: CrawlSourceDependencies,
  signal: AbortSignal,
): Promise<CrawlReport> {
  const stored = deps.state.source(source.sourceId);
  const previous = stored?.feedUrl === source.feedUrl ? stored : undefined;
  try {
    const fetched = await fetchFeed(source, previous, deps, signal);
    if (fetched.status === 304) {
      const validators = previous?.validators ?? {};
      const crawl = afterSuccess(source, validators, previous, deps.nowMs());
      await deps.state.saveSource(source.sourceId, crawl);
      return { ...emptyReport(source), outcome: "not-modified" };
    }
    const feed = readFeed(fetched.bytes, fetched.headers["content-type"], fetched.url);
    return await crawlEntries(source, feed, fetched, previous, deps, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (isOwnOutage(error)) throw error;
    return noteFailure(source, error, previous, deps);
  }
}

async function fetchFeed(
  source: Source,
  previous: SourceCrawl | undefined,
  deps: CrawlSourceDependencies,
  signal: AbortSignal,
): Promise<Fetched> {
  const isConditional = previous !== undefined && deps.nowMs() < previous.recheckFromMs;
  const fetched = await deps.fetch.get(source.feedUrl, {
    accept: ACCEPT_FEED,
    bytesMax: FEED_BYTES_MAX,
    headers: isConditional ? conditionalHeaders(previous.validators) : {},
    signal,
  });
  if (fetched.status === 200 || (fetched.status === 304 && isConditional)) return fetched;
  const { status, headers } = fetched;
  const askedMs = retryAfterMs(headers["retry-after"], deps.nowMs());
  throw new FetchError("bad-status", `${source.feedUrl} answered ${status}`, {
    status,
    ...(askedMs === undefined ? {} : { retryAtMs: deps.nowMs() + askedMs }),
  });
}

async function crawlEntries(
  source: Source,
  feed: ParsedFeed,
  fetched: Fetched,
  previous: SourceCrawl | undefined,
  deps: CrawlSourceDependencies,
  signal: AbortSignal,
): Promise<CrawlReport> {
  const counts = { published: 0, withdrawn: 0, failed: 0 };
  let isComplete = true;
  let quietUntilMs = 0;
  for (const entry of newestFirst(feed.entries)) {
    const outcome = await crawlOrStop(source, entry, deps, signal);
    if (outcome.kind === "host-quiet") {
      quietUntilMs = outcome.untilMs;
      isComplete = false;
      break;
    }
    if (outcome.kind === "published") deps.onPublished(source.sourceId);
    if (outcome.kind in counts) counts[outcome.kind as keyof typeof counts] += 1;
    if (outcome.kind !== "failed") continue;
    if (outcome.passing) isComplete = false;
    logFailure(source, entry, outcome.error, deps.log);
  }
  // Validators would hide from the next crawl what this one has yet to fetch.
  const validators = isComplete ? validatorsOf(fetched) : {};
  const crawl = afterSuccess(source, validators, previous, deps.nowMs());
  const nextDueMs = Math.max(crawl.nextDueMs, quietUntilMs);
  await deps.state.saveSource(source.sourceId, { ...crawl, nextDueMs });
  return { ...emptyReport(source), outcome: "crawled", entries: feed.entries.length, ...counts };
}

type EntryOutcome = ArticleOutcome | { readonly kind: "host-quiet"; readonly untilMs: number };

/** What was taken in before the host asked for quiet stays taken in. */
async function crawlOrStop(
  source: Source,
  entry: FeedEntry,
  deps: CrawlSourceDependencies,
  signal: AbortSignal,
): Promise<EntryOutcome> {
  try {
    return await crawlArticle(source, entry, deps, signal);
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

async function noteFailure(
  source: Source,
  error: unknown,
  previous: SourceCrawl | undefined,
  deps: CrawlSourceDependencies,
): Promise<CrawlReport> {
  const code = error instanceof FeedUnreadable ? error.code : failureCodeOf(error);
  const retryAtMs = error instanceof FetchError ? error.retryAtMs : undefined;
  const crawl = afterFailure(source, code, retryAtMs, previous, deps.nowMs());
  await deps.state.saveSource(source.sourceId, crawl);
  const level = code === "internal" ? "error" : "warn";
  deps.log[level](
    { sourceId: source.sourceId, feedUrl: source.feedUrl, code, err: error },
    "source could not be crawled",
  );
  return { ...emptyReport(source), outcome: "failed", error: code };
}

function newestFirst(entries: readonly FeedEntry[]): readonly FeedEntry[] {
  const timeOf = (entry: FeedEntry): number => entry.publishedAtMs ?? entry.updatedAtMs ?? 0;
  return [...entries].sort((a, b) => timeOf(b) - timeOf(a));
}

function emptyReport(source: Source): Omit<CrawlReport, "outcome"> {
  return { sourceId: source.sourceId, entries: 0, published: 0, withdrawn: 0, failed: 0 };
}

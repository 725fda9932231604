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
import type { CrawlFault, SourceCrawl } from "../state/crawl-state.ts";
import { identityKeysOf } from "../identity.ts";
import { crawlArticle, entryIdOf } from "./crawl-article.ts";
import type { ArticleOutcome, CrawlArticleDependencies, FeedContext } from "./crawl-article.ts";
import { afterFailure, afterSuccess, freshForMs, isRecrawlDue, paceOf } from "./schedule.ts";
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
  /** What the answer changes about the source: its feed moved for good, or is gone for good. */
  readonly change?: Partial<Pick<Source, "feedUrl" | "paused" | "pausedReason">>;
}

export interface CrawlSourceDependencies extends CrawlArticleDependencies {
  readonly log: Logger;
  /** After each published article. */
  readonly onPublished: (sourceId: Source["sourceId"]) => void;
}

/** An article that comes later was not late, it was put in later. */
const LAG_MS_MAX = 24 * 3_600_000;

export const ACCEPT_FEED = [
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
  const crawl = { source, previous, startedAtMs: deps.nowMs(), deps };
  try {
    await deps.ingest.refresh();
    const fetched = await fetchFeed(crawl, signal);
    if (fetched.status === 304) return await noteNotModified(crawl, fetched);
    const feed = readFeed(fetched.bytes, fetched.headers["content-type"], fetched.url);
    return await crawlEntries(crawl, feed, fetched, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (isOwnOutage(error)) throw error;
    return noteFailure(crawl, error);
  }
}

/** One crawl of one source. */
interface Crawl {
  readonly source: Source;
  readonly previous: SourceCrawl | undefined;
  readonly startedAtMs: number;
  readonly deps: CrawlSourceDependencies;
}

async function noteNotModified(crawl: Crawl, { headers }: Fetched): Promise<CrawlReport> {
  const { source, previous, startedAtMs, deps } = crawl;
  const result = {
    startedAtMs,
    validators: previous?.validators ?? {},
    pace: undefined,
    freshForMs: freshForMs(headers),
    faults: [],
    lagsMs: [],
  };
  const next = afterSuccess(source, result, previous, deps.nowMs());
  await deps.state.saveSource(source.sourceId, next);
  return { ...emptyReport(source), outcome: "not-modified" };
}

async function fetchFeed({ source, previous, deps }: Crawl, signal: AbortSignal): Promise<Fetched> {
  const nowMs = deps.nowMs();
  const isConditional =
    previous !== undefined &&
    nowMs < previous.recheckFromMs &&
    !isRecrawlDue(source, previous, nowMs);
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
  crawl: Crawl,
  feed: ParsedFeed,
  fetched: Fetched,
  signal: AbortSignal,
): Promise<CrawlReport> {
  const { source, previous, startedAtMs, deps } = crawl;
  const taken = await takeEntries(crawl, feed, signal);
  const result = {
    startedAtMs,
    // Validators would hide from the next crawl what this one has yet to fetch.
    validators: taken.isComplete ? validatorsOf(fetched) : {},
    pace: paceOf(feed.entries.map(timeOf), deps.nowMs()),
    freshForMs: freshForMs(fetched.headers),
    faults: taken.faults.toReversed(),
    lagsMs: taken.lagsMs,
  };
  const change = movedFeed(source, fetched, feed);
  const next = afterSuccess({ ...source, ...change }, result, previous, deps.nowMs());
  const nextDueMs = Math.max(next.nextDueMs, taken.quietUntilMs);
  await deps.state.saveSource(source.sourceId, { ...next, nextDueMs });
  const { published, withdrawn, failed } = taken;
  const counts = { entries: feed.entries.length, published, withdrawn, failed };
  const report = { ...emptyReport(source), outcome: "crawled", ...counts } as const;
  return change === undefined ? report : { ...report, change };
}

/** An empty page behind a redirect is no feed to move to. */
function movedFeed(source: Source, { movedTo }: Fetched, feed: ParsedFeed): CrawlReport["change"] {
  const isMove = movedTo !== undefined && movedTo !== source.feedUrl && feed.entries.length > 0;
  return isMove ? { feedUrl: movedTo } : undefined;
}

async function takeEntries(
  { source, previous, deps }: Crawl,
  feed: ParsedFeed,
  signal: AbortSignal,
) {
  const taken = { published: 0, withdrawn: 0, failed: 0, isComplete: true, quietUntilMs: 0 };
  const faults: CrawlFault[] = [];
  const lagsMs: number[] = [];
  const context = contextOf(source, feed.entries);
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
  return { ...taken, faults, lagsMs };
}

function contextOf(source: Source, entries: readonly FeedEntry[]): FeedContext {
  const seen = new Set<string>();
  const sharedKeys = new Set<string>();
  for (const { link, title, publishedAtMs } of entries) {
    const { sourceId } = source;
    const dated = publishedAtMs === undefined ? {} : { publishedAtMs };
    const article = { sourceId, url: link, canonicalUrl: link, title, ...dated };
    for (const key of identityKeysOf(article)) (seen.has(key) ? sharedKeys : seen).add(key);
  }
  return { entryIds: new Set(entries.map((entry) => entryIdOf(source, entry))), sharedKeys };
}

function faultOf(error: unknown, url: string, atMs: number): CrawlFault {
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

async function noteFailure(crawl: Crawl, error: unknown): Promise<CrawlReport> {
  const { source, previous, startedAtMs, deps } = crawl;
  const fault = faultOf(error, source.feedUrl, deps.nowMs());
  const retryAtMs = error instanceof FetchError ? error.retryAtMs : undefined;
  const next = afterFailure(source, fault, { startedAtMs, retryAtMs }, previous);
  await deps.state.saveSource(source.sourceId, next);
  const { code } = fault;
  const level = code === "internal" ? "error" : "warn";
  deps.log[level](
    { sourceId: source.sourceId, feedUrl: source.feedUrl, code, err: error },
    "source could not be crawled",
  );
  const report = { ...emptyReport(source), outcome: "failed", error: code } as const;
  if (fault.status !== 410) return report;
  return { ...report, change: { paused: true, pausedReason: "The feed answered 410 Gone." } };
}

function timeOf(entry: FeedEntry): number | undefined {
  return entry.publishedAtMs ?? entry.updatedAtMs;
}

function newestFirst(entries: readonly FeedEntry[]): readonly FeedEntry[] {
  return [...entries].sort((a, b) => (timeOf(b) ?? 0) - (timeOf(a) ?? 0));
}

function emptyReport(source: Source): Omit<CrawlReport, "outcome"> {
  return { sourceId: source.sourceId, entries: 0, published: 0, withdrawn: 0, failed: 0 };
}

import type { Source } from "@feed/domain/source";
import { FetchError } from "@feed/safe-fetch";
import type { Fetched } from "@feed/safe-fetch";
import type { ParsedFeed } from "../feeds/feed-entry.ts";
import { readFeed } from "../feeds/parse-feed.ts";
import { isOwnOutage } from "../ingest/failures.ts";
import { FEED_BYTES_MAX } from "../limits.ts";
import { retryAfterMs } from "../retry-after.ts";
import { announcedHub } from "../websub/hub-links.ts";
import type { AnnouncedHub } from "../websub/hub-links.ts";
import { afterFailure, afterSuccess, freshForMs, isRecrawlDue, paceOf } from "./schedule.ts";
import { lookAfterDeparted } from "./departures.ts";
import { faultOf, newestFirst, takeEntries, timeOf } from "./take-entries.ts";
import type { CrawlSourceDependencies, EntriesOf } from "./take-entries.ts";
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
  /** The hub that the feed names, null where it names none; absent where that can't be said. */
  readonly hub?: AnnouncedHub | null;
}

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
interface Crawl extends EntriesOf {
  readonly startedAtMs: number;
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
    isComplete: true,
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
  const departed = await lookAfterDeparted(source, newestFirst(feed.entries), deps, signal);
  const taken = await takeEntries(crawl, feed, signal);
  const result = {
    startedAtMs,
    // Validators would hide from the next crawl what this one has yet to fetch.
    validators: taken.isComplete ? validatorsOf(fetched) : {},
    pace: paceOf(feed.entries.map(timeOf), previous?.pace, deps.nowMs()),
    freshForMs: freshForMs(fetched.headers),
    faults: taken.faults,
    lagsMs: taken.lagsMs,
    isComplete: taken.isComplete,
  };
  const change = movedFeed(source, fetched, feed);
  const next = afterSuccess({ ...source, ...change }, result, previous, deps.nowMs());
  const nextDueMs = Math.max(next.nextDueMs, taken.quietUntilMs);
  await deps.state.saveSource(source.sourceId, { ...next, nextDueMs });
  const hub = announcedHub(fetched, feed.hubLinks ?? { hubs: [] }) ?? null;
  const withdrawn = taken.withdrawn + departed.withdrawn;
  const report = { ...crawledReport(source, feed, { ...taken, withdrawn }), hub };
  return change === undefined ? report : { ...report, change };
}

/** An empty page behind a redirect is no feed to move to. */
function movedFeed(source: Source, { movedTo }: Fetched, feed: ParsedFeed): CrawlReport["change"] {
  const isMove = movedTo !== undefined && movedTo !== source.feedUrl && feed.entries.length > 0;
  return isMove ? { feedUrl: movedTo } : undefined;
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

/** What was taken in of a feed. */
export function crawledReport(
  source: Source,
  { entries }: ParsedFeed,
  { published, withdrawn, failed }: Pick<CrawlReport, "published" | "withdrawn" | "failed">,
): CrawlReport {
  const { sourceId } = source;
  return { sourceId, outcome: "crawled", entries: entries.length, published, withdrawn, failed };
}

function emptyReport(source: Source): Omit<CrawlReport, "outcome"> {
  return { sourceId: source.sourceId, entries: 0, published: 0, withdrawn: 0, failed: 0 };
}

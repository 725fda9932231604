import type { Source } from "@feed/domain/source";
import { BACK_OFF_MS_MAX } from "../limits.ts";
import type { CrawlFault, PublicationPace, SourceCrawl } from "../state/crawl-state.ts";

/** A young article is looked at again after this, an older one after half its age: corrections come early. */
const RECHECK_MS_MIN = 3_600_000;
/** After that an article stays as it is. */
export const RECHECK_AGE_MS_MAX = 30 * 24 * 3_600_000;
/** However often its owner wants it. */
const INTERVAL_MS_MIN = 5_000;
/** A feed is asked this often for each article its source publishes. */
const FETCHES_PER_ARTICLE = 15;
/** The newest entries tell the pace: enough to see a day's rhythm through. */
const PACE_ENTRIES_MAX = 20;
const DAY_MS = 24 * 3_600_000;
/** A week and a day: after a quiet weekend, Monday is awaited as last Monday was. */
const PACE_DAYS_MAX = 8;
/** A feed that says it is fresh for longer is asked after this all the same. */
const MAX_AGE_MS_MAX = 3_600_000;
const FAULTS_MAX = 10;
const OUTCOMES_MAX = 50;
/** How much the latest article says of the lag. */
const LAG_WEIGHT = 0.2;

/** Whether an article that was looked at then should be looked at again. */
export function isRecheckDue(
  checkedAtMs: number,
  publishedAtMs: number | undefined,
  nowMs: number,
): boolean {
  const ageMs = nowMs - (publishedAtMs ?? checkedAtMs);
  if (ageMs > RECHECK_AGE_MS_MAX) return false;
  return nowMs - checkedAtMs >= Math.max(RECHECK_MS_MIN, ageMs / 2);
}

/**
 * How often a source publishes, by the times of its feed's entries and what was seen of it before; undefined where
 * they have none.
 */
export function paceOf(
  publishedAtMs: readonly (number | undefined)[],
  before: PublicationPace | undefined,
  nowMs: number,
): PublicationPace | undefined {
  const newest = publishedAtMs
    .filter((timeMs) => timeMs !== undefined && timeMs <= nowMs)
    .map(Number)
    .toSorted((a, b) => b - a)
    .slice(0, PACE_ENTRIES_MAX);
  const sinceMs = newest.at(-1);
  if (sinceMs === undefined) return undefined;
  const entries = newest.length;
  const today = Math.floor(nowMs / DAY_MS);
  const days = before?.days ?? [];
  const known = days.find(({ day }) => day === today)?.gapMs ?? Infinity;
  const gapMs = Math.min(known, (nowMs - sinceMs) / entries);
  const others = days.filter(({ day }) => day !== today && today - day < PACE_DAYS_MAX);
  return { entries, sinceMs, days: [...others, { day: today, gapMs }] };
}

/**
 * The time until the feed is asked again: between the source's bounds, the shorter the more it publishes, or has
 * published in its busiest hours of the last days. A source of twenty articles a day is asked every five minutes or
 * as often as its bound allows.
 */
export function intervalOf(
  source: IntervalBounds,
  pace: PublicationPace | undefined,
  nowMs: number,
): number {
  const shortestMs = shortestIntervalOf(source);
  if (pace === undefined) return shortestMs;
  const today = Math.floor(nowMs / DAY_MS);
  const days = (pace.days ?? []).filter(({ day }) => today - day < PACE_DAYS_MAX);
  const gapNowMs = (nowMs - pace.sinceMs) / pace.entries;
  const gapMs = Math.min(gapNowMs, ...days.map((day) => day.gapMs));
  const wantedMs = Math.round(gapMs / FETCHES_PER_ARTICLE);
  return Math.min(longestIntervalOf(source), Math.max(shortestMs, wantedMs));
}

type IntervalBounds = Pick<Source, "crawlIntervalMs" | "crawlIntervalMsMax">;

function shortestIntervalOf(source: IntervalBounds): number {
  return Math.max(INTERVAL_MS_MIN, source.crawlIntervalMs);
}

function longestIntervalOf(source: IntervalBounds): number {
  const shortestMs = shortestIntervalOf(source);
  return Math.max(shortestMs, source.crawlIntervalMsMax ?? shortestMs);
}

/**
 * When a source is polled. While a hub pushes what it publishes, that is as seldom as its bound allows; when the hub
 * stops, at its own pace again.
 */
export function dueMsOf(source: IntervalBounds, crawl: SourceCrawl, isPushed: boolean): number {
  const { nextDueMs, startedAtMs = 0, isIncomplete = false } = crawl;
  if (!isPushed || isIncomplete) return nextDueMs;
  return Math.max(nextDueMs, startedAtMs + longestIntervalOf(source));
}

/** The time between two polls as `dueMsOf` has it. */
export function pollIntervalOf(
  source: IntervalBounds,
  pace: PublicationPace | undefined,
  { isPushed, nowMs }: { readonly isPushed: boolean; readonly nowMs: number },
): number {
  return isPushed ? longestIntervalOf(source) : intervalOf(source, pace, nowMs);
}

/** How long an answer says that it stays fresh (RFC 9111, 4.2.1), as far as it is believed. */
export function freshForMs(headers: Readonly<Record<string, string>>): number {
  const directives = (headers["cache-control"] ?? "").toLowerCase();
  if (/\bno-(cache|store)\b/.test(directives)) return 0;
  const seconds = /(?:^|[,\s])max-age="?(\d{1,9})/.exec(directives)?.[1];
  const ageSeconds = /^\d{1,9}$/.exec(headers["age"] ?? "")?.[0] ?? 0;
  const freshMs = (Number(seconds ?? 0) - Number(ageSeconds)) * 1_000;
  return Math.min(MAX_AGE_MS_MAX, Math.max(0, freshMs));
}

/** Whether the source's next crawl looks at everything again. */
export function isRecrawlDue(
  source: Pick<Source, "recrawlFromMs">,
  previous: SourceCrawl | undefined,
  nowMs: number,
): boolean {
  const { recrawlFromMs } = source;
  if (recrawlFromMs === undefined || recrawlFromMs > nowMs) return false;
  return previous?.startedAtMs !== undefined && previous.startedAtMs < recrawlFromMs;
}

/** What a crawl saw that read its feed. */
export interface CrawlResult {
  readonly startedAtMs: number;
  readonly validators: SourceCrawl["validators"];
  /** Undefined: as it was. */
  readonly pace: PublicationPace | undefined;
  readonly freshForMs: number;
  /** Newest first. */
  readonly faults: readonly CrawlFault[];
  /** Of the articles it published, oldest first. */
  readonly lagsMs: readonly number[];
  readonly isComplete: boolean;
}

/** How a source stands after a crawl that read its feed. */
export function afterSuccess(
  source: Source,
  result: CrawlResult,
  previous: SourceCrawl | undefined,
  nowMs: number,
): SourceCrawl {
  const isForced = isRecrawlDue(source, previous, nowMs);
  const wasUnconditional = previous === undefined || isForced || nowMs >= previous.recheckFromMs;
  const pace = result.pace ?? previous?.pace;
  const lagMs = smoothedLag(previous?.lagMs, result.lagsMs);
  return {
    feedUrl: source.feedUrl,
    validators: result.validators,
    nextDueMs: nowMs + Math.max(intervalOf(source, pace, nowMs), result.freshForMs),
    recheckFromMs: wasUnconditional ? nowMs + RECHECK_MS_MIN : previous.recheckFromMs,
    startedAtMs: result.startedAtMs,
    lastSuccessMs: nowMs,
    failuresInRow: 0,
    faults: [...result.faults, ...(previous?.faults ?? [])].slice(0, FAULTS_MAX),
    outcomes: [true, ...(previous?.outcomes ?? [])].slice(0, OUTCOMES_MAX),
    ...(pace === undefined ? {} : { pace }),
    ...(lagMs === undefined ? {} : { lagMs }),
    ...(result.isComplete ? {} : { isIncomplete: true }),
  };
}

/** After a push was crawled: as before, but for what it brought, and sooner polled where it could not be all had. */
export function afterPush(
  source: Source,
  taken: Pick<CrawlResult, "faults" | "lagsMs" | "isComplete"> & { readonly quietUntilMs: number },
  previous: SourceCrawl,
  nowMs: number,
): SourceCrawl {
  const lagMs = smoothedLag(previous.lagMs, taken.lagsMs);
  const soonMs = nowMs + intervalOf(source, previous.pace, nowMs);
  const nextDueMs = Math.max(previous.nextDueMs, soonMs, taken.quietUntilMs);
  return {
    ...previous,
    lastSuccessMs: nowMs,
    faults: [...taken.faults, ...previous.faults].slice(0, FAULTS_MAX),
    ...(lagMs === undefined ? {} : { lagMs }),
    ...(taken.isComplete ? {} : { isIncomplete: true, validators: {}, nextDueMs }),
  };
}

/** After one that did not: the interval doubles with each further failure, or is what the host asked for. */
export function afterFailure(
  source: Source,
  fault: CrawlFault,
  at: { readonly startedAtMs: number; readonly retryAtMs: number | undefined },
  previous: SourceCrawl | undefined,
): SourceCrawl {
  const nowMs = fault.atMs;
  const failuresInRow = (previous?.failuresInRow ?? 0) + 1;
  const intervalMs = Math.max(INTERVAL_MS_MIN, source.crawlIntervalMs);
  const waitMs = Math.min(BACK_OFF_MS_MAX, intervalMs * 2 ** Math.min(failuresInRow - 1, 20));
  // A wish to look at everything again outlives the failure.
  const isForced = isRecrawlDue(source, previous, nowMs);
  return {
    ...previous,
    feedUrl: source.feedUrl,
    validators: isForced ? {} : (previous?.validators ?? {}),
    recheckFromMs: previous?.recheckFromMs ?? 0,
    nextDueMs: Math.max(nowMs + waitMs, at.retryAtMs ?? 0),
    startedAtMs: at.startedAtMs,
    failuresInRow,
    faults: [fault, ...(previous?.faults ?? [])].slice(0, FAULTS_MAX),
    outcomes: [false, ...(previous?.outcomes ?? [])].slice(0, OUTCOMES_MAX),
  };
}

function smoothedLag(before: number | undefined, lagsMs: readonly number[]): number | undefined {
  return lagsMs.reduce<number | undefined>(
    (smoothed, lagMs) =>
      smoothed === undefined ? lagMs : Math.round(smoothed + LAG_WEIGHT * (lagMs - smoothed)),
    before,
  );
}

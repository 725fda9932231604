import type { Source } from "@feed/domain/source";
import { BACK_OFF_MS_MAX } from "../limits.ts";
import type { SourceCrawl } from "../state/crawl-state.ts";

/** A young article is looked at again after this, an older one after half its age: corrections come early. */
const RECHECK_MS_MIN = 3_600_000;
/** After that an article stays as it is. */
const RECHECK_AGE_MS_MAX = 30 * 24 * 3_600_000;
/** However often its owner wants it. */
const INTERVAL_MS_MIN = 5_000;

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

/** How a source stands after a crawl that read its feed. */
export function afterSuccess(
  source: Source,
  validators: SourceCrawl["validators"],
  previous: SourceCrawl | undefined,
  nowMs: number,
): SourceCrawl {
  const wasUnconditional = previous === undefined || nowMs >= previous.recheckFromMs;
  return {
    feedUrl: source.feedUrl,
    validators,
    nextDueMs: nowMs + Math.max(INTERVAL_MS_MIN, source.crawlIntervalMs),
    recheckFromMs: wasUnconditional ? nowMs + RECHECK_MS_MIN : previous.recheckFromMs,
    lastSuccessMs: nowMs,
    failuresInRow: 0,
  };
}

/** After one that did not: the interval doubles with each further failure, or is what the host asked for. */
export function afterFailure(
  source: Source,
  code: string,
  retryAtMs: number | undefined,
  previous: SourceCrawl | undefined,
  nowMs: number,
): SourceCrawl {
  const failuresInRow = (previous?.failuresInRow ?? 0) + 1;
  const intervalMs = Math.max(INTERVAL_MS_MIN, source.crawlIntervalMs);
  const waitMs = Math.min(BACK_OFF_MS_MAX, intervalMs * 2 ** Math.min(failuresInRow - 1, 20));
  return {
    feedUrl: source.feedUrl,
    validators: previous?.validators ?? {},
    recheckFromMs: previous?.recheckFromMs ?? 0,
    ...(previous?.lastSuccessMs === undefined ? {} : { lastSuccessMs: previous.lastSuccessMs }),
    nextDueMs: Math.max(nowMs + waitMs, retryAtMs ?? 0),
    lastError: { code, atMs: nowMs },
    failuresInRow,
  };
}

import { FetchError } from "@feed/safe-fetch";
import type { Fetched } from "@feed/safe-fetch";
import { addressKeysOf, canonicalUrlOf } from "../identity.ts";
import { isPassing } from "../ingest/failures.ts";
import { PAGE_BYTES_MAX } from "../limits.ts";
import type { KnownArticle, Look } from "../state/crawl-state.ts";
import type { CrawlArticleDependencies } from "./crawl-article.ts";
import { RECHECK_AGE_MS_MAX } from "./schedule.ts";
import { conditionalHeaders, validatorsOf } from "./validators.ts";

/** A page seen missing this often in a row is gone; 410 says so at once. */
export const MISSING_MAX = 2;
export const GONE_STATUSES = new Set([404, 410]);
/** Between the first time a page is missing and the second: a vanished article is to be out of feeds in a minute. */
export const MISSING_AGAIN_MS = 30_000;
/** An article that has left its feed is looked at after a day, later after half its age. */
const DEPARTED_MS_MIN = 24 * 3_600_000;
const TROUBLE_MS = 3_600_000;

/**
 * Whether the page of an article is still there. Gone, it is withdrawn; moved for good, it is known by its new
 * address from now on.
 *
 * Errors: an outage of our own parts; the signal's reason.
 */
export async function lookAgain(
  look: Look,
  deps: CrawlArticleDependencies,
  signal: AbortSignal,
): Promise<"there" | "missing" | "withdrawn" | "unknown"> {
  const { articleId } = look;
  const known = deps.state.article(articleId);
  if (known === undefined || known.withdrawn) {
    await deps.state.saveLook(articleId, undefined);
    return "unknown";
  }
  const fetched = await fetchOrNextMs(look, deps, signal);
  if (typeof fetched === "number") {
    await deps.state.saveLook(articleId, nextLook(look, known, fetched));
    return "unknown";
  }
  if (GONE_STATUSES.has(fetched.status))
    return await noteMissing(look, fetched.status, deps, signal);
  const isThere = fetched.status === 200 || fetched.status === 304;
  if (isThere) await noteThere(look, fetched, deps);
  const nowMs = deps.nowMs();
  const waitMs = Math.max(DEPARTED_MS_MIN, (nowMs - known.publishedAtMs) / 2);
  const dueMs = nowMs + (isThere ? waitMs : TROUBLE_MS);
  const validators = fetched.status === 200 ? { pageValidators: validatorsOf(fetched) } : {};
  const next = isThere && look.isListed ? undefined : nextLook(look, known, dueMs);
  await deps.state.saveLook(articleId, next && { ...next, ...validators, missing: 0 });
  return isThere ? "there" : "unknown";
}

/** The answer, or when to ask again; Infinity: never. */
async function fetchOrNextMs(
  look: Look,
  { fetch, nowMs }: CrawlArticleDependencies,
  signal: AbortSignal,
): Promise<Fetched | number> {
  try {
    return await fetch.get(look.link, {
      accept: "text/html,application/xhtml+xml;q=0.9",
      bytesMax: PAGE_BYTES_MAX,
      headers: conditionalHeaders(look.pageValidators),
      signal,
    });
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    if (error.code !== "backing-off" && !isPassing(error)) return Infinity;
    return error.retryAtMs ?? nowMs() + TROUBLE_MS;
  }
}

async function noteMissing(
  look: Look,
  status: number,
  { ingest, state, nowMs }: CrawlArticleDependencies,
  signal: AbortSignal,
): Promise<"missing" | "withdrawn"> {
  const missing = look.missing + 1;
  const isGone = status === 410 || missing >= MISSING_MAX;
  if (isGone) await ingest.withdraw(look.articleId, look.sourceId, signal);
  const again = { ...look, missing, pageValidators: {}, dueMs: nowMs() + MISSING_AGAIN_MS };
  await state.saveLook(look.articleId, isGone ? undefined : again);
  return isGone ? "withdrawn" : "missing";
}

/** Where it has moved for good, its feed may name it next, under whatever id. */
async function noteThere(
  { articleId, sourceId, entryId }: Look,
  { movedTo }: Fetched,
  { state }: CrawlArticleDependencies,
): Promise<void> {
  const entry = state.entry(entryId);
  if (entry !== undefined && entry.missing > 0)
    await state.saveEntry(entryId, { ...entry, missing: 0 });
  if (movedTo === undefined) return;
  const url = canonicalUrlOf(movedTo);
  const keys = addressKeysOf({ sourceId, url, canonicalUrl: url });
  await state.saveArticles(new Map(), new Map(keys.map((key) => [key, articleId])));
}

/** Articles stay as they are after a while. */
function nextLook(look: Look, { publishedAtMs }: KnownArticle, dueMs: number): Look | undefined {
  return dueMs - publishedAtMs > RECHECK_AGE_MS_MAX ? undefined : { ...look, dueMs };
}

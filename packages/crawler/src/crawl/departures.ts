import type { ContentId } from "@feed/domain/ids";
import type { Source } from "@feed/domain/source";
import type { FeedEntry } from "../feeds/feed-entry.ts";
import type { ListedEntry, Look } from "../state/crawl-state.ts";
import { lookAgain } from "./look-again.ts";
import { entryIdOf } from "./same-article.ts";
import type { CrawlSourceDependencies } from "./take-entries.ts";

/** Entries taken out of one feed that are looked at at once; a feed that was filled anew loses all of them. */
const LOOKS_AT_ONCE_MAX = 10;
const LATER_MS = 24 * 3_600_000;

/**
 * Looks after the articles that have left a feed since it was last read. One that was taken out from between others
 * is looked at now: it is gone, or it has moved and comes back under another address. One that fell off the end is
 * looked at from time to time.
 *
 * Errors: an outage of our own parts; the signal's reason.
 */
export async function lookAfterDeparted(
  source: Source,
  entries: readonly FeedEntry[],
  deps: CrawlSourceDependencies,
  signal: AbortSignal,
): Promise<{ readonly withdrawn: number }> {
  const { sourceId } = source;
  const listed = entries.map((entry) => ({
    entryId: entryIdOf(sourceId, entry),
    link: entry.link,
  }));
  const before = deps.state.listing(sourceId);
  const { taken, fallen } = departed(before, new Set(listed.map(({ entryId }) => entryId)));
  let withdrawn = 0;
  for (const [at, entry] of taken.entries()) {
    const look = lookOf(source, entry, deps, deps.nowMs());
    // A feed by popularity lets its articles come and go.
    if (look === undefined || deps.state.look(look.articleId) !== undefined) continue;
    if (at >= LOOKS_AT_ONCE_MAX) await deps.state.saveLook(look.articleId, look);
    else if ((await lookAgain(look, deps, signal)) === "withdrawn") withdrawn += 1;
  }
  for (const entry of fallen) {
    const look = lookOf(source, entry, deps, deps.nowMs() + LATER_MS);
    if (look !== undefined) await deps.state.saveLook(look.articleId, look);
  }
  await deps.state.saveListing(sourceId, listed);
  return { withdrawn };
}

/** Both lists are newest first, so what is behind the last one that stayed has fallen off the end. */
function departed(before: readonly ListedEntry[], now: ReadonlySet<ContentId>) {
  const lastStayed = before.findLastIndex(({ entryId }) => now.has(entryId));
  const isGone = ({ entryId }: ListedEntry): boolean => !now.has(entryId);
  return {
    taken: before.slice(0, Math.max(0, lastStayed)).filter(isGone),
    fallen: before.slice(lastStayed + 1).filter(isGone),
  };
}

function lookOf(
  { sourceId }: Source,
  { entryId, link }: ListedEntry,
  { state }: CrawlSourceDependencies,
  dueMs: number,
): Look | undefined {
  const entry = state.entry(entryId);
  const articleId = entry?.articleId ?? entryId;
  const isOurs = entry?.ofSource === undefined && state.article(articleId)?.withdrawn === false;
  if (!isOurs) return undefined;
  const pageValidators = entry?.pageValidators ?? {};
  return { articleId, sourceId, entryId, link, dueMs, missing: 0, isListed: false, pageValidators };
}

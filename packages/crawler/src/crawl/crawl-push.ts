import type { Source } from "@feed/domain/source";
import type { ParsedFeed } from "../feeds/feed-entry.ts";
import { readFeed } from "../feeds/parse-feed.ts";
import type { Push } from "../websub/subscriptions.ts";
import { crawledReport, crawlSource } from "./crawl-source.ts";
import type { CrawlReport } from "./crawl-source.ts";
import { afterPush } from "./schedule.ts";
import { takeEntries } from "./take-entries.ts";
import type { CrawlSourceDependencies } from "./take-entries.ts";

/**
 * Crawls what a hub pushed: the feed, or its new entries alone. What can't be read as a feed is taken for a sign that
 * there is something new: the feed is fetched. The next poll, the pace and the validators stay as they are.
 *
 * Errors: as `crawlSource`.
 */
export async function crawlPush(
  source: Source,
  push: Push,
  deps: CrawlSourceDependencies,
  signal: AbortSignal,
): Promise<CrawlReport> {
  const previous = deps.state.source(source.sourceId);
  // Without a poll before, there is no state to add to.
  if (previous?.feedUrl !== source.feedUrl) return crawlSource(source, deps, signal);
  const feed = readPushed(source, push, deps);
  if (feed === undefined) return crawlSource(source, deps, signal);
  await deps.ingest.refresh();
  const taken = await takeEntries({ source, previous, deps }, feed, signal);
  const next = afterPush(source, taken, previous, deps.nowMs());
  await deps.state.saveSource(source.sourceId, next);
  return crawledReport(source, feed, taken);
}

function readPushed(
  source: Source,
  push: Push,
  { log }: CrawlSourceDependencies,
): ParsedFeed | undefined {
  try {
    return readFeed(push.bytes, push.contentType, source.feedUrl);
  } catch (error) {
    // A hub's bytes, whatever they do to a parser, are no reason to stop crawling.
    log.warn({ sourceId: source.sourceId, err: error }, "what was pushed is no feed");
    return undefined;
  }
}

import { setImmediate } from "node:timers/promises";
import { DUPLICATE_FINDER_DEFAULTS, duplicateSignature } from "@feed/article-analysis";
import type { DuplicateFinder } from "@feed/article-analysis";
import type { Article } from "@feed/domain/article";
import type { ContentFact } from "@feed/domain/facts";
import type { ContentId } from "@feed/domain/ids";
import type { LogRecord } from "@feed/event-log";
import { identityKeysOf } from "../identity.ts";
import type { KnownArticle } from "../state/crawl-state.ts";
import type { IngestDependencies } from "./dependencies.ts";
import { fingerprintOfArticle } from "./prepare-article.ts";
import { knownArticleOf, withdrawnArticleOf } from "./publish-articles.ts";

const RECORDS_PER_READ_MAX = 500;
/**
 * Newest records of each partition that near-duplicates are looked for in: 16 partitions hold
 * 32,000 articles.
 */
const RECENT_RECORDS_PER_PARTITION_MAX = 2_000;

type CatchUpDependencies = Pick<
  IngestDependencies,
  "eventLog" | "codec" | "state" | "clock" | "log"
>;

/** Of an article, what the finder of near-duplicates is told: 32,000 whole ones would be 200 MB. */
type Recent = Pick<Article, "contentId" | "publishedAtMs" | "duplicateGroup"> & {
  readonly signature: Uint32Array;
};

/**
 * Reads `contents` at start: what the state does not know yet goes in (all of it, where the state
 * was lost, so that revisions go on counting), and the newest articles go to the finder of
 * near-duplicates.
 *
 * Errors: LogUnavailable, CrawlStateUnavailable.
 */
export async function catchUp(deps: CatchUpDependencies, finder: DuplicateFinder): Promise<void> {
  const ends = await deps.eventLog.endOffsets("contents");
  const offsets = deps.state.logOffsets();
  const recent = new Map<ContentId, Recent>();
  for (const [partition, end] of ends.entries()) {
    const unknownFrom = offsets.get(partition) ?? 0;
    let at = Math.min(unknownFrom, Math.max(0, end - RECENT_RECORDS_PER_PARTITION_MAX));
    while (at < end) {
      const batch = await deps.eventLog.read("contents", partition, at, RECORDS_PER_READ_MAX);
      if (batch.nextOffset <= at) break;
      await takeIn(batch.records, unknownFrom, recent, deps);
      at = batch.nextOffset;
      await setImmediate();
    }
  }
  for (const { contentId, publishedAtMs, duplicateGroup, signature } of inOrder(recent)) {
    finder.remember({ contentId, publishedAtMs, signature }, duplicateGroup);
  }
  await deps.state.saveLogOffsets(new Map(ends.entries()));
}

/**
 * Reads what others appended to `contents` since: takedowns before all. The finder of near-duplicates
 * stays as it is.
 *
 * Errors: LogUnavailable, CrawlStateUnavailable.
 */
export async function refresh(deps: CatchUpDependencies): Promise<void> {
  const ends = await deps.eventLog.endOffsets("contents");
  const offsets = deps.state.logOffsets();
  const moved = new Map<number, number>();
  for (const [partition, end] of ends.entries()) {
    const from = offsets.get(partition) ?? 0;
    let at = from;
    while (at < end) {
      const batch = await deps.eventLog.read("contents", partition, at, RECORDS_PER_READ_MAX);
      if (batch.nextOffset <= at) break;
      await takeIn(batch.records, from, undefined, deps);
      at = batch.nextOffset;
    }
    if (at > from) moved.set(partition, at);
  }
  if (moved.size > 0) await deps.state.saveLogOffsets(new Map([...offsets, ...moved]));
}

async function takeIn(
  records: readonly LogRecord[],
  unknownFrom: number,
  recent: Map<ContentId, Recent> | undefined,
  deps: CatchUpDependencies,
): Promise<void> {
  const fresh = new Map<ContentId, KnownArticle>();
  const identities = new Map<string, ContentId>();
  const windowFromMs = deps.clock.nowMs() - DUPLICATE_FINDER_DEFAULTS.windowMs;
  for (const record of records) {
    const fact = factOf(record, deps);
    if (fact?.type === "article.published") {
      const { article } = fact;
      if (record.offset >= unknownFrom) {
        fresh.set(article.contentId, knownArticleOf(article, fingerprintOfArticle(article)));
        for (const key of identityKeysOf(article)) identities.set(key, article.contentId);
      }
      if (recent === undefined || article.publishedAtMs < windowFromMs) continue;
      const signature = duplicateSignature(article.title, textOf(article.bodyHtml));
      const { contentId, publishedAtMs, duplicateGroup } = article;
      recent.set(contentId, { contentId, publishedAtMs, duplicateGroup, signature });
    } else if (fact?.type === "article.withdrawn") {
      const known = fresh.get(fact.contentId) ?? deps.state.article(fact.contentId);
      if (known !== undefined && record.offset >= unknownFrom)
        fresh.set(fact.contentId, withdrawnArticleOf(known, fact.reason));
      recent?.delete(fact.contentId);
    }
  }
  if (fresh.size > 0) await deps.state.saveArticles(fresh, identities);
}

function factOf(record: LogRecord, { codec, log }: CatchUpDependencies): ContentFact | undefined {
  if (record.value === null) return undefined;
  try {
    return codec.decode(record.value) as ContentFact;
  } catch (error) {
    // The projector makes the dead letter; here one article less is known.
    log.warn(
      { partition: record.partition, offset: record.offset, err: error },
      "unreadable article",
    );
    return undefined;
  }
}

/** As they were published, so that the finder forgets the oldest first. */
function inOrder(recent: ReadonlyMap<ContentId, Recent>): readonly Recent[] {
  return [...recent.values()].sort((a, b) => a.publishedAtMs - b.publishedAtMs);
}

/** Near enough to the text the article was analysed with: signatures look at letters alone. */
function textOf(cleanHtml: string): string {
  return cleanHtml.replaceAll(/<figcaption>.*?<\/figcaption>/gs, "").replaceAll(/<[^>]+>/g, "\n");
}

import { ArticleBodyError } from "@feed/article-body";
import type { Article } from "@feed/domain/article";
import type { ContentFact } from "@feed/domain/facts";
import type { SourceId } from "@feed/domain/ids";
import type { LogRecord } from "@feed/event-log";
import { retry } from "@feed/runtime";
import type { PreparedArticle } from "../ingest/article-draft.ts";
import type { IngestDependencies } from "../ingest/dependencies.ts";
import { isOwnOutage } from "../ingest/failures.ts";
import { openAnalysis, OWN_RETRIES } from "../ingest/ingest.ts";
import { publishArticles } from "../ingest/publish-articles.ts";
import { rederive } from "./rederive.ts";

const RECORDS_PER_READ_MAX = 200;
/** Embedded and appended together. */
const ARTICLES_PER_APPEND = 64;

export interface ReanalyseOptions extends IngestDependencies {
  /** Absent: all. */
  readonly sourceId?: SourceId;
  readonly onProgress: (progress: ReanalyseProgress) => void;
  readonly signal: AbortSignal;
}

export interface ReanalyseProgress {
  /** Articles looked at; withdrawn ones are not. */
  readonly articles: number;
  /** Of those, revised because a derived field came out otherwise. */
  readonly revised: number;
  /** Of those, left as they are because their body can't be read. */
  readonly failed: number;
}

/**
 * Makes the derived fields of stored articles anew and appends a revision where one changed. It may
 * run beside the crawler: an article revised meanwhile is left alone. Repeating it changes nothing.
 *
 * Errors: an outage of our own parts; the signal's reason. What was appended before stays.
 */
export async function reanalyseArticles(options: ReanalyseOptions): Promise<ReanalyseProgress> {
  const analysis = await openAnalysis(options);
  const progress = { articles: 0, revised: 0, failed: 0 };
  let batch: PreparedArticle[] = [];
  const flush = async (): Promise<void> => {
    const { state } = options;
    const current = batch.filter(
      ({ article }) => state.article(article.contentId)?.revision === article.revision - 1,
    );
    batch = [];
    if (current.length > 0)
      await retry(() => publishArticles(current, options), {
        ...OWN_RETRIES,
        isTransient: isOwnOutage,
        signal: options.signal,
      });
    progress.revised += current.length;
    options.onProgress({ ...progress });
  };
  for await (const article of storedArticles(options)) {
    options.signal.throwIfAborted();
    progress.articles += 1;
    try {
      const revised = await rederive(article, analysis);
      if (revised !== undefined) batch.push(revised);
    } catch (error) {
      if (!(error instanceof ArticleBodyError)) throw error;
      progress.failed += 1;
      options.log.warn({ contentId: article.contentId, err: error }, "article left as it is");
    }
    if (batch.length >= ARTICLES_PER_APPEND) await flush();
    else if (progress.articles % ARTICLES_PER_APPEND === 0) options.onProgress({ ...progress });
  }
  await flush();
  return progress;
}

/** The latest version of each article that is not withdrawn. */
async function* storedArticles(options: ReanalyseOptions): AsyncGenerator<Article> {
  const ends = await options.eventLog.endOffsets("contents");
  for (const [partition, end] of ends.entries()) {
    const latest = new Map<string, number>();
    for await (const { key, offset } of recordsOf(partition, end, options)) latest.set(key, offset);
    for await (const record of recordsOf(partition, end, options)) {
      if (latest.get(record.key) !== record.offset || record.value === null) continue;
      const article = articleOf(record.value, options);
      if (article !== undefined) yield article;
    }
  }
}

async function* recordsOf(
  partition: number,
  end: number,
  { eventLog }: ReanalyseOptions,
): AsyncGenerator<LogRecord> {
  for (let at = 0; at < end;) {
    const batch = await eventLog.read("contents", partition, at, RECORDS_PER_READ_MAX);
    yield* batch.records.filter(({ offset }) => offset < end);
    if (batch.nextOffset <= at) return;
    at = batch.nextOffset;
  }
}

/** Undefined for what is withdrawn, of another source, or unreadable: the projector reports that. */
function articleOf(value: Uint8Array, { codec, sourceId, log }: ReanalyseOptions) {
  try {
    const fact = codec.decode(value) as ContentFact;
    const isWanted =
      fact.type === "article.published" &&
      (sourceId === undefined || fact.article.sourceId === sourceId);
    return isWanted ? fact.article : undefined;
  } catch (error) {
    log.warn({ err: error }, "unreadable article");
    return undefined;
  }
}

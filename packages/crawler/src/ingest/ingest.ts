import { DuplicateFinder } from "@feed/article-analysis";
import type { AnalysisContext } from "@feed/article-analysis";
import type { ContentId, SourceId } from "@feed/domain/ids";
import { retry } from "@feed/runtime";
import type { ArticleDraft, StorePictures } from "./article-draft.ts";
import { catchUp, refresh } from "./catch-up.ts";
import type { IngestDependencies } from "./dependencies.ts";
import { isOwnOutage } from "./failures.ts";
import { prepareArticle } from "./prepare-article.ts";
import { publishArticles, withdrawArticle } from "./publish-articles.ts";

/** What is ours to reach is soon back or an operator's concern. */
export const OWN_RETRIES = { attemptsMax: 5, firstDelayMs: 200, delayMsMax: 5_000 };

/** Articles on their way into `contents`. */
export interface Ingest {
  /**
   * Errors: ArticleBodyError for this article alone; an outage of our own parts (see
   * `isOwnOutage`); the signal's reason.
   */
  take(draft: ArticleDraft, signal: AbortSignal): Promise<"published" | "unchanged">;
  /** The article is gone at its publisher. No effect where it was never published. */
  withdraw(contentId: ContentId, sourceId: SourceId, signal: AbortSignal): Promise<void>;
  /** Takes in what others appended meanwhile. Errors: LogUnavailable, CrawlStateUnavailable. */
  refresh(): Promise<void>;
}

/** Reads `contents` first (see `catchUp`). Errors: LogUnavailable, CrawlStateUnavailable. */
export async function openIngest(
  deps: IngestDependencies,
  storePictures: StorePictures,
): Promise<Ingest> {
  const analysis = await openAnalysis(deps);
  const persistently = <Result>(work: () => Promise<Result>, signal: AbortSignal) =>
    retry(work, { ...OWN_RETRIES, isTransient: isOwnOutage, signal });
  const refreshing = oneAtATime(() => refresh(deps));
  return {
    refresh: () => refreshing.run(),
    async take(draft, signal) {
      // Fetching its page took time: a takedown may have come.
      if (deps.state.article(draft.contentId) !== undefined) await refreshing.run();
      const known = deps.state.article(draft.contentId);
      const prepared = await prepareArticle(draft, {
        storePictures,
        analysis,
        known,
        signal,
        nowMs: deps.clock.nowMs(),
      });
      if (prepared === undefined) return "unchanged";
      await persistently(() => publishArticles([prepared], deps), signal);
      return "published";
    },
    withdraw: (contentId, sourceId, signal) =>
      persistently(() => withdrawArticle(contentId, sourceId, deps), signal),
  };
}

/** The analysers' context, its finder of near-duplicates seeded from `contents`. */
export async function openAnalysis(deps: IngestDependencies): Promise<AnalysisContext> {
  const duplicates = new DuplicateFinder();
  await catchUp(deps, duplicates);
  return { gazetteer: deps.gazetteer, duplicates };
}

/** Calls that come while one runs share the next one, which sees all that was there when they came. */
function oneAtATime(work: () => Promise<void>): { readonly run: () => Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return {
    run() {
      if (next === undefined) {
        const mine = running.then(() => {
          next = undefined;
          return work();
        });
        running = mine.catch(() => undefined);
        next = mine;
      }
      return next;
    },
  };
}

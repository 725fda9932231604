import type { SourceId } from "@feed/domain/ids";
import type { Source } from "@feed/domain/source";
import type { TenantDirectory } from "@feed/tenant-directory";
import { isOwnOutage } from "../ingest/failures.ts";
import { openCrawler } from "./open-crawler.ts";
import { timerSleep } from "../timer-sleep.ts";
import { isRecrawlDue } from "./schedule.ts";
import type { Crawler, CrawlerOptions } from "./open-crawler.ts";

export interface RunCrawlerOptions extends CrawlerOptions {
  readonly directory: Pick<TenantDirectory, "sources" | "change">;
  /** Sources crawled at a time; a source on a slow host keeps its place for minutes. */
  readonly sourcesAtOnce: number;
}

/** Disposing lets nothing new begin, breaks off what runs, and resolves when all has ended. */
export interface RunningCrawler extends AsyncDisposable {
  /** Rejects when the crawler stopped by an error; resolves after disposal. */
  readonly failed: Promise<void>;
}

/** How soon a new, resumed or due source is noticed. */
const LOOK_EVERY_MS = 500;
/** After an outage of our own parts, which other sources would only meet too. */
const OUTAGE_PAUSE_MS = 5_000;

/** Crawls every source of the directory whenever it is due, until disposed. Errors: as `openCrawler`. */
export async function runCrawler(options: RunCrawlerOptions): Promise<RunningCrawler> {
  const crawler = await openCrawler(options);
  const stop = new AbortController();
  const rounds = new Rounds(crawler, options, stop);
  const failed = rounds.run().finally(() => crawler[Symbol.asyncDispose]());
  // Whoever holds the crawler may look at `failed` late; until then it is no unhandled rejection.
  failed.catch(() => undefined);
  return {
    failed,
    async [Symbol.asyncDispose]() {
      stop.abort(new Error("the crawler was stopped"));
      await failed.catch(() => undefined);
    },
  };
}

class Rounds {
  readonly #crawler: Crawler;
  readonly #options: RunCrawlerOptions;
  readonly #stop: AbortController;
  readonly #running = new Map<SourceId, Promise<void>>();
  #notBeforeMs = 0;
  #bug: { readonly error: unknown } | undefined;

  constructor(crawler: Crawler, options: RunCrawlerOptions, stop: AbortController) {
    this.#crawler = crawler;
    this.#options = options;
    this.#stop = stop;
  }

  async run(): Promise<void> {
    const sleep = this.#options.sleep ?? timerSleep;
    const { signal } = this.#stop;
    try {
      while (!signal.aborted) {
        this.#startDue();
        await sleep(LOOK_EVERY_MS, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await Promise.all(this.#running.values());
    }
    if (this.#bug !== undefined) throw this.#bug.error;
  }

  /** Longest due first, but a host that is busy after one that is not. */
  #startDue(): void {
    const { directory, clock, state, sourcesAtOnce } = this.#options;
    const nowMs = clock.nowMs();
    if (nowMs < this.#notBeforeMs) return;
    const due = directory
      .sources()
      .filter((source) => !source.paused && !this.#running.has(source.sourceId))
      .map((source) => ({ source, dueMs: dueMsOf(source, state, nowMs) }))
      .filter(({ dueMs }) => dueMs <= nowMs)
      .sort((a, b) => this.#compareHosts(a.source, b.source) || a.dueMs - b.dueMs);
    for (const { source } of due.slice(0, Math.max(0, sourcesAtOnce - this.#running.size))) {
      const crawl = this.#crawl(source).finally(() => this.#running.delete(source.sourceId));
      this.#running.set(source.sourceId, crawl);
    }
  }

  #compareHosts(a: Source, b: Source): number {
    return this.#crawler.busyness(a) - this.#crawler.busyness(b);
  }

  /** A change that an operator made meanwhile stays. */
  async #save(crawled: Source, change: Partial<Source>): Promise<void> {
    const { directory, clock, log } = this.#options;
    const now = directory.sources().find(({ sourceId }) => sourceId === crawled.sourceId);
    if (now?.feedUrl !== crawled.feedUrl) return;
    log.warn({ sourceId: crawled.sourceId, ...change }, "source changed by its publisher");
    const source = { ...now, ...change };
    await directory.change([
      { type: "source.saved", source, actor: "crawler", atMs: clock.nowMs() },
    ]);
  }

  /** Never rejects: an outage of our own parts pauses everything, a bug stops everything. */
  async #crawl(source: Source): Promise<void> {
    const { log, clock } = this.#options;
    const { signal } = this.#stop;
    try {
      const { change } = await this.#crawler.crawlOnce(source, signal);
      if (change !== undefined) await this.#save(source, change);
    } catch (error) {
      if (signal.aborted) return;
      if (isOwnOutage(error)) {
        log.warn({ sourceId: source.sourceId, err: error }, "crawling paused");
        this.#notBeforeMs = clock.nowMs() + OUTAGE_PAUSE_MS;
        return;
      }
      this.#bug ??= { error };
      this.#stop.abort(error);
    }
  }
}

function dueMsOf(source: Source, state: CrawlerOptions["state"], nowMs: number): number {
  const known = state.source(source.sourceId);
  if (isRecrawlDue(source, known, nowMs)) return 0;
  return known === undefined || known.feedUrl !== source.feedUrl ? 0 : known.nextDueMs;
}

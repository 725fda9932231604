import type { SourceId } from "@feed/domain/ids";
import type { Source } from "@feed/domain/source";
import type { TenantDirectory } from "@feed/tenant-directory";
import { isOwnOutage } from "../ingest/failures.ts";
import { isLive } from "../websub/subscriptions.ts";
import { Subscriber } from "../websub/subscriber.ts";
import type { SubscriberOptions } from "../websub/subscriber.ts";
import type { CrawlReport } from "./crawl-source.ts";
import { openCrawler } from "./open-crawler.ts";
import { timerSleep } from "../timer-sleep.ts";
import { dueMsOf, isRecrawlDue } from "./schedule.ts";
import type { Crawler, CrawlerOptions } from "./open-crawler.ts";

export interface RunCrawlerOptions extends CrawlerOptions {
  readonly directory: Pick<TenantDirectory, "sources" | "change">;
  /** Sources crawled at a time; a source on a slow host keeps its place for minutes. */
  readonly sourcesAtOnce: number;
  /** Absent: no hub is asked to push. */
  readonly websub?: Pick<SubscriberOptions, "subscriptions" | "callbackBase">;
}

/** Disposing lets nothing new begin, breaks off what runs, and resolves when all has ended. */
export interface RunningCrawler extends AsyncDisposable {
  /** Rejects when the crawler stopped by an error; resolves after disposal. */
  readonly failed: Promise<void>;
}

/** How soon a new, resumed or due source is noticed. */
const LOOK_EVERY_MS = 500;
/** Sources whose pushes are crawled at a time, beside those that are polled: news should not wait for slow hosts. */
const PUSHED_AT_ONCE = 8;
/** Hosts at a time whose articles are looked at again, and how many that are due are gone through for them. */
const LOOKS_AT_ONCE = 32;
const LOOKS_SEEN_MAX = 500;
/** After an outage of our own parts, which other sources would only meet too. */
const OUTAGE_PAUSE_MS = 5_000;

/** Crawls every source of the directory whenever it is due, until disposed. Errors: as `openCrawler`. */
export async function runCrawler(options: RunCrawlerOptions): Promise<RunningCrawler> {
  const crawler = await openCrawler({ ...options, sources: () => options.directory.sources() });
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
  readonly #subscriber: Subscriber | undefined;
  readonly #running = new Map<SourceId, Promise<void>>();
  readonly #pushed = new Set<SourceId>();
  /** By origin: a host that is slow keeps no other waiting. */
  readonly #looking = new Map<string, Promise<void>>();
  #notBeforeMs = 0;
  #bug: { readonly error: unknown } | undefined;

  constructor(crawler: Crawler, options: RunCrawlerOptions, stop: AbortController) {
    this.#crawler = crawler;
    this.#options = options;
    this.#stop = stop;
    const { websub, clock, log } = options;
    const { fetch } = crawler;
    const nowMs = (): number => clock.nowMs();
    if (websub !== undefined) this.#subscriber = new Subscriber({ ...websub, fetch, nowMs, log });
  }

  async run(): Promise<void> {
    const sleep = this.#options.sleep ?? timerSleep;
    const { signal } = this.#stop;
    try {
      while (!signal.aborted) {
        if (this.#options.clock.nowMs() >= this.#notBeforeMs) await this.#look(signal);
        await sleep(LOOK_EVERY_MS, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await Promise.all([...this.#running.values(), ...this.#looking.values()]);
      await this.#subscriber?.idle();
    }
    if (this.#bug !== undefined) throw this.#bug.error;
  }

  async #look(signal: AbortSignal): Promise<void> {
    const crawled = new Map(
      this.#options.directory
        .sources()
        .filter(({ paused }) => !paused)
        .map((source) => [source.sourceId, source]),
    );
    this.#startPushed(crawled);
    this.#startDue([...crawled.values()]);
    this.#startLooks(crawled);
    await this.#orPause({}, async () => {
      await this.#subscriber?.round(new Set(crawled.keys()), signal);
    });
  }

  /** Longest due first, but a host that is busy after one that is not. */
  #startDue(sources: readonly Source[]): void {
    const { clock, state, sourcesAtOnce } = this.#options;
    const nowMs = clock.nowMs();
    const live = this.#liveSources(nowMs);
    const due = sources
      .filter((source) => !this.#running.has(source.sourceId))
      .map((source) => ({ source, dueMs: dueOrNewMsOf(source, state, live, nowMs) }))
      .filter(({ dueMs }) => dueMs <= nowMs)
      .sort((a, b) => this.#compareHosts(a.source, b.source) || a.dueMs - b.dueMs);
    const polled = this.#running.size - this.#pushed.size;
    for (const { source } of due.slice(0, Math.max(0, sourcesAtOnce - polled)))
      this.#start(source, () => this.#poll(source));
  }

  /** What hubs pushed comes before all polls, one push of a source after the other. */
  #startPushed(sources: ReadonlyMap<SourceId, Source>): void {
    const subscriptions = this.#options.websub?.subscriptions;
    for (const id of subscriptions?.pushed() ?? []) {
      const sourceId = subscriptions?.get(id)?.sourceId;
      const source = sourceId === undefined ? undefined : sources.get(sourceId);
      if (source === undefined || this.#running.has(source.sourceId)) continue;
      if (this.#pushed.size >= PUSHED_AT_ONCE) return;
      this.#pushed.add(source.sourceId);
      this.#start(source, () => this.#crawlPushes(source, id));
    }
  }

  /** A page that is not crawled any more is not looked at either. */
  #startLooks(sources: ReadonlyMap<SourceId, Source>): void {
    const { state, clock } = this.#options;
    for (const look of state.looksDue(clock.nowMs(), LOOKS_SEEN_MAX)) {
      const { articleId, sourceId } = look;
      const origin = URL.parse(look.link)?.origin ?? "";
      if (this.#looking.size >= LOOKS_AT_ONCE) return;
      if (this.#looking.has(origin)) continue;
      const isCrawled = sources.has(sourceId);
      const looking = this.#orPause({ sourceId }, () =>
        isCrawled
          ? this.#crawler.look(look, this.#stop.signal)
          : state.saveLook(articleId, undefined),
      ).finally(() => this.#looking.delete(origin));
      this.#looking.set(origin, looking);
    }
  }

  #liveSources(nowMs: number): ReadonlySet<SourceId> {
    const all = this.#options.websub?.subscriptions.all() ?? [];
    const live = all.filter(({ subscription }) => isLive(subscription, nowMs));
    return new Set(live.map(({ subscription }) => subscription.sourceId));
  }

  #compareHosts(a: Source, b: Source): number {
    return this.#crawler.busyness(a) - this.#crawler.busyness(b);
  }

  #start({ sourceId }: Source, crawl: () => Promise<void>): void {
    const crawling = this.#orPause({ sourceId }, crawl).finally(() => {
      this.#running.delete(sourceId);
      this.#pushed.delete(sourceId);
    });
    this.#running.set(sourceId, crawling);
  }

  async #poll(source: Source): Promise<void> {
    await this.#note(source, await this.#crawler.crawlOnce(source, this.#stop.signal));
  }

  /** A push that is not taken in for an outage of our own parts is there again when it is over. */
  async #crawlPushes(source: Source, id: string): Promise<void> {
    const { signal } = this.#stop;
    const subscriptions = this.#options.websub?.subscriptions;
    for (let waiting = subscriptions?.firstPush(id); waiting !== undefined;) {
      await this.#note(source, await this.#crawler.crawlPush(source, waiting.push, signal));
      await subscriptions?.removePush(waiting.key);
      waiting = subscriptions?.firstPush(id);
    }
  }

  async #note(source: Source, { change, hub }: CrawlReport): Promise<void> {
    if (change !== undefined) await this.#save(source, change);
    if (hub !== undefined) await this.#subscriber?.noteHub(source.sourceId, hub ?? undefined);
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
  async #orPause(of: { readonly sourceId?: SourceId }, work: () => Promise<void>): Promise<void> {
    const { log, clock } = this.#options;
    const { signal } = this.#stop;
    try {
      await work();
    } catch (error) {
      if (signal.aborted) return;
      if (isOwnOutage(error)) {
        log.warn({ ...of, err: error }, "crawling paused");
        this.#notBeforeMs = clock.nowMs() + OUTAGE_PAUSE_MS;
        return;
      }
      this.#bug ??= { error };
      this.#stop.abort(error);
    }
  }
}

function dueOrNewMsOf(
  source: Source,
  state: CrawlerOptions["state"],
  live: ReadonlySet<SourceId>,
  nowMs: number,
): number {
  const known = state.source(source.sourceId);
  if (isRecrawlDue(source, known, nowMs)) return 0;
  if (known === undefined || known.feedUrl !== source.feedUrl) return 0;
  return dueMsOf(source, known, live.has(source.sourceId));
}

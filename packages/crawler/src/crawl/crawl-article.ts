import type { Source } from "@feed/domain/source";
import type { FeedEntry } from "../feeds/feed-entry.ts";
import { FetchError } from "../fetch/fetch-error.ts";
import type { Fetched } from "../fetch/safe-fetch.ts";
import type { PoliteFetch } from "../fetch/polite-fetch.ts";
import { canonicalUrlOf, contentIdOf, fingerprintOf } from "../identity.ts";
import type { ArticleDraft } from "../ingest/article-draft.ts";
import { ARTICLE_ATTEMPTS_MAX, failureCodeOf, isOwnOutage, isPassing } from "../ingest/failures.ts";
import type { Ingest } from "../ingest/ingest.ts";
import { PAGE_BYTES_MAX } from "../limits.ts";
import { chooseContent, isWhole } from "../pages/choose-content.ts";
import { PageUnreadable, readPage } from "../pages/read-page.ts";
import type { ReadPage } from "../pages/read-page.ts";
import type { CrawlState, KnownEntry } from "../state/crawl-state.ts";
import { conditionalHeaders, validatorsOf } from "./validators.ts";
import { isRecheckDue } from "./schedule.ts";

export interface CrawlArticleDependencies {
  readonly fetch: PoliteFetch;
  readonly ingest: Ingest;
  readonly state: CrawlState;
  readonly nowMs: () => number;
}

export type ArticleOutcome =
  | { readonly kind: "unchanged" | "known" | "withdrawn" }
  /** `isNew`: it was not in `contents` before. */
  | { readonly kind: "published"; readonly isNew: boolean }
  /** It could not be taken in; `passing`: the next crawl tries again. */
  | { readonly kind: "failed"; readonly error: unknown; readonly passing: boolean };

/** A page seen missing this often in a row is gone; 410 says so at once. */
const MISSING_MAX = 2;
const GONE_STATUSES = new Set([404, 410]);

/**
 * Takes in one entry of a feed: new, changed, or due to be looked at again; otherwise nothing is
 * fetched.
 *
 * Errors: an outage of our own parts; FetchError `backing-off` (the whole host is to be left
 * alone); the signal's reason.
 */
export async function crawlArticle(
  source: Source,
  entry: FeedEntry,
  deps: CrawlArticleDependencies,
  signal: AbortSignal,
): Promise<ArticleOutcome> {
  // The link of a feed without ids may carry attribution that changes.
  const identity = entry.id === entry.link ? canonicalUrlOf(entry.link) : entry.id;
  const contentId = contentIdOf(source.sourceId, identity);
  const fingerprint = fingerprintOf([JSON.stringify(entry)]);
  const previous = deps.state.entry(contentId);
  const isForced = (previous?.checkedAtMs ?? 0) < (source.recrawlFromMs ?? 0);
  const isSame = !isForced && previous?.fingerprint === fingerprint;
  if (isSame && isSettled(previous, entry, deps.nowMs())) return { kind: "known" };
  const attempt = new Attempt(source, entry, contentId, fingerprint, isSame ? previous : undefined);
  try {
    return await attempt.run(deps, signal);
  } catch (error) {
    signal.throwIfAborted();
    const isHostsFault = error instanceof FetchError && error.code === "backing-off";
    if (isOwnOutage(error) || isHostsFault) throw error;
    return attempt.noteFailure(error, deps);
  }
}

function isSettled(known: KnownEntry, entry: FeedEntry, nowMs: number): boolean {
  if (known.failure !== undefined) return known.failure.attempts >= ARTICLE_ATTEMPTS_MAX;
  return !isRecheckDue(known.checkedAtMs, entry.publishedAtMs, nowMs);
}

class Attempt {
  readonly #source: Source;
  readonly #entry: FeedEntry;
  readonly #contentId: ArticleDraft["contentId"];
  readonly #fingerprint: string;
  /** Of the same entry, unchanged in the feed. */
  readonly #previous: KnownEntry | undefined;

  constructor(
    source: Source,
    entry: FeedEntry,
    contentId: ArticleDraft["contentId"],
    fingerprint: string,
    previous: KnownEntry | undefined,
  ) {
    this.#source = source;
    this.#entry = entry;
    this.#contentId = contentId;
    this.#fingerprint = fingerprint;
    this.#previous = previous;
  }

  async run(deps: CrawlArticleDependencies, signal: AbortSignal): Promise<ArticleOutcome> {
    const isLookAgain = this.#previous !== undefined && this.#previous.failure === undefined;
    const hasOwnWay = this.#source.extraction !== undefined;
    const needsPage =
      isLookAgain || hasOwnWay || !isWhole(this.#entry) || !showsPicture(this.#entry);
    const fetched = needsPage ? await this.#fetchPage(deps.fetch, signal) : undefined;
    if (fetched !== undefined && GONE_STATUSES.has(fetched.status))
      return this.#noteMissing(fetched.status, deps, signal);
    if (fetched !== undefined && fetched.status !== 304 && fetched.status !== 200)
      throw new FetchError("bad-status", `${fetched.url} answered ${fetched.status}`, fetched);
    const isServed = deps.state.article(this.#contentId)?.withdrawn === false;
    const isSame = fetched?.status === 304 || (isLookAgain && isWhole(this.#entry));
    if (isSame && isServed) {
      await this.#save(deps, fetched);
      return { kind: "unchanged" };
    }
    const page =
      fetched === undefined
        ? undefined
        : await readOrUndefined(fetched, this.#entry, this.#source.extraction);
    const isNew = deps.state.article(this.#contentId) === undefined;
    const kind = await deps.ingest.take(this.#draft(fetched?.url, page), signal);
    await this.#save(deps, fetched);
    return kind === "published" ? { kind, isNew } : { kind };
  }

  async noteFailure(error: unknown, deps: CrawlArticleDependencies): Promise<ArticleOutcome> {
    const passing = isPassing(error);
    const before = this.#previous?.failure?.attempts ?? 0;
    const attempts = passing ? before + 1 : ARTICLE_ATTEMPTS_MAX;
    // An article that is served goes on being served; only its look-over has failed.
    const wasTaken = this.#previous !== undefined && this.#previous.failure === undefined;
    const failure = wasTaken ? {} : { failure: { code: failureCodeOf(error), attempts } };
    await deps.state.saveEntry(this.#contentId, { ...this.#known(deps), ...failure });
    return { kind: "failed", error, passing: passing && attempts < ARTICLE_ATTEMPTS_MAX };
  }

  /** Undefined where robots.txt keeps us from the page: the feed itself is there to be read. */
  async #fetchPage(fetch: PoliteFetch, signal: AbortSignal): Promise<Fetched | undefined> {
    const validators = this.#previous?.pageValidators ?? {};
    try {
      return await fetch.get(this.#entry.link, {
        accept: "text/html,application/xhtml+xml;q=0.9",
        bytesMax: PAGE_BYTES_MAX,
        headers: conditionalHeaders(validators),
        signal,
      });
    } catch (error) {
      const isKeptOut = error instanceof FetchError && error.code === "robots-disallowed";
      if (isKeptOut && !isPassing(error) && hasText(this.#entry)) return undefined;
      throw error;
    }
  }

  async #noteMissing(
    status: number,
    deps: CrawlArticleDependencies,
    signal: AbortSignal,
  ): Promise<ArticleOutcome> {
    const known = deps.state.article(this.#contentId);
    if (known === undefined)
      throw new FetchError("bad-status", `${this.#entry.link} answered ${status}`, { status });
    const missing = (this.#previous?.missing ?? 0) + 1;
    const isGone = !known.withdrawn && (status === 410 || missing >= MISSING_MAX);
    if (isGone) await deps.ingest.withdraw(this.#contentId, this.#source.sourceId, signal);
    // Without validators: a page that comes back is to be sent again.
    const entry = { ...this.#known(deps), missing, pageValidators: {} };
    await deps.state.saveEntry(this.#contentId, entry);
    return { kind: isGone ? "withdrawn" : "unchanged" };
  }

  #draft(pageUrl: string | undefined, page: ReadPage | undefined): ArticleDraft {
    const entry = this.#entry;
    const baseUrl = pageUrl ?? entry.link;
    const author = entry.author ?? page?.author;
    const publishedAtMs = entry.publishedAtMs ?? page?.publishedAtMs ?? entry.updatedAtMs;
    const languageHint = page?.language ?? entry.language ?? this.#source.language;
    const shared = page?.pictureUrl === undefined ? [] : [page.pictureUrl];
    return {
      contentId: this.#contentId,
      sourceId: this.#source.sourceId,
      url: canonicalUrlOf(entry.link),
      canonicalUrl: page?.canonicalUrl ?? canonicalUrlOf(baseUrl),
      title: entry.title,
      html:
        this.#source.extraction === undefined || page?.contentHtml === undefined
          ? chooseContent(entry, page?.contentHtml)
          : page.contentHtml,
      baseUrl,
      leadPictureUrls: [...new Set([...shared, ...entry.pictureUrls])],
      labels: [...entry.categories, ...(page?.sections ?? [])],
      ...(author === undefined ? {} : { author }),
      ...(publishedAtMs === undefined ? {} : { publishedAtMs }),
      ...(languageHint === undefined ? {} : { languageHint }),
    };
  }

  #save(deps: CrawlArticleDependencies, fetched: Fetched | undefined): Promise<void> {
    const pageValidators =
      fetched === undefined || fetched.status === 304
        ? (this.#previous?.pageValidators ?? {})
        : validatorsOf(fetched);
    return deps.state.saveEntry(this.#contentId, { ...this.#known(deps), pageValidators });
  }

  #known(deps: CrawlArticleDependencies): KnownEntry {
    return {
      fingerprint: this.#fingerprint,
      pageValidators: this.#previous?.pageValidators ?? {},
      checkedAtMs: deps.nowMs(),
      missing: 0,
    };
  }
}

function hasText(entry: FeedEntry): boolean {
  return entry.contentHtml !== undefined || entry.summaryHtml !== undefined;
}

function showsPicture(entry: FeedEntry): boolean {
  return entry.pictureUrls.length > 0 || /<img\b/i.test(entry.contentHtml ?? "");
}

/** A page that can't be read is no reason to lose what the feed says. */
async function readOrUndefined(
  { bytes, headers, url }: Fetched,
  entry: FeedEntry,
  extraction: Source["extraction"],
): Promise<ReadPage | undefined> {
  try {
    return await readPage(bytes, headers["content-type"], url, extraction);
  } catch (error) {
    if (error instanceof PageUnreadable && hasText(entry)) return undefined;
    throw error;
  }
}

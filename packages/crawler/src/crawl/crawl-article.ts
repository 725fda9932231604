import type { ContentId } from "@feed/domain/ids";
import type { Source } from "@feed/domain/source";
import type { FeedEntry } from "../feeds/feed-entry.ts";
import { FetchError } from "../fetch/fetch-error.ts";
import type { Fetched } from "../fetch/safe-fetch.ts";
import type { PoliteFetch } from "../fetch/polite-fetch.ts";
import { canonicalUrlOf, contentIdOf, fingerprintOf, identityKeysOf } from "../identity.ts";
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

/** The feed an entry stands in. */
export interface FeedContext {
  /** Ids of all its entries. */
  readonly entryIds: ReadonlySet<ContentId>;
  /** Keys that several of its entries share: they tell nothing then. */
  readonly sharedKeys: ReadonlySet<string>;
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
  context: FeedContext,
  deps: CrawlArticleDependencies,
  signal: AbortSignal,
): Promise<ArticleOutcome> {
  const entryId = entryIdOf(source, entry);
  const fingerprint = fingerprintOf([JSON.stringify(entry)]);
  const previous = deps.state.entry(entryId);
  const isForced = (previous?.checkedAtMs ?? 0) < (source.recrawlFromMs ?? 0);
  const isSame = !isForced && previous?.fingerprint === fingerprint;
  if (isSame && isSettled(previous, entry, deps.nowMs())) return { kind: "known" };
  const before = isSame ? previous : undefined;
  const articleId = previous?.articleId ?? entryId;
  const attempt = new Attempt({ source, entry, entryId, articleId, fingerprint, context }, before);
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

/** The id of an entry, and of its article unless that is known by another. */
export function entryIdOf(source: Source, entry: FeedEntry): ContentId {
  // The link of a feed without ids may carry attribution that changes.
  const identity = entry.id === entry.link ? canonicalUrlOf(entry.link) : entry.id;
  return contentIdOf(source.sourceId, identity);
}

interface AttemptParts {
  readonly source: Source;
  readonly entry: FeedEntry;
  readonly entryId: ContentId;
  readonly articleId: ContentId;
  readonly fingerprint: string;
  readonly context: FeedContext;
}

class Attempt {
  readonly #source: Source;
  readonly #entry: FeedEntry;
  readonly #entryId: ContentId;
  readonly #fingerprint: string;
  readonly #context: FeedContext;
  /** Of the same entry, unchanged in the feed. */
  readonly #previous: KnownEntry | undefined;
  #contentId: ContentId;

  constructor(parts: AttemptParts, previous: KnownEntry | undefined) {
    this.#source = parts.source;
    this.#entry = parts.entry;
    this.#entryId = parts.entryId;
    this.#contentId = parts.articleId;
    this.#fingerprint = parts.fingerprint;
    this.#context = parts.context;
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
    if (deps.state.article(this.#contentId) === undefined) {
      const same = this.#sameArticle(this.#draft(fetched?.url, page), deps.state);
      this.#contentId = same ?? this.#contentId;
      // Both entries are in the feed: the one it was published under speaks for it.
      if (same !== undefined && this.#context.entryIds.has(same)) {
        await this.#save(deps, fetched);
        return { kind: "known" };
      }
    }
    const isNew = deps.state.article(this.#contentId) === undefined;
    const kind = await deps.ingest.take(this.#draft(fetched?.url, page), signal);
    await this.#save(deps, fetched);
    return kind === "published" ? { kind, isNew } : { kind };
  }

  /** An article of the source that is this one under another id: its publisher changed that. */
  #sameArticle(draft: ArticleDraft, state: CrawlState): ContentId | undefined {
    const keys = identityKeysOf(draft).filter((key) => !this.#context.sharedKeys.has(key));
    return keys.map((key) => state.identified(key)).find((id) => id !== undefined);
  }

  async noteFailure(error: unknown, deps: CrawlArticleDependencies): Promise<ArticleOutcome> {
    const passing = isPassing(error);
    const before = this.#previous?.failure?.attempts ?? 0;
    const attempts = passing ? before + 1 : ARTICLE_ATTEMPTS_MAX;
    // An article that is served goes on being served; only its look-over has failed.
    const wasTaken = this.#previous !== undefined && this.#previous.failure === undefined;
    const failure = wasTaken ? {} : { failure: { code: failureCodeOf(error), attempts } };
    await deps.state.saveEntry(this.#entryId, { ...this.#known(deps), ...failure });
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
    await deps.state.saveEntry(this.#entryId, entry);
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
    return deps.state.saveEntry(this.#entryId, { ...this.#known(deps), pageValidators });
  }

  #known(deps: CrawlArticleDependencies): KnownEntry {
    return {
      ...(this.#contentId === this.#entryId ? {} : { articleId: this.#contentId }),
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

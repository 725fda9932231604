import { asId } from "@feed/domain/ids";
import type { ContentId, SourceId } from "@feed/domain/ids";
import type { Source } from "@feed/domain/source";
import type { FeedEntry } from "../feeds/feed-entry.ts";
import { FetchError } from "@feed/safe-fetch";
import type { Fetched } from "@feed/safe-fetch";
import type { PoliteFetch } from "../fetch/polite-fetch.ts";
import { addressKeysOf, canonicalUrlOf, fingerprintOf } from "../identity.ts";
import type { ArticleDraft } from "../ingest/article-draft.ts";
import { ARTICLE_ATTEMPTS_MAX, failureCodeOf, isOwnOutage, isPassing } from "../ingest/failures.ts";
import type { Ingest } from "../ingest/ingest.ts";
import { PAGE_BYTES_MAX } from "../limits.ts";
import { isWhole } from "../pages/choose-content.ts";
import { PageUnreadable, readPage } from "../pages/read-page.ts";
import type { ReadPage } from "../pages/read-page.ts";
import type { CrawlState, KnownEntry } from "../state/crawl-state.ts";
import { draftOf, hasText, showsPicture } from "./draft.ts";
import { GONE_STATUSES, MISSING_AGAIN_MS, MISSING_MAX } from "./look-again.ts";
import { conditionalHeaders, validatorsOf } from "./validators.ts";
import { entryIdOf, sameArticle, sameOfSibling } from "./same-article.ts";
import type { FeedContext, OthersArticle } from "./same-article.ts";
import { isRecheckDue } from "./schedule.ts";
import type { Turns } from "./turns.ts";

export interface CrawlArticleDependencies {
  readonly fetch: PoliteFetch;
  readonly ingest: Ingest;
  readonly state: CrawlState;
  readonly nowMs: () => number;
  /** Of sources of one publisher, so that two that bring the same article at once do not both publish it. */
  readonly turns: Turns;
}

export type ArticleOutcome =
  | { readonly kind: "unchanged" | "known" | "withdrawn" }
  /** `isNew`: it was not in `contents` before. */
  | { readonly kind: "published"; readonly isNew: boolean }
  /** It could not be taken in; `passing`: the next crawl tries again. */
  | { readonly kind: "failed"; readonly error: unknown; readonly passing: boolean };

/** Addresses that any source may bring. */
const NO_SOURCE = asId<SourceId>("");

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
  const entryId = entryIdOf(source.sourceId, entry);
  const fingerprint = fingerprintOf([JSON.stringify(entry)]);
  const known = deps.state.entry(entryId);
  const owner = known?.ofSource;
  if (owner !== undefined && known?.fingerprint === fingerprint && context.siblings.includes(owner))
    return { kind: "known" };
  // What was another source's is looked for anew: it changed, or that source is gone.
  const previous = owner === undefined ? known : undefined;
  const isForced = (previous?.checkedAtMs ?? 0) < (source.recrawlFromMs ?? 0);
  const isSame = !isForced && previous?.fingerprint === fingerprint;
  if (isSame && isSettled(previous, entry, deps.nowMs())) return { kind: "known" };
  const before = isSame ? previous : undefined;
  const articleId = previous?.articleId ?? entryId;
  const attempt = new Attempt({ source, entry, entryId, articleId, fingerprint, context }, before);
  const run = (): Promise<ArticleOutcome> => attempt.run(deps, signal);
  const [turn] = addressKeysOf({ sourceId: NO_SOURCE, url: entry.link, canonicalUrl: entry.link });
  const isContested = context.siblings.length > 0 && deps.state.article(articleId) === undefined;
  try {
    return await (isContested && turn !== undefined ? deps.turns.take(turn, run) : run());
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
    const isUnknown = deps.state.article(this.#contentId) === undefined;
    const link = canonicalUrlOf(this.#entry.link);
    const others = isUnknown
      ? this.#ofSibling({ url: link, canonicalUrl: link }, deps.state)
      : undefined;
    // Its page need not be asked for: another feed of the publisher brought the article.
    if (others !== undefined) return this.#leaveTo(others, deps);
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
      const draft = this.#draft(fetched?.url, page);
      const same = sameArticle(draft, this.#context, deps.state);
      const elsewhere = same === undefined ? this.#ofSibling(draft, deps.state) : undefined;
      if (elsewhere !== undefined) return this.#leaveTo(elsewhere, deps);
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

  #ofSibling(
    addresses: Pick<ArticleDraft, "url" | "canonicalUrl">,
    state: CrawlState,
  ): OthersArticle | undefined {
    const { sourceId } = this.#source;
    const article = { ...addresses, sourceId, title: this.#entry.title };
    // What this source has itself is its own, whoever else has it.
    if (sameArticle(article, this.#context, state) !== undefined) return undefined;
    return sameOfSibling(this.#entry, article, this.#context, state);
  }

  /** The feed that brought an article speaks for it. */
  async #leaveTo(
    { articleId, sourceId }: OthersArticle,
    { state, nowMs }: CrawlArticleDependencies,
  ): Promise<ArticleOutcome> {
    await state.saveEntry(this.#entryId, {
      articleId,
      ofSource: sourceId,
      fingerprint: this.#fingerprint,
      pageValidators: {},
      checkedAtMs: nowMs(),
      missing: 0,
    });
    return { kind: "known" };
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
    if (!isGone && !known.withdrawn) await this.#lookSoon(missing, deps);
    return { kind: isGone ? "withdrawn" : "unchanged" };
  }

  async #lookSoon(missing: number, { state, nowMs }: CrawlArticleDependencies): Promise<void> {
    await state.saveLook(this.#contentId, {
      articleId: this.#contentId,
      sourceId: this.#source.sourceId,
      entryId: this.#entryId,
      link: this.#entry.link,
      dueMs: nowMs() + MISSING_AGAIN_MS,
      missing,
      isListed: true,
      pageValidators: {},
    });
  }

  #draft(pageUrl: string | undefined, page: ReadPage | undefined): ArticleDraft {
    return draftOf(this.#source, this.#entry, this.#contentId, { pageUrl, page });
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

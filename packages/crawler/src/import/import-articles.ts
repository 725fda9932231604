import { ArticleBodyError } from "@feed/article-body";
import type { AnalysisContext } from "@feed/article-analysis";
import type { PictureRef } from "@feed/domain/article";
import type { ContentId } from "@feed/domain/ids";
import { retry } from "@feed/runtime";
import type { TenantDirectory } from "@feed/tenant-directory";
import type { PreparedArticle, StorePictures } from "../ingest/article-draft.ts";
import type { IngestDependencies } from "../ingest/dependencies.ts";
import { isOwnOutage } from "../ingest/failures.ts";
import { openAnalysis, OWN_RETRIES } from "../ingest/ingest.ts";
import { prepareArticle } from "../ingest/prepare-article.ts";
import { publishArticles } from "../ingest/publish-articles.ts";
import { draftOf, parseArticleLine } from "./article-line.ts";
import type { ArticleLine, LineProblem } from "./article-line.ts";
import { admitSource } from "./import-sources.ts";

/** Embedded and appended together. */
const ARTICLES_PER_APPEND = 64;

export interface ImportOptions extends IngestDependencies {
  readonly directory: Pick<TenantDirectory, "source" | "change">;
  /** Whether a source the directory does not know is created; otherwise its lines are refused. */
  readonly createSources: boolean;
  /** Who imports, for the facts of created sources. */
  readonly actor: string;
  /** See `openPictureStorage`; undefined leaves all pictures out. */
  readonly storePictures: StorePictures | undefined;
  /** After each append. */
  readonly onProgress: (progress: ImportProgress) => void;
  readonly onProblem: (problem: LineProblem & { readonly line: number }) => void;
  readonly signal: AbortSignal;
}

export interface ImportProgress {
  /** Lines read; empty ones count, so that these are the numbers an editor shows. */
  readonly lines: number;
  readonly published: number;
  /** In `contents` already, exactly so. */
  readonly unchanged: number;
  /** Each has at least one problem. */
  readonly refused: number;
}

/**
 * Imports articles from the lines of a JSON Lines file (see `ArticleLine`). A bad line is a problem
 * and the others go on. Importing the same file again publishes nothing; a changed article is a
 * revision.
 *
 * Errors: an outage of our own parts; the signal's reason. What was published before stays, and a
 * repetition goes on.
 */
export async function importArticles(
  lines: Iterable<string> | AsyncIterable<string>,
  options: ImportOptions,
): Promise<ImportProgress> {
  const importer = new Importer(options, await openAnalysis(options));
  for await (const line of lines) await importer.take(line);
  await importer.flush();
  return importer.progress();
}

const noPictures: StorePictures = () => Promise.resolve(new Map<string, PictureRef>());

class Importer {
  readonly #options: ImportOptions;
  readonly #analysis: AnalysisContext;
  readonly #batch = new Map<ContentId, PreparedArticle>();
  #lines = 0;
  #published = 0;
  #unchanged = 0;
  #refused = 0;

  constructor(options: ImportOptions, analysis: AnalysisContext) {
    this.#options = options;
    this.#analysis = analysis;
  }

  progress(): ImportProgress {
    return {
      lines: this.#lines,
      published: this.#published,
      unchanged: this.#unchanged,
      refused: this.#refused,
    };
  }

  async take(line: string): Promise<void> {
    this.#lines += 1;
    if (line.trim() === "") return;
    const parsed = parseArticleLine(line);
    if ("problems" in parsed) return this.#refuse(parsed.problems);
    const nowMs = this.#options.clock.nowMs();
    if (!(await admitSource(parsed.article, { ...this.#options, nowMs })))
      return this.#refuse([{ pointer: "/source_id", problem: "is no source of the directory" }]);
    await this.#prepare(parsed.article, nowMs);
    if (this.#batch.size >= ARTICLES_PER_APPEND) await this.flush();
  }

  async flush(): Promise<void> {
    const prepared = [...this.#batch.values()];
    if (prepared.length > 0) {
      await retry(() => publishArticles(prepared, this.#options), {
        ...OWN_RETRIES,
        isTransient: isOwnOutage,
        signal: this.#options.signal,
      });
    }
    this.#published += prepared.length;
    this.#batch.clear();
    this.#options.onProgress(this.progress());
  }

  async #prepare(line: ArticleLine, nowMs: number): Promise<void> {
    const draft = draftOf(line);
    // The same article twice: the second is a revision of the first, which has to be known by then.
    if (this.#batch.has(draft.contentId)) await this.flush();
    try {
      const prepared = await prepareArticle(draft, {
        storePictures: this.#options.storePictures ?? noPictures,
        analysis: this.#analysis,
        known: this.#options.state.article(draft.contentId),
        nowMs,
        signal: this.#options.signal,
      });
      if (prepared === undefined) this.#unchanged += 1;
      else this.#batch.set(draft.contentId, prepared);
    } catch (error) {
      if (!(error instanceof ArticleBodyError)) throw error;
      this.#refuse([{ pointer: "/body_html", problem: `${error.code}: ${error.message}` }]);
    }
  }

  #refuse(problems: readonly LineProblem[]): void {
    this.#refused += 1;
    for (const problem of problems) this.#options.onProblem({ ...problem, line: this.#lines });
  }
}

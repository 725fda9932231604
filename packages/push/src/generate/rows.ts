import type { IndexedArticle } from "@feed/content-index";
import type { ContentId, UserId } from "@feed/domain/ids";
import type { Scenario } from "@feed/domain/scenario";
import type { Tenant } from "@feed/domain/tenant";
import { attributedUrl, presentSource } from "@feed/feed/present";
import type { PushDependencies } from "../dependencies.ts";
import type { ChosenArticle } from "./choose-candidates.ts";
import type { Pool } from "./pool.ts";

const SCORE_DIGITS = 1e4;

export type EmptyReason = "generation_failed" | "no_matching_content";

interface RowJob {
  readonly tenant: Tenant;
  readonly scenario: Scenario;
  readonly jobId: string;
  readonly nowMs: number;
}

/** Lines of the result file (spec 2.9). What is the same in all lines of an article is made once. */
export class Rows {
  readonly #deps: Pick<PushDependencies, "directory" | "pictures">;
  readonly #job: RowJob;
  readonly #pool: Pool;
  readonly #sign: (contentId: ContentId, position: number) => string;
  readonly #articles = new Map<number, string | undefined>();

  constructor(
    deps: Pick<PushDependencies, "directory" | "pictures" | "keyring">,
    job: RowJob,
    pool: Pool,
  ) {
    this.#deps = deps;
    this.#job = job;
    this.#pool = pool;
    this.#sign = deps.keyring.trackingTokenSigner({
      tenantId: job.tenant.tenantId,
      surface: "push",
      scenario: job.scenario.name,
      deliveryId: job.jobId,
      deliveredAtMs: job.nowMs,
    });
  }

  line(userId: UserId, chosen: readonly ChosenArticle[]): string {
    const candidates = chosen.map((article, position) => this.#candidate(article, position));
    return `{"user_id":${JSON.stringify(userId)},"candidates":[${candidates.join(",")}]}\n`;
  }

  emptyLine(userId: UserId, reason: EmptyReason): string {
    return `${JSON.stringify({ user_id: userId, candidates: [], empty_reason: reason })}\n`;
  }

  #candidate({ row, score }: ChosenArticle, position: number): string {
    const article = this.#pool.candidates.articles[row];
    if (article === undefined) throw new Error(`the pool has no row ${row}`);
    const rounded = Math.round(score * SCORE_DIGITS) / SCORE_DIGITS;
    const token = this.#sign(article.contentId, position);
    return `${this.#articleOf(row, article)},"score":${rounded},"tracking_token":"${token}"}`;
  }

  /** The object of an article, without what a user adds and without its closing brace. */
  #articleOf(row: number, article: IndexedArticle): string {
    const known = this.#articles.get(row);
    if (known !== undefined) return known;
    const source = this.#deps.directory.source(article.sourceId);
    if (source === undefined) throw new Error(`source ${article.sourceId} is not in the directory`);
    const { url, width, height } = this.#deps.pictures.thumbnail(article, source);
    const fields = {
      id: article.contentId,
      title: article.title,
      url: attributedUrl(article.url, this.#job.tenant.slug, "push"),
      thumbnail: { url, width, height },
      source: presentSource(source),
      published_at: new Date(article.publishedAtMs).toISOString(),
    };
    const open = JSON.stringify(fields).slice(0, -1);
    this.#articles.set(row, open);
    return open;
  }
}

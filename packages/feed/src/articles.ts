import { ContentIndexUnavailable, type IndexedArticle } from "@feed/content-index";
import type { ContentId } from "@feed/domain/ids";
import type { FeedDependencies } from "./dependencies.ts";

/** Lists whose articles are remembered; each holds references alone. */
const LISTS_MAX = 2_000;

/**
 * Articles by id for pages. While the content index is away, those a list was made of stand in, so that pages of
 * live lists go on being served (architecture section 2, table).
 */
export class Articles {
  readonly #contentIndex: Pick<FeedDependencies["contentIndex"], "articles">;
  /** By list, the oldest first. */
  readonly #remembered = new Map<string, readonly IndexedArticle[]>();

  constructor(contentIndex: Pick<FeedDependencies["contentIndex"], "articles">) {
    this.#contentIndex = contentIndex;
  }

  remember(listId: string, articles: readonly IndexedArticle[]): void {
    this.#remembered.set(listId, articles);
    if (this.#remembered.size <= LISTS_MAX) return;
    for (const oldest of this.#remembered.keys()) {
      this.#remembered.delete(oldest);
      return;
    }
  }

  /**
   * Articles of a list that may still be shown; withdrawn ones are left out.
   *
   * Errors: ContentIndexUnavailable where the list is not remembered.
   */
  async ofList(
    listId: string,
    contentIds: readonly ContentId[],
  ): Promise<ReadonlyMap<ContentId, IndexedArticle>> {
    try {
      return byId(await this.#contentIndex.articles(contentIds));
    } catch (error) {
      const remembered = this.#remembered.get(listId);
      if (remembered === undefined || !(error instanceof ContentIndexUnavailable)) throw error;
      return byId(remembered);
    }
  }
}

function byId(articles: readonly IndexedArticle[]): ReadonlyMap<ContentId, IndexedArticle> {
  return new Map(articles.map((article) => [article.contentId, article]));
}

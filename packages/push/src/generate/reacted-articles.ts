import { ARTICLE_IDS_MAX, type ContentIndex, type IndexedArticle } from "@feed/content-index";
import type { ContentId } from "@feed/domain/ids";
import type { InterestMark } from "@feed/domain/user";
import { INTEREST_MARKS_USED_MAX } from "@feed/domain/ranking/interests";

/** Articles held at a time; about 1 KiB each. */
const ARTICLES_MAX = 10_000;

interface Reacted {
  /** Absent: not in the index, or withdrawn. */
  readonly article: IndexedArticle | undefined;
  readonly vector: Float32Array | undefined;
}

/**
 * What the index says of articles that users reacted to. Users share most of them, so that after the first blocks of
 * users hardly any is asked for.
 */
export class ReactedArticles {
  readonly #contentIndex: Pick<ContentIndex, "articles" | "vectors">;
  #known = new Map<ContentId, Reacted>();

  constructor(contentIndex: Pick<ContentIndex, "articles" | "vectors">) {
    this.#contentIndex = contentIndex;
  }

  /** What the interests of these users are made from is known afterwards. */
  async learn(marksOfUsers: Iterable<readonly InterestMark[]>): Promise<void> {
    const unknown = new Set<ContentId>();
    for (const marks of marksOfUsers) {
      const from = Math.max(0, marks.length - INTEREST_MARKS_USED_MAX);
      for (let at = from; at < marks.length; at += 1) {
        const contentId = marks[at]?.contentId as ContentId;
        if (!this.#known.has(contentId)) unknown.add(contentId);
      }
    }
    await this.#ask([...unknown]);
  }

  /** Unit vectors, as far as the index has them. */
  readonly vectors = {
    get: (contentId: ContentId): Float32Array | undefined => this.#known.get(contentId)?.vector,
  };

  /** As the index answers. */
  async articles(contentIds: readonly ContentId[]): Promise<readonly IndexedArticle[]> {
    await this.#ask(contentIds.filter((contentId) => !this.#known.has(contentId)));
    return contentIds.flatMap((contentId) => this.#known.get(contentId)?.article ?? []);
  }

  async #ask(contentIds: readonly ContentId[]): Promise<void> {
    if (contentIds.length === 0) return;
    if (this.#known.size + contentIds.length > ARTICLES_MAX) this.#known = new Map();
    for (let from = 0; from < contentIds.length; from += ARTICLE_IDS_MAX) {
      const some = contentIds.slice(from, from + ARTICLE_IDS_MAX);
      const [articles, vectors] = await Promise.all([
        this.#contentIndex.articles(some),
        this.#contentIndex.vectors(some),
      ]);
      const byId = new Map(articles.map((article) => [article.contentId, article]));
      for (const contentId of some) {
        // Copied: the index takes the place of a withdrawn article for another one.
        const vector = vectors.get(contentId)?.slice();
        this.#known.set(contentId, { article: byId.get(contentId), vector });
      }
    }
  }
}

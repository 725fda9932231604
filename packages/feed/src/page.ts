import type { ContentId } from "@feed/domain/ids";
import type { IndexedArticle } from "@feed/content-index";
import type { FeedDependencies } from "./dependencies.ts";
import type { RankedItem, RankedList } from "./ranked-list.ts";
import type { RegisteredReader } from "./reader.ts";
import type { FeedRequest } from "./service.ts";

export interface PageItem {
  readonly ranked: RankedItem;
  readonly article: IndexedArticle;
}

export interface Page {
  readonly items: readonly PageItem[];
  /** Index into the list of the first item of the page after this one. */
  readonly next: number;
  /** Nothing of the list is left to show. */
  readonly isLast: boolean;
}

/**
 * The next `limit` items of a list from `from` on. What has since been read, blocked, withdrawn or unlicensed is
 * skipped (architecture section 3, step 4).
 */
export async function cutPage(
  deps: Pick<FeedDependencies, "contentIndex" | "directory">,
  list: RankedList,
  from: number,
  request: FeedRequest,
  user: RegisteredReader | undefined,
): Promise<Page> {
  const undeliverable = deps.directory.undeliverableSources(request.tenant.tenantId);
  const items: PageItem[] = [];
  // One item more than the page holds tells whether there is a page after it.
  const wanted = request.limit + 1;
  let at = from;
  let last = from;
  while (items.length < wanted && at < list.items.length) {
    const slice = list.items.slice(at, at + wanted - items.length);
    const articles = await articlesById(deps, slice);
    for (const ranked of slice) {
      const article = articles.get(ranked.contentId);
      if (
        article !== undefined &&
        !undeliverable.has(article.sourceId) &&
        !isHidden(article, user)
      ) {
        items.push({ ranked, article });
        last = at;
      }
      at += 1;
    }
  }
  if (items.length < wanted) return { items, next: at, isLast: true };
  return { items: items.slice(0, request.limit), next: last, isLast: false };
}

function isHidden(article: IndexedArticle, user: RegisteredReader | undefined): boolean {
  if (user === undefined) return false;
  return user.readMarks.has(article.contentId) || user.blockedSources.has(article.sourceId);
}

async function articlesById(
  deps: Pick<FeedDependencies, "contentIndex">,
  slice: readonly RankedItem[],
): Promise<ReadonlyMap<ContentId, IndexedArticle>> {
  const found = await deps.contentIndex.articles(slice.map(({ contentId }) => contentId));
  return new Map(found.map((article) => [article.contentId, article]));
}

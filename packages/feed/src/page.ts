import type { IndexedArticle } from "@feed/content-index";
import type { Articles } from "./articles.ts";
import type { FeedDependencies } from "./dependencies.ts";
import type { RankedList } from "./ranked-list.ts";
import type { RegisteredReader } from "./reader.ts";
import type { Explanation, FeedRequest } from "./service.ts";

export interface PageItem {
  readonly article: IndexedArticle;
  readonly score: number;
  readonly explanation: Explanation | undefined;
}

export interface Page {
  readonly items: readonly PageItem[];
  /** Index into the list of the first item of the page after this one. */
  readonly next: number;
  /** Nothing of the list is left to show. */
  readonly isLast: boolean;
}

/**
 * The next `limit` items of a list from `from` on. What has since been read, blocked, withdrawn, withheld or unlicensed is
 * skipped (architecture section 3, step 4).
 */
export async function cutPage(
  deps: Pick<FeedDependencies, "directory"> & { readonly articles: Articles },
  list: RankedList,
  from: number,
  request: FeedRequest,
  user: RegisteredReader | undefined,
): Promise<Page> {
  const undeliverable = deps.directory.undeliverableSources(request.tenant.tenantId);
  const withheld = deps.directory.withheldContents(request.tenant.tenantId);
  const items: PageItem[] = [];
  // One item more than the page holds tells whether there is a page after it.
  const wanted = request.limit + 1;
  let at = from;
  let last = from;
  while (items.length < wanted && at < list.contentIds.length) {
    const slice = list.contentIds.slice(at, at + wanted - items.length);
    const articles = await deps.articles.ofList(list.listId, slice);
    for (const contentId of slice) {
      const article = articles.get(contentId);
      if (
        article !== undefined &&
        !undeliverable.has(article.sourceId) &&
        !withheld.has(contentId) &&
        !isHidden(article, user)
      ) {
        const score = list.scores[at] ?? 0;
        items.push({ article, score, explanation: list.explanations?.[at] });
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

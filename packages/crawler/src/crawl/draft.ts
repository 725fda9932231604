import type { ContentId } from "@feed/domain/ids";
import type { Source } from "@feed/domain/source";
import type { FeedEntry } from "../feeds/feed-entry.ts";
import { canonicalUrlOf } from "../identity.ts";
import type { ArticleDraft } from "../ingest/article-draft.ts";
import { chooseContent } from "../pages/choose-content.ts";
import type { ReadPage } from "../pages/read-page.ts";

/** What an entry of a feed and its page, where that was read, say of an article. The title is the feed's. */
export function draftOf(
  source: Source,
  entry: FeedEntry,
  contentId: ContentId,
  { pageUrl, page }: { readonly pageUrl: string | undefined; readonly page: ReadPage | undefined },
): ArticleDraft {
  const baseUrl = pageUrl ?? entry.link;
  const author = entry.author ?? page?.author;
  const publishedAtMs = entry.publishedAtMs ?? page?.publishedAtMs ?? entry.updatedAtMs;
  const languageHint = page?.language ?? entry.language ?? source.language;
  const shared = page?.pictureUrl === undefined ? [] : [page.pictureUrl];
  return {
    contentId,
    sourceId: source.sourceId,
    url: canonicalUrlOf(entry.link),
    canonicalUrl: page?.canonicalUrl ?? canonicalUrlOf(baseUrl),
    title: entry.title,
    html:
      source.extraction === undefined || page?.contentHtml === undefined
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

export function hasText(entry: FeedEntry): boolean {
  return entry.contentHtml !== undefined || entry.summaryHtml !== undefined;
}

export function showsPicture(entry: FeedEntry): boolean {
  return entry.pictureUrls.length > 0 || /<img\b/i.test(entry.contentHtml ?? "");
}

import type { ContentId, SourceId } from "@feed/domain/ids";
import type { FeedEntry } from "../feeds/feed-entry.ts";
import { addressKeysOf, canonicalUrlOf, contentIdOf, identityKeysOf } from "../identity.ts";
import type { IdentifiedArticle } from "../identity.ts";
import type { CrawlState } from "../state/crawl-state.ts";

/** The feed an entry stands in. */
export interface FeedContext {
  /** Ids of all its entries. */
  readonly entryIds: ReadonlySet<ContentId>;
  /** Keys that several of its entries share: they tell nothing then. */
  readonly sharedKeys: ReadonlySet<string>;
  /** Other sources of the same publisher. */
  readonly siblings: readonly SourceId[];
}

export interface OthersArticle {
  readonly articleId: ContentId;
  readonly sourceId: SourceId;
}

/** The id of an entry in its source's feed, and of its article unless that is known by another. */
export function entryIdOf(sourceId: SourceId, entry: FeedEntry): ContentId {
  // The link of a feed without ids may carry attribution that changes.
  const identity = entry.id === entry.link ? canonicalUrlOf(entry.link) : entry.id;
  return contentIdOf(sourceId, identity);
}

/** An article of the source that is this one under another id: its publisher changed that. */
export function sameArticle(
  article: IdentifiedArticle,
  { sharedKeys }: FeedContext,
  state: CrawlState,
): ContentId | undefined {
  const telling = identityKeysOf(article).filter((key) => !sharedKeys.has(key));
  return firstIdentified(telling, state);
}

/**
 * The article of another source of the publisher that this entry is: it has the same address, or the same id where
 * that is one for the whole world (an address, a URN). A title is none: each of its sections may have a "Weather".
 */
export function sameOfSibling(
  entry: FeedEntry,
  article: IdentifiedArticle,
  { siblings, sharedKeys }: FeedContext,
  state: CrawlState,
): OthersArticle | undefined {
  // What several entries of this feed share says nothing, whose key ever it would be.
  const ownKeys = addressKeysOf(article);
  if (ownKeys.some((key) => sharedKeys.has(key))) return undefined;
  for (const sourceId of siblings) {
    const byId = entry.id.includes(":") ? entryIdOf(sourceId, entry) : undefined;
    const isKnown = byId !== undefined && state.article(byId) !== undefined;
    const keys = addressKeysOf({ ...article, sourceId });
    const articleId = isKnown ? byId : firstIdentified(keys, state);
    if (articleId !== undefined) return { articleId, sourceId };
  }
  return undefined;
}

function firstIdentified(keys: readonly string[], state: CrawlState): ContentId | undefined {
  return keys.map((key) => state.identified(key)).find((id) => id !== undefined);
}

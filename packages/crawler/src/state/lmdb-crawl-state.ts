import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { open } from "lmdb";
import type { Database, RootDatabase } from "lmdb";
import type { ContentId } from "@feed/domain/ids";
import { CrawlStateUnavailable } from "./crawl-state.ts";
import type {
  CrawlState,
  KnownArticle,
  KnownEntry,
  KnownPicture,
  ListedEntry,
  Look,
  SourceCrawl,
} from "./crawl-state.ts";

const LOG_OFFSETS = "log-offsets";

interface Tables {
  readonly root: RootDatabase;
  readonly sources: Database<SourceCrawl, string>;
  readonly entries: Database<KnownEntry, string>;
  readonly articles: Database<KnownArticle, string>;
  readonly identities: Database<ContentId, string>;
  readonly pictures: Database<KnownPicture, string>;
  readonly listings: Database<readonly ListedEntry[], string>;
  readonly looks: Database<Look, string>;
  /** Ids of articles by when they are to be looked at. */
  readonly lookTimes: Database<ContentId, [number, string]>;
  readonly positions: Database<readonly (readonly [number, number])[], string>;
}

/** Opens, or creates, the state in a directory of its own. Several processes may have it open. */
export function openLmdbCrawlState(directory: string): CrawlState {
  const tables = openTables(directory);
  const { sources, entries, articles, identities, pictures, positions } = tables;
  const { listings, looks, lookTimes } = tables;
  const saved = async (write: () => Promise<unknown>): Promise<void> => {
    try {
      await write();
    } catch (cause) {
      throw new CrawlStateUnavailable(`cannot write to ${directory}`, { cause });
    }
  };
  return {
    source: (sourceId) => sources.get(hashed(sourceId)),
    saveSource: (sourceId, crawl) => saved(() => sources.put(hashed(sourceId), crawl)),
    entry: (contentId) => entries.get(contentId),
    saveEntry: (contentId, entry) => saved(() => entries.put(contentId, entry)),
    article: (contentId) => articles.get(contentId),
    saveArticles: (known, keys) =>
      saved(() =>
        articles.batch(() => {
          for (const [contentId, article] of known) void articles.put(contentId, article);
          for (const [key, contentId] of keys)
            if (identities.get(key) === undefined) void identities.put(key, contentId);
        }),
      ),
    identified: (key) => identities.get(key),
    picture: (url) => pictures.get(hashed(url)),
    savePicture: (url, picture) => saved(() => pictures.put(hashed(url), picture)),
    listing: (sourceId) => listings.get(hashed(sourceId)) ?? [],
    saveListing: (sourceId, listed) => saved(() => listings.put(hashed(sourceId), listed)),
    look: (articleId) => looks.get(articleId),
    looksDue: (nowMs, countMax) =>
      [...lookTimes.getRange({ end: [nowMs + 1], limit: countMax })].flatMap(
        ({ value }) => looks.get(value) ?? [],
      ),
    saveLook: (articleId, look) =>
      saved(() =>
        looks.transaction(() => {
          const before = looks.get(articleId);
          if (before !== undefined) void lookTimes.remove([before.dueMs, articleId]);
          if (look === undefined) return void looks.remove(articleId);
          void looks.put(articleId, look);
          void lookTimes.put([look.dueMs, articleId], articleId);
        }),
      ),
    logOffsets: () => new Map(positions.get(LOG_OFFSETS)),
    saveLogOffsets: (offsets) => saved(() => positions.put(LOG_OFFSETS, [...offsets])),
    [Symbol.asyncDispose]: () => tables.root.close(),
  };
}

function openTables(directory: string): Tables {
  try {
    mkdirSync(directory, { recursive: true });
    const root = open({ path: `${directory}/crawl.mdb`, maxDbs: 12 });
    return {
      root,
      sources: root.openDB({ name: "sources" }),
      entries: root.openDB({ name: "entries" }),
      articles: root.openDB({ name: "articles" }),
      identities: root.openDB({ name: "identities" }),
      pictures: root.openDB({ name: "pictures" }),
      listings: root.openDB({ name: "listings" }),
      looks: root.openDB({ name: "looks" }),
      lookTimes: root.openDB({ name: "look-times" }),
      positions: root.openDB({ name: "positions" }),
    };
  } catch (cause) {
    throw new CrawlStateUnavailable(`cannot use ${directory}`, { cause });
  }
}

/** Keys of LMDB are short; addresses and foreign ids need not be. */
function hashed(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}

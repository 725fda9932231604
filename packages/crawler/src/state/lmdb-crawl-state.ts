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
  readonly positions: Database<readonly (readonly [number, number])[], string>;
}

/** Opens, or creates, the state in a directory of its own. Several processes may have it open. */
export function openLmdbCrawlState(directory: string): CrawlState {
  const tables = openTables(directory);
  const { sources, entries, articles, identities, pictures, positions } = tables;
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
    logOffsets: () => new Map(positions.get(LOG_OFFSETS)),
    saveLogOffsets: (offsets) => saved(() => positions.put(LOG_OFFSETS, [...offsets])),
    [Symbol.asyncDispose]: () => tables.root.close(),
  };
}

function openTables(directory: string): Tables {
  try {
    mkdirSync(directory, { recursive: true });
    const root = open({ path: `${directory}/crawl.mdb`, maxDbs: 8 });
    return {
      root,
      sources: root.openDB({ name: "sources" }),
      entries: root.openDB({ name: "entries" }),
      articles: root.openDB({ name: "articles" }),
      identities: root.openDB({ name: "identities" }),
      pictures: root.openDB({ name: "pictures" }),
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

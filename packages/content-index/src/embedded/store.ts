import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { open } from "lmdb";
import type { Database, RootDatabase } from "lmdb";
import { ContentRejected } from "../port.ts";
import type { ArticleBody, ContentChange } from "../port.ts";
import { storedArticle } from "./document.ts";
import type { StoredArticle } from "./document.ts";

/** Changes whenever what is stored changes its meaning; another layout is another directory. */
const LAYOUT = "layout-1";
/** Prefetched by the engine's readers per open directory. */
const READERS_MAX = 126;

/** The log offset of an article's last change, and that change's place in the change feed. */
type Version = readonly [offset: number, sequence: number];
type StoredBody = readonly [html: string, markdown: string];

/** One entry of the change feed, with what is now stored; without `article`, it was withdrawn. */
export interface StoredChange {
  readonly sequence: number;
  readonly contentId: string;
  readonly article: StoredArticle | undefined;
  /** Bytes of the float32 values; absent where none was ever stored. */
  readonly vectorBytes: Uint8Array | undefined;
}

/**
 * The index on disk. The change feed has one entry an article, at its last change, so that reading it
 * from the start loads the index and reading it from a sequence refreshes one.
 */
export class ContentStore {
  readonly #environment: RootDatabase;
  readonly #articles: Database<StoredArticle, string>;
  readonly #bodies: Database<StoredBody, string>;
  readonly #vectors: Database<Buffer, string>;
  readonly #versions: Database<Version, string>;
  readonly #feed: Database<string, number>;
  readonly #positions: Database<number, number>;
  readonly #meta: Database<number, string>;

  private constructor(environment: RootDatabase) {
    this.#environment = environment;
    this.#articles = environment.openDB("articles", {});
    this.#bodies = environment.openDB("bodies", {});
    this.#vectors = environment.openDB("vectors", { encoding: "binary" });
    this.#versions = environment.openDB("versions", {});
    this.#feed = environment.openDB("feed", {});
    this.#positions = environment.openDB("positions", {});
    this.#meta = environment.openDB("meta", {});
  }

  /** Where the index of a model lies: models and versions never share a directory. */
  static path(directory: string, model: string, version: number): string {
    return join(ContentStore.versionPath(directory, version), encodeURIComponent(model));
  }

  /** Where a version lies, of all models. */
  static versionPath(directory: string, version: number): string {
    return join(directory, version === 1 ? LAYOUT : `${LAYOUT}-r${version}`);
  }

  /** Throws ContentRejected when the directory holds vectors of other dimensions. */
  static async open(path: string, dimensions: number): Promise<ContentStore> {
    mkdirSync(path, { recursive: true });
    const store = new ContentStore(open({ path, maxDbs: 8, maxReaders: READERS_MAX }));
    const meta = store.#meta;
    await meta.ifNoExists("dimensions", () => void meta.put("dimensions", dimensions));
    const stored = meta.get("dimensions");
    if (stored === dimensions) return store;
    await store.close();
    throw new ContentRejected(`${path} holds vectors of ${stored} dimensions, not ${dimensions}`);
  }

  /** One transaction: all changes that are newer than what is stored, and the positions. */
  async apply(
    changes: readonly ContentChange[],
    positions: ReadonlyMap<number, number>,
  ): Promise<void> {
    await this.#environment.transaction(() => {
      let sequence = this.#meta.get("sequence") ?? 0;
      for (const change of changes) {
        const contentId = change.kind === "put" ? change.article.contentId : change.contentId;
        const version = this.#versions.get(contentId);
        if (version !== undefined && change.offset <= version[0]) continue;
        if (version !== undefined) void this.#feed.remove(version[1]);
        sequence++;
        void this.#versions.put(contentId, [change.offset, sequence]);
        void this.#feed.put(sequence, contentId);
        this.#write(change);
      }
      void this.#meta.put("sequence", sequence);
      for (const [partition, nextOffset] of positions) {
        void this.#positions.put(partition, nextOffset);
      }
    });
  }

  /** Sequence of the last change, as committed by any process. */
  sequence(): number {
    this.#environment.resetReadTxn();
    return this.#meta.get("sequence") ?? 0;
  }

  /** Articles whose last change came after `sequence`, in order of change; the first `limit` of them. */
  *changesAfter(sequence: number, limit = Infinity): Generator<StoredChange> {
    for (const { key, value } of this.#feed.getRange({ start: sequence + 1, limit })) {
      yield {
        sequence: key,
        contentId: value,
        article: this.#articles.get(value),
        vectorBytes: this.#vectors.get(value),
      };
    }
  }

  positions(): ReadonlyMap<number, number> {
    const entries = this.#positions.getRange().map(({ key, value }) => [key, value] as const);
    return new Map(entries);
  }

  body(contentId: string): ArticleBody | undefined {
    const stored = this.#bodies.get(contentId);
    return stored === undefined ? undefined : { html: stored[0], markdown: stored[1] };
  }

  close(): Promise<void> {
    return this.#environment.close();
  }

  /** A withdrawn article's vector stays: interests outlive articles. */
  #write(change: ContentChange): void {
    if (change.kind === "withdraw") {
      void this.#articles.remove(change.contentId);
      void this.#bodies.remove(change.contentId);
      return;
    }
    const { article } = change;
    const { buffer, byteOffset, byteLength } = article.embedding.vector;
    void this.#articles.put(article.contentId, storedArticle(article));
    void this.#bodies.put(article.contentId, [article.bodyHtml, article.bodyMarkdown]);
    void this.#vectors.put(article.contentId, Buffer.from(buffer, byteOffset, byteLength));
  }
}

import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import type { ContentId } from "@feed/domain/ids";
import type { Candidates } from "@feed/domain/ranking/candidates";
import { recallFrom } from "./embedded/recall.ts";
import { acquireShared } from "./embedded/shared.ts";
import type { SharedIndex } from "./embedded/shared.ts";
import { ContentStore } from "./embedded/store.ts";
import { unavailableUnlessDone } from "./faults.ts";
import { ContentIndexUnavailable, ContentRejected } from "./port.ts";
import type {
  ArticleBody,
  ContentChange,
  ContentIndex,
  ContentIndexStats,
  IndexedArticle,
  RecallFilter,
  RecallLeg,
} from "./port.ts";
import { validateChanges, validateIds, validateLegs } from "./validation.ts";

export interface EmbeddedContentIndexOptions {
  /** Made if it is missing; holds the indexes of several models side by side. */
  readonly directory: string;
  readonly model: string;
  readonly dimensions: number;
  /** Versions lie side by side. Absent: 1. */
  readonly version?: number;
  /** False: `apply` is refused, for processes that only answer. One process at a time writes. */
  readonly writer?: boolean;
  /** For a reader that is seldom asked: what a recall needs is loaded for the first one, not at once. */
  readonly loadsWhenAsked?: boolean;
}

/**
 * Content index in this process: documents, bodies and vectors in LMDB, and what a recall needs in memory,
 * loaded when it is opened. Readers in the same thread see a change when `apply` resolves, those in other
 * threads and processes within 100 ms. Rejects with ContentIndexUnavailable if the directory can't be used.
 */
export async function openEmbeddedContentIndex(
  options: EmbeddedContentIndexOptions,
): Promise<ContentIndex> {
  const { directory, model, dimensions, writer = true, loadsWhenAsked = writer } = options;
  const path = ContentStore.path(resolve(directory), model, options.version ?? 1);
  const shared = await unavailableUnlessDone(`can't open ${path}`, () =>
    acquireShared(path, dimensions, !loadsWhenAsked),
  );
  return new EmbeddedContentIndex(shared, model, dimensions, writer);
}

/** Removes a version, of all models, that nobody has open; one that is not there is no error. */
export async function removeEmbeddedIndex(directory: string, version: number): Promise<void> {
  await rm(ContentStore.versionPath(resolve(directory), version), { recursive: true, force: true });
}

class EmbeddedContentIndex implements ContentIndex {
  readonly #shared: SharedIndex;
  readonly #model: string;
  readonly #dimensions: number;
  readonly #writer: boolean;
  #closing: Promise<void> | undefined;

  constructor(shared: SharedIndex, model: string, dimensions: number, writer: boolean) {
    this.#shared = shared;
    this.#model = model;
    this.#dimensions = dimensions;
    this.#writer = writer;
  }

  async apply(
    changes: readonly ContentChange[],
    positions: ReadonlyMap<number, number>,
  ): Promise<void> {
    this.#assertOpen();
    if (!this.#writer) throw new ContentRejected("this index was opened for reading only");
    validateChanges(changes, { model: this.#model, dimensions: this.#dimensions });
    await unavailableUnlessDone("can't apply changes", async () => {
      await this.#shared.store.apply(changes, positions);
      this.#shared.refresh();
    });
  }

  positions(): Promise<ReadonlyMap<number, number>> {
    return this.#read((shared) => {
      const positions = shared.store.positions();
      // Another opening may have written them a moment ago: what they pass is in memory too.
      shared.refresh();
      return positions;
    });
  }

  recall(filter: RecallFilter, legs: readonly RecallLeg[]): Promise<Candidates<IndexedArticle>> {
    return this.#read(({ columns }) => {
      validateLegs(legs, { model: this.#model, dimensions: this.#dimensions });
      return recallFrom(columns, filter, legs);
    });
  }

  articles(contentIds: readonly ContentId[]): Promise<readonly IndexedArticle[]> {
    return this.#read(({ columns }) => {
      validateIds(contentIds);
      return contentIds
        .map((contentId) => columns.articles[columns.slotOf(contentId) ?? -1])
        .filter((article) => article !== undefined);
    });
  }

  vectors(contentIds: readonly ContentId[]): Promise<ReadonlyMap<ContentId, Float32Array>> {
    return this.#read(({ columns }) => {
      const vectors = new Map<ContentId, Float32Array>();
      for (const contentId of contentIds) {
        const slot = columns.slotOf(contentId);
        if (slot !== undefined) vectors.set(contentId, columns.matrix.vector(slot));
      }
      return vectors;
    });
  }

  body(contentId: ContentId): Promise<ArticleBody | undefined> {
    return this.#read(({ store }) => store.body(contentId));
  }

  stats(): Promise<ContentIndexStats> {
    return this.#read(({ columns }) => ({
      articles: columns.articleCount,
      model: this.#model,
      dimensions: this.#dimensions,
    }));
  }

  generation(): number {
    return this.#shared.columns.generation;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#shared.release();
    return this.#closing;
  }

  async #read<Result>(read: (shared: SharedIndex) => Result): Promise<Result> {
    this.#assertOpen();
    return unavailableUnlessDone("can't read the index", async () => {
      if (this.#shared.failure !== undefined) throw this.#shared.failure;
      return read(this.#shared);
    });
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new ContentIndexUnavailable("the index is closed");
  }
}

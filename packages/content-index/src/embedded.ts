import { resolve } from "node:path";
import type { ContentId } from "@feed/domain/ids";
import { recallFrom } from "./embedded/recall.ts";
import { acquireShared } from "./embedded/shared.ts";
import type { SharedIndex } from "./embedded/shared.ts";
import { ContentStore } from "./embedded/store.ts";
import {
  ARTICLE_IDS_MAX,
  ContentIndexUnavailable,
  ContentRejected,
  LEG_CANDIDATES_MAX,
  RECALL_LEGS_MAX,
} from "./port.ts";
import type {
  ArticleBody,
  Candidate,
  ContentChange,
  ContentIndex,
  ContentIndexStats,
  IndexedArticle,
  RecallFilter,
  RecallLeg,
} from "./port.ts";

/** Vectors are stored as made; one this far from unit length is a bug of its embedder. */
const UNIT_LENGTH_TOLERANCE = 1e-3;

export interface EmbeddedContentIndexOptions {
  /** Made if it is missing; holds the indexes of several models side by side. */
  readonly directory: string;
  readonly model: string;
  readonly dimensions: number;
  /** False: `apply` is refused, for processes that only answer. One process at a time writes. */
  readonly writer?: boolean;
}

/**
 * Content index in this process: documents, bodies and vectors in LMDB, and what a recall needs in memory,
 * loaded when it is opened. Readers in the same thread see a change when `apply` resolves, those in other
 * threads and processes within 100 ms. Rejects with ContentIndexUnavailable if the directory can't be used.
 */
export async function openEmbeddedContentIndex(
  options: EmbeddedContentIndexOptions,
): Promise<ContentIndex> {
  const { directory, model, dimensions, writer = true } = options;
  const path = ContentStore.path(resolve(directory), model);
  const shared = await unavailableUnlessDone(`can't open ${path}`, () =>
    acquireShared(path, dimensions, !writer),
  );
  return new EmbeddedContentIndex(shared, model, dimensions, writer);
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
    for (const change of changes) {
      if (change.kind === "put") this.#assertEmbedding(change.article.embedding);
    }
    await unavailableUnlessDone("can't apply changes", async () => {
      await this.#shared.store.apply(changes, positions);
      this.#shared.refresh();
    });
  }

  positions(): Promise<ReadonlyMap<number, number>> {
    return this.#read(({ store }) => store.positions());
  }

  recall(filter: RecallFilter, legs: readonly RecallLeg[]): Promise<readonly Candidate[]> {
    return this.#read(({ columns }) => {
      this.#assertLegs(legs);
      return recallFrom(columns, filter, legs);
    });
  }

  articles(contentIds: readonly ContentId[]): Promise<readonly IndexedArticle[]> {
    return this.#read(({ columns }) => {
      if (contentIds.length > ARTICLE_IDS_MAX) {
        throw new ContentRejected(`${contentIds.length} ids, at most ${ARTICLE_IDS_MAX}`);
      }
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

  #assertEmbedding({
    model,
    vector,
  }: {
    readonly model: string;
    readonly vector: Float32Array;
  }): void {
    if (model !== this.#model) {
      throw new ContentRejected(`embedded by ${model}, the index holds ${this.#model}`);
    }
    this.#assertDimensions(vector);
    let squares = 0;
    for (const value of vector) squares += value * value;
    // The negation also catches NaN.
    if (!(Math.abs(Math.sqrt(squares) - 1) <= UNIT_LENGTH_TOLERANCE)) {
      throw new ContentRejected(`a vector of length ${Math.sqrt(squares)}, not 1`);
    }
  }

  #assertDimensions(vector: Float32Array): void {
    if (vector.length === this.#dimensions) return;
    throw new ContentRejected(`a vector of ${vector.length} dimensions, not ${this.#dimensions}`);
  }

  #assertLegs(legs: readonly RecallLeg[]): void {
    if (legs.length > RECALL_LEGS_MAX) {
      throw new ContentRejected(`${legs.length} legs, at most ${RECALL_LEGS_MAX}`);
    }
    for (const leg of legs) {
      if (!Number.isInteger(leg.limit) || leg.limit < 1 || leg.limit > LEG_CANDIDATES_MAX) {
        throw new ContentRejected(`limit ${leg.limit}, not 1 to ${LEG_CANDIDATES_MAX}`);
      }
      if (leg.kind !== "nearest") continue;
      this.#assertDimensions(leg.vector);
      if (!leg.vector.every(Number.isFinite)) throw new ContentRejected("a vector with NaN or ∞");
    }
  }
}

/** Whatever the storage engine throws is "try later" to a caller; what the port refuses stays refused. */
async function unavailableUnlessDone<Result>(
  what: string,
  action: () => Promise<Result>,
): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof ContentRejected || error instanceof ContentIndexUnavailable) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ContentIndexUnavailable(`${what}: ${reason}`, { cause: error });
  }
}

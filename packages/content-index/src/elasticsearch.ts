import type { Client } from "@elastic/elasticsearch";
import { BoundedCache } from "@feed/domain/bounded-cache";
import type { ContentId } from "@feed/domain/ids";
import { CandidateNumbers, candidatesFrom } from "@feed/domain/ranking/candidates-from";
import type { Candidates } from "@feed/domain/ranking/candidates";
import { TOPICS } from "@feed/domain/topics";
import { clientOf, withClient } from "./elasticsearch/client.ts";
import { GENERATION_ID, positionId, vectorOf } from "./elasticsearch/documents.ts";
import type {
  GenerationDocument,
  PositionDocument,
  StoredDocument,
} from "./elasticsearch/documents.ts";
import { isStatus } from "./elasticsearch/faults.ts";
import { ensureIndex, readServed, removeIndex, writeServed } from "./elasticsearch/indexes.ts";
import { findLegs, unite } from "./elasticsearch/recall.ts";
import type { HeldArticle, Hit } from "./elasticsearch/recall.ts";
import type { ElasticsearchSettings } from "./elasticsearch/settings.ts";
import { writeChanges } from "./elasticsearch/writing.ts";
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
import type { IndexedModel } from "./validation.ts";

export { parseElasticsearchUrl } from "./elasticsearch/settings.ts";
export type { ElasticsearchSettings } from "./elasticsearch/settings.ts";

export interface ElasticsearchContentIndexOptions extends ElasticsearchSettings, IndexedModel {
  /** False: `apply` is refused, for processes that only answer. Any number of processes may write. */
  readonly writer?: boolean;
  /** Versions lie side by side. Absent: 1. */
  readonly version?: number;
  /** Of one request. Absent: 5 s, above the slowest recall and below the patience of callers. */
  readonly requestTimeoutMs?: number;
}

/** Changes of other processes are looked for this often. */
const POLL_INTERVAL_MS = 250;
/** Articles that were recalled lately are not fetched again: about 5 KB each. */
const ARTICLES_HELD_MAX = 20_000;
const NOT_FOUND = 404;

/** Opens the index of a model in a cluster and creates it where it is missing. */
export async function openElasticsearchContentIndex(
  options: ElasticsearchContentIndexOptions,
): Promise<ContentIndex> {
  const index = await withClient(options, "can't open", (client) =>
    ensureIndex(client, options, { ...options, version: options.version ?? 1 }),
  );
  return new ElasticsearchIndex(clientOf(options, options.requestTimeoutMs), index, options);
}

/** The model that the API serves from, kept as an alias for the whole cluster. */
export function servedAlias(settings: ElasticsearchSettings) {
  return {
    read: () => withClient(settings, "can't use", (client) => readServed(client, settings)),
    /** The index of the model and version is there by then. */
    write: ({ model }: IndexedModel, version: number) =>
      withClient(settings, "can't use", (client) =>
        writeServed(client, settings, { model, version }),
      ),
  };
}

/** Removes the index of a model and version that nobody writes any more. Errors: ContentIndexUnavailable. */
export function removeElasticsearchIndex(
  settings: ElasticsearchSettings,
  place: { readonly model: string; readonly version: number },
): Promise<void> {
  return withClient(settings, "can't use", (client) => removeIndex(client, settings, place));
}

class ElasticsearchIndex implements ContentIndex {
  readonly #client: Client;
  readonly #index: string;
  readonly #options: ElasticsearchContentIndexOptions;
  readonly #numbers = new CandidateNumbers();
  readonly #held = new BoundedCache<string, HeldArticle>(ARTICLES_HELD_MAX);
  readonly #poll: NodeJS.Timeout;
  #generation = 0;
  #generationSeen: string | undefined;
  /**
   * Whether changes may be written that nobody was told of: by a process that ended before it told, or by a request whose
   * answer was lost. They come again, and take no effect then.
   */
  #mayBeUnpublished = true;
  #closing: Promise<void> | undefined;

  constructor(client: Client, index: string, options: ElasticsearchContentIndexOptions) {
    this.#client = client;
    this.#index = index;
    this.#options = options;
    this.#poll = setInterval(() => void this.#lookForChanges(), POLL_INTERVAL_MS);
    this.#poll.unref();
  }

  async apply(
    changes: readonly ContentChange[],
    positions: ReadonlyMap<number, number>,
  ): Promise<void> {
    await this.#ask("can't apply changes", async () => {
      if (this.#options.writer === false)
        throw new ContentRejected("this index was opened for reading only");
      validateChanges(changes, this.#options);
      if (changes.length > 0) await this.#write(changes);
      await this.#storePositions(positions);
    });
  }

  async positions(): Promise<ReadonlyMap<number, number>> {
    return this.#ask("can't read positions", async () => {
      // Whoever asks goes on where another stopped, perhaps between writing and telling.
      this.#mayBeUnpublished = true;
      const partitions = Array.from({ length: TOPICS.contents.partitions }, (_, at) => at);
      const ids = partitions.map(positionId);
      const { docs } = await this.#client.mget<PositionDocument>({ index: this.#index, ids });
      return new Map(
        partitions.flatMap((partition) => {
          const doc = docs[partition];
          const stored = doc !== undefined && "_source" in doc ? doc._source : undefined;
          return stored === undefined ? [] : [[partition, stored.nextOffset] as const];
        }),
      );
    });
  }

  recall(filter: RecallFilter, legs: readonly RecallLeg[]): Promise<Candidates<IndexedArticle>> {
    return this.#ask("can't search", async () => {
      validateLegs(legs, this.#options);
      const found = await findLegs(this.#client, this.#index, filter, legs);
      const articles = await this.#articlesOf(found.flat());
      return candidatesFrom(unite(found, articles), this.#numbers);
    });
  }

  articles(contentIds: readonly ContentId[]): Promise<readonly IndexedArticle[]> {
    return this.#ask("can't read articles", async () => {
      validateIds(contentIds);
      const documents = await this.#documents(contentIds, ["article"]);
      return contentIds.flatMap((contentId) => {
        const stored = documents.get(contentId)?.document;
        return stored !== undefined && "article" in stored ? [stored.article] : [];
      });
    });
  }

  vectors(contentIds: readonly ContentId[]): Promise<ReadonlyMap<ContentId, Float32Array>> {
    return this.#ask("can't read vectors", async () => {
      const documents = await this.#documents(contentIds, ["vectorBytes"]);
      return new Map(
        contentIds.flatMap((contentId) => {
          const bytes = documents.get(contentId)?.document.vectorBytes;
          return bytes === undefined ? [] : [[contentId, vectorOf(bytes)] as const];
        }),
      );
    });
  }

  body(contentId: ContentId): Promise<ArticleBody | undefined> {
    return this.#ask("can't read a body", async () => {
      const stored = (await this.#documents([contentId], ["body"])).get(contentId)?.document;
      return stored !== undefined && "body" in stored ? stored.body : undefined;
    });
  }

  stats(): Promise<ContentIndexStats> {
    return this.#ask("can't count articles", async () => {
      const query = { term: { withdrawn: false } };
      const { count } = await this.#client.count({ index: this.#index, query });
      const { model, dimensions } = this.#options;
      return { articles: count, model, dimensions };
    });
  }

  generation(): number {
    return this.#generation;
  }

  [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#poll);
    this.#closing ??= this.#client.close();
    return this.#closing;
  }

  /** The articles of hits, as they were when they were found: what is held of another version is fetched again. */
  async #articlesOf(hits: readonly Hit[]): Promise<ReadonlyMap<string, HeldArticle>> {
    const articles = new Map<string, HeldArticle>();
    const missing = new Set<string>();
    for (const { contentId, version } of hits) {
      const held = this.#held.get(contentId);
      if (held?.version === version) articles.set(contentId, held);
      else missing.add(contentId);
    }
    const fetched = await this.#documents([...missing], ["article", "vectorBytes"]);
    for (const [contentId, { document, version }] of fetched) {
      // Withdrawn since it was found.
      if (!("article" in document)) continue;
      const vector = vectorOf(document.vectorBytes);
      const held = { version, article: document.article, vector };
      this.#held.set(contentId, held);
      articles.set(contentId, held);
    }
    return articles;
  }

  async #documents(
    ids: readonly string[],
    fields: string[],
  ): Promise<ReadonlyMap<string, { readonly document: StoredDocument; readonly version: number }>> {
    if (ids.length === 0) return new Map();
    const request = { index: this.#index, ids: [...ids], _source_includes: fields };
    const { docs } = await this.#client.mget<StoredDocument>(request);
    return new Map(
      docs.flatMap((doc) => {
        if (!("_source" in doc) || doc._source === undefined) return [];
        return [[doc._id, { document: doc._source, version: doc._version ?? 0 }] as const];
      }),
    );
  }

  async #write(changes: readonly ContentChange[]): Promise<void> {
    const mayHaveBeenUnpublished = this.#mayBeUnpublished;
    this.#mayBeUnpublished = true;
    const effective = await writeChanges(this.#client, this.#index, changes);
    if (effective > 0 || mayHaveBeenUnpublished) await this.#publish();
    this.#mayBeUnpublished = false;
  }

  /** Makes what was written searchable, and then tells every process that recalls answer otherwise now. */
  async #publish(): Promise<void> {
    await this.#client.indices.refresh({ index: this.#index });
    const generation = crypto.randomUUID();
    const document: GenerationDocument = { generation };
    await this.#client.index({ index: this.#index, id: GENERATION_ID, document });
    this.#generationSeen = generation;
    this.#generation += 1;
  }

  async #storePositions(positions: ReadonlyMap<number, number>): Promise<void> {
    if (positions.size === 0) return;
    const operations = [...positions].flatMap(([partition, nextOffset]) => {
      const document: PositionDocument = { nextOffset };
      return [{ index: { _id: positionId(partition) } }, document];
    });
    const { errors } = await this.#client.bulk({ index: this.#index, operations });
    if (errors) throw new ContentIndexUnavailable("can't store positions");
  }

  async #lookForChanges(): Promise<void> {
    try {
      const request = { index: this.#index, id: GENERATION_ID };
      const { _source } = await this.#client.get<GenerationDocument>(request);
      if (_source === undefined || _source.generation === this.#generationSeen) return;
      this.#generationSeen = _source.generation;
      this.#generation += 1;
    } catch (error) {
      // While the cluster is away, what was found before may be out of date by the time it is back.
      if (!isStatus(error, NOT_FOUND)) this.#generationSeen = undefined;
    }
  }

  async #ask<Result>(what: string, action: () => Promise<Result>): Promise<Result> {
    if (this.#closing !== undefined) throw new ContentIndexUnavailable("the index is closed");
    return unavailableUnlessDone(what, action);
  }
}

import { ContentIndexUnavailable, ContentRejected } from "@feed/content-index";
import type { ContentChange, ContentIndex } from "@feed/content-index";
import type { ContentFact } from "@feed/domain/facts";
import { EmbedderUnavailable, TEXTS_PER_CALL_MAX, type Embedder } from "@feed/embedder";
import { textOfArticle } from "@feed/embedder/text";
import type { FactCodec } from "@feed/event-codec";
import { projectContentFact, type Placed } from "@feed/projections";
import { decodeFacts, isContentFact } from "../decoding.ts";
import type { ProjectionTarget } from "../target.ts";

const FIRST_REVISION = 1;

/** Articles for retrieval, all with vectors of the embedder's model. */
export function contentsTarget(
  contentIndex: ContentIndex,
  embedder: Pick<Embedder, "embed" | "model">,
  codec: FactCodec,
): ProjectionTarget<ContentFact, ContentChange> {
  return {
    name: "content-index",
    topic: "contents",
    lingerMs: 0,
    reportsUnreadable: true,
    publishedAtMs: (fact) =>
      fact.type === "article.published" && fact.article.revision === FIRST_REVISION
        ? fact.article.publishedAtMs
        : undefined,
    decode: async (batch) => decodeFacts(batch, codec, isContentFact),
    fold: async (facts) => {
      const changes = facts.map(({ fact, offset }: Placed<ContentFact>) =>
        projectContentFact(fact, offset),
      );
      return { changes: await withVectorsOf(embedder, changes), refused: [] };
    },
    positions: () => contentIndex.positions(),
    apply: (changes, positions) => contentIndex.apply(changes, positions),
    isUnavailable: (error) =>
      error instanceof ContentIndexUnavailable || error instanceof EmbedderUnavailable,
    isRefusal: (error) => error instanceof ContentRejected,
  };
}

/**
 * A copy of an index, with its vectors: articles of another model are not embedded a second time. What the index refused
 * is not in the copy either, and was reported when it was refused.
 */
export function contentsCopyTarget(
  copy: ContentIndex,
  original: Pick<ContentIndex, "positions" | "vectors">,
  { model, codec }: { readonly model: string; readonly codec: FactCodec },
): ProjectionTarget<ContentFact, ContentChange> {
  return {
    ...contentsTarget(copy, { model, embed: async () => [] }, codec),
    name: "content-index.copy",
    reportsUnreadable: false,
    fold: async (facts) => ({ changes: await copied(facts, original, model), refused: [] }),
  };
}

async function copied(
  facts: readonly Placed<ContentFact>[],
  original: Pick<ContentIndex, "positions" | "vectors">,
  model: string,
): Promise<readonly ContentChange[]> {
  const isForeign = ({ fact }: Placed<ContentFact>): boolean =>
    fact.type === "article.published" && fact.article.embedding.model !== model;
  const foreign = facts.filter(isForeign);
  const plain = ({ fact, offset }: Placed<ContentFact>) => projectContentFact(fact, offset);
  if (foreign.length === 0) return facts.map(plain);
  const positions = await original.positions();
  const behind = foreign.find(({ partition, offset }) => (positions.get(partition) ?? 0) <= offset);
  if (behind !== undefined)
    throw new ContentIndexUnavailable("the index that is copied is behind the log");
  const ids = foreign.flatMap(({ fact }) =>
    fact.type === "article.published" ? [fact.article.contentId] : [],
  );
  const vectors = await original.vectors([...new Set(ids)]);
  return facts.flatMap((placed) => {
    const change = plain(placed);
    if (change.kind !== "put" || change.article.embedding.model === model) return [change];
    const vector = vectors.get(change.article.contentId);
    if (vector === undefined) return [];
    // Of its own: what an index gives may be a view of its memory.
    const embedding = { model, vector: vector.slice() };
    return [{ ...change, article: { ...change.article, embedding } }];
  });
}

/** Articles that another model embedded are embedded anew: the log keeps them as they were published. */
async function withVectorsOf(
  embedder: Pick<Embedder, "embed" | "model">,
  changes: readonly ContentChange[],
): Promise<readonly ContentChange[]> {
  const { model } = embedder;
  const foreign = changes.flatMap((change) =>
    change.kind === "put" && change.article.embedding.model !== model ? [change.article] : [],
  );
  const vectors = new Map<(typeof foreign)[number], Float32Array>();
  for (let begin = 0; begin < foreign.length; begin += TEXTS_PER_CALL_MAX) {
    const articles = foreign.slice(begin, begin + TEXTS_PER_CALL_MAX);
    const made = await embedder.embed(
      articles.map(({ title, summary, bodyMarkdown }) => ({
        text: textOfArticle({ title, summary, body: bodyMarkdown }),
        role: "passage",
      })),
    );
    made.forEach((vector, at) => vectors.set(articles[at] as (typeof foreign)[number], vector));
  }
  return changes.map((change) => {
    const vector = change.kind === "put" ? vectors.get(change.article) : undefined;
    if (change.kind !== "put" || vector === undefined) return change;
    return { ...change, article: { ...change.article, embedding: { model, vector } } };
  });
}

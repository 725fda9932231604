import { ContentIndexUnavailable, ContentRejected } from "@feed/content-index";
import type { ContentChange, ContentIndex } from "@feed/content-index";
import type { ContentFact } from "@feed/domain/facts";
import { EmbedderUnavailable, TEXTS_PER_CALL_MAX, type Embedder } from "@feed/embedder";
import { textOfArticle } from "@feed/embedder/text";
import type { FactCodec } from "@feed/event-codec";
import { projectContentFact, type Placed } from "@feed/projections";
import { decodeFacts, isContentFact } from "../decoding.ts";
import type { ProjectionTarget } from "../target.ts";

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

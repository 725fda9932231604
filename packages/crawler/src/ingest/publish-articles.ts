import type { Article } from "@feed/domain/article";
import type { ContentFact } from "@feed/domain/facts";
import type { ContentId, SourceId } from "@feed/domain/ids";
import { TOPICS } from "@feed/domain/topics";
import { textOfArticle } from "@feed/embedder/text";
import type { NewRecord } from "@feed/event-log";
import { partitionOf } from "@feed/signing";
import { identityKeysOf } from "../identity.ts";
import type { KnownArticle } from "../state/crawl-state.ts";
import type { PreparedArticle } from "./article-draft.ts";
import type { IngestDependencies } from "./dependencies.ts";

type PublishDependencies = Pick<
  IngestDependencies,
  "eventLog" | "codec" | "embedder" | "state" | "clock"
>;

/**
 * Embeds 1 to 64 articles and appends them to `contents`, all in one append; then the state knows
 * them. Between the two a crash repeats the append of the same article, which changes nothing.
 *
 * Errors: EmbedderUnavailable, LogUnavailable, CrawlStateUnavailable: nothing is known then, so a
 * repetition is right.
 */
export async function publishArticles(
  prepared: readonly PreparedArticle[],
  deps: PublishDependencies,
): Promise<void> {
  const texts = prepared.map(({ article, text }) => ({
    text: textOfArticle({ title: article.title, summary: article.summary, body: text }),
    role: "passage" as const,
  }));
  const vectors = await deps.embedder.embed(texts);
  const known = new Map<ContentId, KnownArticle>();
  const identities = new Map<string, ContentId>();
  const records = prepared.map(({ article: ready, fingerprint }, index) => {
    const vector = vectors[index];
    if (vector === undefined) throw new Error("the embedder gave fewer vectors than texts");
    const article: Article = { ...ready, embedding: { model: deps.embedder.model, vector } };
    known.set(article.contentId, knownArticleOf(article, fingerprint));
    for (const key of identityKeysOf(article)) identities.set(key, article.contentId);
    return recordOf({ type: "article.published", article }, article.contentId, deps);
  });
  await deps.eventLog.append(records);
  await deps.state.saveArticles(known, identities);
}

/** Appends that an article is gone; its id stays taken, and it may come back. */
export async function withdrawArticle(
  contentId: ContentId,
  sourceId: SourceId,
  deps: PublishDependencies,
): Promise<void> {
  const known = deps.state.article(contentId);
  if (known === undefined || known.withdrawn) return;
  const fact: ContentFact = {
    type: "article.withdrawn",
    contentId,
    sourceId,
    reason: "gone",
    withdrawnAtMs: deps.clock.nowMs(),
  };
  await deps.eventLog.append([recordOf(fact, contentId, deps)]);
  await deps.state.saveArticles(
    new Map([[contentId, withdrawnArticleOf(known, "gone")]]),
    new Map(),
  );
}

export function knownArticleOf(article: Article, fingerprint: string): KnownArticle {
  const { revision, publishedAtMs, duplicateGroup } = article;
  return { revision, fingerprint, publishedAtMs, duplicateGroup, withdrawn: false };
}

export function withdrawnArticleOf(
  known: KnownArticle,
  reason: Extract<ContentFact, { type: "article.withdrawn" }>["reason"],
): KnownArticle {
  return { ...known, withdrawn: true, ...(reason === "takedown" ? { takenDown: true } : {}) };
}

function recordOf(fact: ContentFact, contentId: ContentId, deps: PublishDependencies): NewRecord {
  return {
    topic: "contents",
    partition: partitionOf(contentId, TOPICS.contents.partitions),
    key: contentId,
    value: deps.codec.encode(fact),
    timestampMs: deps.clock.nowMs(),
  };
}

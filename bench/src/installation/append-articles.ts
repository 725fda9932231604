import type { DirectoryFact } from "@feed/domain/facts";
import { TOPICS } from "@feed/domain/topics";
import { textOfArticle } from "@feed/embedder/text";
import { TEXTS_PER_CALL_MAX } from "@feed/embedder";
import type { Embedder } from "@feed/embedder";
import type { Core } from "@feed/engines";
import { partitionOf } from "@feed/signing";
import { composeArticle } from "../articles/compose.ts";

type Log = Pick<Core, "eventLog" | "codec">;

/** Appends what an import would: each article composed, embedded and encoded. */
export async function appendArticles(
  { eventLog, codec }: Log,
  embedder: Embedder,
  { count, nowMs }: { readonly count: number; readonly nowMs: number },
): Promise<void> {
  for (let from = 0; from < count; from += TEXTS_PER_CALL_MAX) {
    const size = Math.min(TEXTS_PER_CALL_MAX, count - from);
    const articles = Array.from({ length: size }, (_, at) => composeArticle(from + at, nowMs));
    const vectors = await embedder.embed(
      articles.map(({ title, summary, bodyMarkdown }) => ({
        text: textOfArticle({ title, summary, body: bodyMarkdown }),
        role: "passage",
      })),
    );
    const records = articles.map((article, at) => {
      const embedding = { model: embedder.model, vector: vectors[at]! };
      return {
        topic: "contents",
        partition: partitionOf(article.contentId, TOPICS.contents.partitions),
        key: article.contentId,
        value: codec.encode({ type: "article.published", article: { ...article, embedding } }),
        timestampMs: nowMs,
      } as const;
    });
    await eventLog.append(records);
  }
}

/** Tenants, keys, scenarios and sources: one partition. */
export async function appendDirectory(
  { eventLog, codec }: Log,
  facts: readonly DirectoryFact[],
  timestampMs: number,
): Promise<void> {
  const records = facts.map((fact) => {
    const value = codec.encode(fact);
    return { topic: "tenants", partition: 0, key: keyOf(fact), value, timestampMs } as const;
  });
  await eventLog.append(records);
}

function keyOf(fact: DirectoryFact): string {
  if (fact.type === "tenant.saved") return fact.tenant.tenantId;
  if (fact.type === "api-key.issued") return fact.key.tenantId;
  if (fact.type === "licence.set") return fact.licence.tenantId;
  return ("tenantId" in fact ? fact.tenantId : null) ?? "installation";
}

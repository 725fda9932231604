import type { ContentIndex, IndexedArticle } from "@feed/content-index";
import type { ContentFact } from "@feed/domain/facts";
import type { ContentId } from "@feed/domain/ids";
import type { FactCodec } from "@feed/event-codec";
import type { PartitionBatch } from "@feed/event-log";
import { decodeFacts, isContentFact } from "../decoding.ts";
import { differencesAmong, sameRecord } from "./check.ts";
import type { Check, Difference, Expected } from "./check.ts";
import { partitionsOf } from "./partitions.ts";

/** Articles as feeds show them. Bodies and vectors are large and come from the same records: they are not compared. */
export function contentsCheck(
  contentIndex: Pick<ContentIndex, "articles" | "positions">,
  codec: FactCodec,
): Check {
  return {
    projection: "content-index",
    parts: partitionsOf("contents").map((partition) => [partition]),
    positions: () => contentIndex.positions(),
    expect: () => new ArticlesExpected(contentIndex, codec),
  };
}

interface ExpectedArticle {
  readonly contentId: ContentId;
  /** Undefined: withdrawn. */
  readonly article: IndexedArticle | undefined;
  readonly place: NonNullable<Difference["place"]>;
}

class ArticlesExpected implements Expected {
  readonly #contentIndex: Pick<ContentIndex, "articles">;
  readonly #codec: FactCodec;
  readonly #articles = new Map<ContentId, ExpectedArticle>();

  constructor(contentIndex: Pick<ContentIndex, "articles">, codec: FactCodec) {
    this.#contentIndex = contentIndex;
    this.#codec = codec;
  }

  async fold(batch: PartitionBatch): Promise<void> {
    for (const decoded of decodeFacts(batch, this.#codec, isContentFact)) {
      if (!("fact" in decoded)) continue;
      const { fact, partition, offset } = decoded;
      const expected = { ...expectedOf(fact), place: { partition, offset } };
      this.#articles.set(expected.contentId, expected);
    }
  }

  size(): number {
    return this.#articles.size;
  }

  differences(among?: ReadonlySet<string>): Promise<readonly Difference[]> {
    const items = Array.from(this.#articles.values(), (expected): [Difference, ExpectedArticle] => {
      const { contentId, article, place } = expected;
      const kind = article === undefined ? "withdrawn article" : "article";
      return [{ kind, name: contentId, place }, expected];
    });
    return differencesAmong(items, among, async (block) => {
      const ids = block.map(({ contentId }) => contentId);
      const live = new Map(
        (await this.#contentIndex.articles(ids)).map((article) => [article.contentId, article]),
      );
      return block.map(({ contentId, article }) => sameRecord(live.get(contentId), article));
    });
  }
}

function expectedOf(fact: ContentFact): Pick<ExpectedArticle, "contentId" | "article"> {
  if (fact.type === "article.withdrawn") return { contentId: fact.contentId, article: undefined };
  const { bodyHtml: _html, bodyMarkdown: _markdown, embedding: _vector, ...rest } = fact.article;
  const { analysedBy: _build, ...article } = rest;
  return { contentId: article.contentId, article };
}

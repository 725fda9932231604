import type { Article } from "@feed/domain/article";
import type { ContentFact } from "@feed/domain/facts";
import type { ContentId } from "@feed/domain/ids";

/** A change to one article of the content index; `offset` is the fact's in its `contents` partition. */
type ContentChange =
  | { readonly kind: "put"; readonly article: Article; readonly offset: number }
  | { readonly kind: "withdraw"; readonly contentId: ContentId; readonly offset: number };

/** Each record is the whole article, so the latest fact of a content says all (architecture, "Topics"). */
export function projectContentFact(fact: ContentFact, offset: number): ContentChange {
  switch (fact.type) {
    case "article.published":
      return { kind: "put", article: fact.article, offset };
    case "article.withdrawn":
      return { kind: "withdraw", contentId: fact.contentId, offset };
  }
}

import { buildArticle } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { projectContentFact } from "./contents.ts";

describe("articles in the content index (spec 2.1; architecture, topic contents)", () => {
  it("a published article is put whole, at the offset of its fact", () => {
    const article = buildArticle();
    const change = { kind: "put", article, offset: 3 };
    expect(projectContentFact({ type: "article.published", article }, 3)).toEqual(change);
  });

  it.each(["gone", "takedown"] as const)("an article that is %s is withdrawn", (reason) => {
    const { contentId, sourceId } = buildArticle();
    const fact = {
      type: "article.withdrawn",
      contentId,
      sourceId,
      reason,
      withdrawnAtMs: 1,
    } as const;
    expect(projectContentFact(fact, 4)).toEqual({ kind: "withdraw", contentId, offset: 4 });
  });
});

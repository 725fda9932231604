import { describe, expect, it } from "vitest";
import { asId } from "@feed/domain/ids";
import type { AreaId } from "@feed/domain/ids";
import { analyseArticle } from "./analyse-article.ts";
import type { AnalysisContext } from "./analyse-article.ts";
import { DuplicateFinder } from "./duplicate-finder.ts";

const shibuya = asId<AreaId>("shibuya-station");
const tokyo = asId<AreaId>("tokyo");

function context(): AnalysisContext {
  return {
    findAreaMentions: (text) =>
      text.includes("渋谷駅") ? [{ areaId: shibuya, confidence: 0.9 }] : [],
    containingAreas: (areaId) => (areaId === shibuya ? [tokyo] : []),
    duplicates: new DuplicateFinder(),
  };
}

const INPUT = {
  contentId: "c1",
  url: "https://a.example/1",
  title: "渋谷駅前でサッカー日本代表が優勝パレード",
  text: "サッカー日本代表の選手が21日、渋谷駅前で優勝パレードを行った。監督は試合を振り返った。".repeat(
    40,
  ),
  pictures: [],
  feedCategories: ["スポーツ"],
  publishedAtMs: 0,
};

describe("analyseArticle", () => {
  it("works out every derived field and names what made it", () => {
    const analysis = analyseArticle(INPUT, context());
    expect(analysis).toMatchObject({ language: "ja", category: "sports", duplicateGroup: "c1" });
    expect(analysis.areas.map(({ areaId }) => areaId)).toEqual([shibuya, tokyo]);
    expect(analysis.quality).toBeGreaterThan(0.5);
    expect(analysis.analysedBy).toEqual({
      language: "script-eld-1",
      category: "terms-1",
      areas: "mentions-1",
      quality: "quality-1",
      duplicates: "minhash-1",
    });
  });

  it("takes less than 10 ms for 5 kB", () => {
    const shared = context();
    const text = INPUT.text.slice(0, 5_000);
    const startMs = performance.now();
    for (let n = 0; n < 50; n += 1) analyseArticle({ ...INPUT, text, contentId: `c${n}` }, shared);
    expect((performance.now() - startMs) / 50).toBeLessThan(10);
  });
});

import { processorMs } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { loadGazetteer } from "@feed/areas";
import { analyseArticle } from "./analyse-article.ts";
import { DuplicateFinder } from "./duplicate-finder.ts";

const gazetteer = await loadGazetteer();

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
    const analysis = analyseArticle(INPUT, { gazetteer, duplicates: new DuplicateFinder() });
    expect(analysis).toMatchObject({ language: "ja", category: "sports", duplicateGroup: "c1" });
    const areas = analysis.areas.map(({ areaId }) => gazetteer.byId(areaId)?.name);
    expect(areas).toEqual(["渋谷駅", "渋谷区", "東京都"]);
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
    const shared = { gazetteer, duplicates: new DuplicateFinder() };
    const text = INPUT.text.slice(0, 5_000);
    const ofFiftyMs = (): number =>
      processorMs(() => {
        for (let n = 0; n < 50; n += 1)
          analyseArticle({ ...INPUT, text, contentId: `c${n}` }, shared);
      });
    // The first round compiles.
    expect(Math.min(ofFiftyMs(), ofFiftyMs(), ofFiftyMs()) / 50).toBeLessThan(10);
  });
});

import { describe, expect, it } from "vitest";
import { CATEGORIES } from "@feed/domain/article";
import { categorise } from "./categorise.ts";
import { corporaPresent, huffpostHeadlines, livedoorArticles } from "./corpora.samples.ts";
import { TERMS_EN, TERMS_JA } from "./terms.ts";

const NOTHING = {
  title: "",
  text: "",
  language: "ja",
  feedCategories: [],
  url: "https://a.example/x.html",
};

describe("categorise", () => {
  it.each([
    ["sports", "ja", "プロ野球、巨人が開幕戦で勝利"],
    ["politics", "ja", "衆院選の公示日に首相が街頭演説"],
    ["business", "ja", "日経平均が反発、円安で輸出企業の株価上昇"],
    ["technology", "ja", "新型スマートフォンを発売、有機ELディスプレイ搭載"],
    ["science", "ja", "小惑星探査機が帰還、研究チームが分析へ"],
    ["health", "ja", "インフルエンザ流行、ワクチン接種を医師が呼びかけ"],
    ["food", "ja", "濃厚ラーメンの人気店、期間限定メニュー"],
    ["travel", "ja", "紅葉の露天風呂が人気の温泉旅館"],
    ["culture", "ja", "美術館で浮世絵の展覧会"],
    ["society", "ja", "強盗容疑で男を逮捕、警視庁"],
    ["world", "ja", "国連安保理、停戦決議を採択"],
    ["entertainment", "ja", "人気女優が主演の映画、舞台挨拶"],
    ["lifestyle", "ja", "婚活中の彼氏と結婚する前に"],
    ["sports", "en", "Quarterback leads team to Super Bowl win"],
    ["politics", "en", "Senate Republicans block voting rights bill"],
    ["food", "en", "The best sourdough bread recipe"],
    ["science", "en", "NASA telescope spots a black hole"],
  ])("sees %s in a title (%s)", (category, language, title) => {
    expect(categorise({ ...NOTHING, title, language }).category).toBe(category);
  });

  it("is other, with no confidence, where nothing speaks for a category", () => {
    expect(categorise({ ...NOTHING, title: "あああ" })).toEqual({
      category: "other",
      confidence: 0,
    });
  });

  it("believes the publisher's label over a few words", () => {
    expect(categorise({ ...NOTHING, title: "映画館の話", feedCategories: ["経済"] }).category).toBe(
      "business",
    );
  });

  it("reads the section in the address", () => {
    expect(categorise({ ...NOTHING, url: "https://a.example/news/sports/1.html" }).category).toBe(
      "sports",
    );
  });

  it("is surer with more evidence", () => {
    const little = categorise({ ...NOTHING, title: "野球" });
    const much = categorise({
      ...NOTHING,
      title: "プロ野球",
      text: "投手が完封し、本塁打で試合に勝利",
    });
    expect(much.confidence).toBeGreaterThan(little.confidence);
    expect(much.confidence).toBeLessThanOrEqual(1);
  });

  it.each([
    ["ja", TERMS_JA],
    ["en", TERMS_EN],
  ])("has at least 60 terms for each category (%s)", (_, terms) => {
    const counts = CATEGORIES.filter((category) => category !== "other").map(
      (category) => terms.filter((term) => term.category === category).length,
    );
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(60);
  });
});

if (!corporaPresent)
  process.stderr.write("categorise: ../shared/corpora is absent, accuracy is not measured\n");

/** Measured shares in percent, less a little. */
const FLOORS_JA = [
  ["sports-watch", "sports", 88],
  ["movie-enter", "entertainment", 89],
  ["it-life-hack", "technology", 86],
  ["kaden-channel", "technology", 74],
  ["smax", "technology", 97],
  ["dokujo-tsushin", "lifestyle", 80],
] as const;
const FLOORS_EN = [
  ["POLITICS", "politics", 75],
  ["CRIME", "society", 80],
  ["SPORTS", "sports", 78],
  ["WELLNESS", "health", 76],
  ["FOOD & DRINK", "food", 73],
  ["PARENTING", "lifestyle", 70],
  ["ENTERTAINMENT", "entertainment", 60],
  ["WORLD NEWS", "world", 60],
] as const;

describe.skipIf(!corporaPresent)("categorise, on real articles", () => {
  const japanese = corporaPresent ? livedoorArticles() : [];
  const english = corporaPresent ? huffpostHeadlines() : [];

  it.each(FLOORS_JA)("sorts %s into %s for at least %d %%", (publisher, category, percentMin) => {
    const articles = japanese.filter((article) => article.publisher === publisher);
    const right = articles.filter(
      (article) => categorise({ ...NOTHING, ...article }).category === category,
    );
    expect((100 * right.length) / articles.length).toBeGreaterThanOrEqual(percentMin);
  });

  it.each(FLOORS_EN)(
    "sorts headlines of %s into %s for at least %d %%",
    (label, category, percentMin) => {
      const headlines = english.filter((headline) => headline.category === label);
      const right = headlines.filter(({ headline, short_description }) => {
        const input = { ...NOTHING, title: headline, text: short_description, language: "en" };
        return categorise(input).category === category;
      });
      expect((100 * right.length) / headlines.length).toBeGreaterThanOrEqual(percentMin);
    },
  );
});

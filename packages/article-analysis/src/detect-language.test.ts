import { describe, expect, it } from "vitest";
import { corporaPresent, huffpostHeadlines, livedoorArticles } from "./corpora.samples.ts";
import { detectLanguage } from "./detect-language.ts";

describe("detectLanguage", () => {
  it.each([
    ["ja", "速報：地震", "", undefined],
    ["ja", "iPhone 17 を発売", "", undefined],
    ["ja", "首相会見", "", undefined],
    ["ja", "首相会見", "", "ja-JP"],
    ["zh", "首相会见", "", "zh-CN"],
    [
      "zh",
      "北京举行新闻发布会",
      "国家主席在北京举行的新闻发布会上宣布了新的经济政策，并回答了记者的提问。",
      undefined,
    ],
    ["ko", "오늘의 뉴스", "대통령이 기자회견을 열었다.", undefined],
    [
      "en",
      "Prime minister resigns",
      "The prime minister announced on Tuesday that she would resign.",
      undefined,
    ],
    [
      "en",
      "The word カワイイ conquers the world",
      "How a Japanese word became known all over the world, and why.",
      undefined,
    ],
    [
      "fr",
      "Le premier ministre démissionne",
      "Le premier ministre a annoncé mardi sa démission.",
      undefined,
    ],
    ["en", "iPhone 17", "", "en-US"],
    ["de", "2026", "", "de"],
    ["und", "2026", "", undefined],
  ])("is %s for %s", (language, title, text, hint) => {
    expect(detectLanguage({ title, text, ...(hint === undefined ? {} : { hint }) })).toBe(language);
  });
});

if (!corporaPresent)
  process.stderr.write("detectLanguage: ../shared/corpora is absent, not measured\n");

describe.skipIf(!corporaPresent)("detectLanguage, on real articles", () => {
  it("knows every Japanese article, and 98 % of English headlines", () => {
    const japanese = livedoorArticles().filter((article) => detectLanguage(article) !== "ja");
    expect(japanese).toHaveLength(0);
    const headlines = huffpostHeadlines();
    const english = headlines.filter(
      ({ headline, short_description }) =>
        detectLanguage({ title: headline, text: short_description }) === "en",
    );
    expect(english.length / headlines.length).toBeGreaterThan(0.98);
  });
});

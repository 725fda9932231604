import { describe, expect, it } from "vitest";
import { corporaPresent, livedoorArticles } from "./corpora.samples.ts";
import type { LivedoorArticle } from "./corpora.samples.ts";
import { DUPLICATE_FINDER_DEFAULTS, DuplicateFinder } from "./duplicate-finder.ts";
import { duplicateSignature, similarityOf } from "./duplicate-signature.ts";

const DAY_MS = 24 * 3_600_000;
const STORY =
  "市は21日、駅前の再開発計画を発表した。総工費は約120億円で、2030年の完成を目指す。" +
  "計画では商業施設と図書館、保育所が入る20階建ての建物が建てられる。市長は会見で「街の顔になる」と述べた。";
const RETOLD = STORY.replace("市長は会見で", "会見した市長は").replace(
  "約120億円",
  "およそ120億円",
);
const OTHER =
  "県は22日、港の拡張計画について説明会を開いた。住民からは騒音への不安の声が上がった。" +
  "工事は来年春に始まり、5年かけて岸壁を延ばす。知事は「丁寧に説明する」と話している。";

function candidate(contentId: string, text: string, publishedAtMs = 0, title = "") {
  return { contentId, signature: duplicateSignature(title, text), publishedAtMs };
}

describe("DuplicateFinder", () => {
  it("gives a story retold at another publisher the group of the first", () => {
    const finder = new DuplicateFinder();
    expect(finder.groupOf(candidate("a", STORY, 0, "駅前を再開発"))).toBe("a");
    expect(finder.groupOf(candidate("b", RETOLD, 1, "駅前に20階建て"))).toBe("a");
    expect(finder.groupOf(candidate("c", OTHER, 2, "港を拡張"))).toBe("c");
  });

  it("finds retold English stories, whatever their case and punctuation", () => {
    const text =
      "The city council approved on Monday a plan to rebuild the old harbour at a cost of nine million.";
    const finder = new DuplicateFinder();
    finder.groupOf(candidate("a", text));
    expect(
      finder.groupOf(candidate("b", text.toUpperCase().replace("on Monday", "- on Monday -"))),
    ).toBe("a");
  });

  it("keeps the group of an article that is revised", () => {
    const finder = new DuplicateFinder();
    finder.groupOf(candidate("a", STORY));
    finder.groupOf(candidate("b", RETOLD));
    expect(finder.groupOf(candidate("b", OTHER))).toBe("a");
    expect(finder.size).toBe(2);
  });

  it("never joins articles that are further apart than the window", () => {
    const finder = new DuplicateFinder();
    finder.groupOf(candidate("a", STORY, 0));
    expect(finder.groupOf(candidate("b", STORY, 3 * DAY_MS + 1))).toBe("b");
    expect(finder.groupOf(candidate("c", STORY, 3 * DAY_MS))).not.toBe("c");
  });

  it("forgets the first article when it is full", () => {
    const finder = new DuplicateFinder({ ...DUPLICATE_FINDER_DEFAULTS, articlesMax: 1 });
    finder.groupOf(candidate("a", STORY));
    finder.groupOf(candidate("b", OTHER));
    expect(finder.size).toBe(1);
    expect(finder.groupOf(candidate("c", STORY))).toBe("c");
  });

  it("never joins articles without text", () => {
    const finder = new DuplicateFinder();
    finder.groupOf(candidate("a", ""));
    expect(finder.groupOf(candidate("b", ""))).toBe("b");
  });

  it("takes up a group that is known already", () => {
    const finder = new DuplicateFinder();
    finder.remember(candidate("b", STORY), "a");
    expect(finder.groupOf(candidate("c", RETOLD))).toBe("a");
  });
});

if (!corporaPresent)
  process.stderr.write("DuplicateFinder: ../shared/corpora is absent, not measured\n");

describe.skipIf(!corporaPresent)("DuplicateFinder, on real articles", () => {
  const articles = corporaPresent
    ? livedoorArticles().toSorted((a, b) => a.publishedAtMs - b.publishedAtMs)
    : [];

  it("finds at least 93 % again with every seventh sentence replaced by a foreign one", () => {
    const sample = articles.filter(
      ({ text }, index) => index % 15 === 0 && text.split("。").length > 7,
    );
    const found = sample.filter((article, index) => {
      const finder = new DuplicateFinder();
      finder.groupOf(candidate("first", article.text, 0, article.title));
      const retold = replaceSentences(article, sample[(index + 1) % sample.length] ?? article);
      return finder.groupOf(candidate("second", retold, 0, "別の見出し")) === "first";
    });
    expect(sample.length).toBeGreaterThan(300);
    expect(found.length / sample.length).toBeGreaterThan(0.93);
  });

  it("merges at most 1.2 % of all articles, repeated ones included", () => {
    const finder = new DuplicateFinder();
    const merged = articles.filter(({ title, text, publishedAtMs }, index) => {
      return finder.groupOf(candidate(String(index), text, publishedAtMs, title)) !== String(index);
    });
    expect(merged.length / articles.length).toBeLessThan(0.012);
  });

  it("sees no similarity between different articles of one publisher", () => {
    const sports = articles.filter(({ publisher }) => publisher === "sports-watch").slice(0, 200);
    const signatures = sports.map(({ title, text }) => duplicateSignature(title, text));
    const similar = signatures.flatMap((a, i) =>
      signatures.slice(i + 1).filter((b) => similarityOf(a, b) > 0.4),
    );
    expect(similar).toHaveLength(0);
  });
});

function replaceSentences(article: LivedoorArticle, foreign: LivedoorArticle): string {
  const others = foreign.text.split("。");
  const sentences = article.text.split("。");
  return sentences.map((sentence, n) => (n % 7 === 3 ? (others[n] ?? "") : sentence)).join("。");
}

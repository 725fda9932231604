import { describe, expect, it } from "vitest";
import type { Article } from "./article.ts";
import { Catalogue } from "./catalogue.ts";
import { ENGLISH_PUBLISHERS } from "./publishers-english.ts";
import { JAPANESE_PUBLISHERS } from "./publishers-japanese.ts";
import { WIRE_STORIES } from "./wire-stories.ts";

const NOW_MS = Date.UTC(2026, 4, 20);
const publishers = [...JAPANESE_PUBLISHERS, ...ENGLISH_PUBLISHERS];
const catalogue = new Catalogue(publishers, NOW_MS);
const articles = publishers.flatMap(({ slug }) => catalogue.newestFirst(slug));

function textOf(article: Article): string {
  return article.blocks
    .map((block) => ("text" in block ? block.text : block.kind === "statement" ? block.said : ""))
    .join("\n");
}

/** Runs of five characters, or of three words: what near-duplicate detection compares. */
function shinglesOf(article: Article): ReadonlySet<string> {
  const isEnglish = ENGLISH_PUBLISHERS.some(({ slug }) => slug === article.slug);
  const units = isEnglish ? textOf(article).split(/\s+/) : [...textOf(article)];
  const length = isEnglish ? 3 : 5;
  return new Set(units.map((_, at) => units.slice(at, at + length).join(" ")));
}

function similarity(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const shared = left.intersection(right).size;
  return shared / (left.size + right.size - shared);
}

describe("the articles", () => {
  it("share less than a third of their text with any other, wire stories excepted", () => {
    const wireTitles = new Set(WIRE_STORIES.map(({ title }) => title));
    const own = articles.filter(({ title }) => !wireTitles.has(title));
    const shingles = own.map(shinglesOf);
    const close: string[] = [];
    for (const [at, left] of shingles.entries()) {
      for (const [offset, right] of shingles.slice(at + 1).entries()) {
        if (similarity(left, right) < 1 / 3) continue;
        close.push(`${own[at]?.title} / ${own[at + 1 + offset]?.title}`);
      }
    }
    expect(close).toEqual([]);
  });

  it("include five wire stories that two publishers carry in nearly the same words", () => {
    expect(WIRE_STORIES).toHaveLength(5);
    for (const wire of WIRE_STORIES) {
      const first = articles.find(({ title }) => title === wire.originalTitle)!;
      const second = articles.find(({ title }) => title === wire.title)!;
      expect(second.slug).not.toBe(first.slug);
      expect(similarity(shinglesOf(first), shinglesOf(second))).toBeGreaterThan(0.8);
    }
  });

  it("are three to nine paragraphs, 350 to 1,200 Japanese characters or 120 to 500 English words", () => {
    const english = new Set(ENGLISH_PUBLISHERS.map(({ slug }) => slug));
    for (const article of articles) {
      const paragraphs = article.blocks.filter(({ kind }) => kind === "paragraph");
      expect(paragraphs.length).toBeGreaterThanOrEqual(3);
      const isEnglish = english.has(article.slug);
      const length = isEnglish ? textOf(article).split(/\s+/).length : textOf(article).length;
      expect(length).toBeGreaterThanOrEqual(isEnglish ? 120 : 350);
      expect(length).toBeLessThanOrEqual(isEnglish ? 500 : 1200);
    }
  });

  it("leave no slot unfilled", () => {
    for (const article of articles) {
      const prose = article.blocks.filter(({ kind }) => kind !== "code");
      expect(JSON.stringify(prose.map((block) => Object.values(block)))).not.toMatch(/\{[^"]/);
    }
  });

  it("stay bounded however many are published", () => {
    const growing = new Catalogue(publishers, NOW_MS);
    const before = growing.articleCount;
    for (let count = 0; count < 400; count += 1) growing.publish(undefined, NOW_MS + count);
    expect(growing.articleCount).toBe(before + 200);
  });
});

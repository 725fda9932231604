import { describe, expect, it } from "vitest";
import type { FeedEntry } from "../feeds/feed-entry.ts";
import { chooseContent, isWhole } from "./choose-content.ts";

const entry = (parts: Partial<FeedEntry>): FeedEntry => ({
  id: "1",
  link: "https://publisher.example/1",
  title: "T",
  categories: [],
  pictureUrls: [],
  ...parts,
});
const paragraphs = (text: string, times: number): string => `<p>${text.repeat(times)}</p>`;
const LONG = paragraphs("A sentence of an article. ", 40);
const LONG_JAPANESE = paragraphs("記事の一文です。", 45);

describe("a feed carries the whole article", () => {
  it.each([
    ["800 characters", LONG, true],
    ["360 Japanese characters, which say as much", LONG_JAPANESE, true],
    ["a short note", paragraphs("A sentence of an article. ", 10), false],
    ["a text that breaks off", `${LONG}<p>And then…</p>`, false],
    ["a text that breaks off in brackets", `${LONG}<p>And then [&hellip;]</p>`, false],
    ["a link to the rest", `${LONG}<p><a href="/1">Continue reading »</a></p>`, false],
    ["a link to the rest in Japanese", `${LONG_JAPANESE}<p>続きを読む</p>`, false],
  ])("when it has %s: %#", (_what, contentHtml, expected) => {
    expect(isWhole(entry({ contentHtml }))).toBe(expected);
  });

  it("never in its summary", () => {
    expect(isWhole(entry({ summaryHtml: LONG }))).toBe(false);
  });
});

describe("the body of an article", () => {
  it("is the page's where that says at least as much", () => {
    expect(chooseContent(entry({ summaryHtml: "<p>Short</p>" }), LONG)).toBe(LONG);
  });
  it("is the feed's where the page says less, or was not to be had", () => {
    expect(chooseContent(entry({ contentHtml: LONG }), "<p>Log in</p>")).toBe(LONG);
    expect(chooseContent(entry({ summaryHtml: "<p>Short</p>" }), undefined)).toBe("<p>Short</p>");
    expect(chooseContent(entry({}), undefined)).toBe("");
  });
});

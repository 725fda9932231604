import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeExcerpt, makeSummary, summarise } from "./summarise.ts";

describe("summarise", () => {
  it.each([
    [
      "whole Japanese sentences",
      "ja",
      "一つ目の文です。二つ目！三つ目の文はとても長いので入りません。",
      16,
      "一つ目の文です。二つ目！",
    ],
    [
      "a quotation with its verb",
      "ja",
      "彼は「はい。」と言った。それから長い長い話を始めたのであった。",
      14,
      "彼は「はい。」と言った。",
    ],
    [
      "no part of a quotation",
      "ja",
      "選手は転倒した。「昨日は風が強かった。気づいたら病院にいた」と語った。",
      24,
      "選手は転倒した。",
    ],
    [
      "whole English sentences",
      "en",
      "Mr. Smith left. He took the long way home that evening.",
      20,
      "Mr. Smith left.",
    ],
    [
      "a cut sentence where none fits",
      "en",
      "Extraordinarily long sentences never seem to end anywhere",
      40,
      "Extraordinarily long sentences never…",
    ],
    [
      "a cut sentence where none fits, in Japanese",
      "ja",
      "句点のないとても長い文が続く場合は途中で切る",
      12,
      "句点のないとても長い文…",
    ],
    [
      "more than a word of greeting",
      "ja",
      "はい。これは二つ目の文でかなり長いものになっています。",
      20,
      "はい。これは二つ目の文でかなり長いもの…",
    ],
    [
      "no bracket that the next sentence opens with",
      "ja",
      "占い師に鑑定してもらった。【相談内容】彼は長いこと返事をくれません。",
      18,
      "占い師に鑑定してもらった。",
    ],
    [
      "no number of the next sentence",
      "ja",
      "特長は次の通り。１．高速で静かな動作を実現。",
      16,
      "特長は次の通り。",
    ],
    ["lines read on", "en", "Title line\nSecond  line.", 100, "Title line Second line."],
    ["lines read on without a space in Japanese", "ja", "一。\n二。", 100, "一。二。"],
  ])("gives %s", (_, language, text, charsMax, summary) => {
    expect(summarise(text, language, charsMax)).toBe(summary);
  });

  it("never cuts a grapheme", () => {
    const family = "👨‍👩‍👧‍👦";
    expect(summarise(family.repeat(10), "en", 30)).toBe(`${family.repeat(2)}…`);
  });

  it("keeps to the limit and to well-formed text, whatever the text and language", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 400 });
    fc.assert(
      fc.property(
        text,
        fc.constantFrom("ja", "en", "", "xx-invalid-language-tag"),
        fc.integer({ min: 5, max: 60 }),
        (t, l, max) => {
          const summary = summarise(t, l, max);
          expect(summary.length).toBeLessThanOrEqual(max);
          expect(summary.isWellFormed() || !t.isWellFormed()).toBe(true);
          expect(summary !== "" || t.trim() === "").toBe(true);
        },
      ),
    );
  });
});

describe("summary and body_excerpt (spec 2.1)", () => {
  const sentence = "これは三十文字ほどの長さを持つ普通の日本語の文章の例です。";
  const input = { text: sentence.repeat(40), title: "題", language: "ja" };

  it("are at most 200 and 400 characters of whole sentences", () => {
    expect(makeSummary(input)).toBe(sentence.repeat(Math.floor(200 / sentence.length)));
    expect(makeExcerpt(input)).toBe(sentence.repeat(Math.floor(400 / sentence.length)));
  });

  it("fall back on the title", () => {
    expect(makeSummary({ ...input, text: " \n" })).toBe("題");
    expect(makeExcerpt({ ...input, text: "" })).toBe("題");
  });
});

import { describe, expect, it } from "vitest";
import { OPTIONS } from "./body.samples.ts";
import { cleanArticleHtml } from "./clean-article.ts";
import { toMarkdown } from "./to-markdown.ts";
import { assertAffordable } from "./parsing-cost.ts";

const LIMITS = { nodesMax: 20_000, depthMax: 512, attributesMax: 500 };
const PAGE_CHARS = 5 * 1024 * 1024;
const BODY_CHARS = 1_990_000;

/** As many parts as fit into `charsMax`. */
function fill(charsMax: number, part: (index: number) => string): string {
  const parts: string[] = [];
  for (let at = 0, chars = 0; chars < charsMax; at += 1) {
    const next = part(at);
    chars += next.length;
    parts.push(next);
  }
  return parts.join("");
}

/** What makes parsers slow, filling `chars` characters, and what it is refused for. */
const HOSTILE: readonly (readonly [name: string, code: string, make: (chars: number) => string])[] =
  [
    ["unclosed formatting", "body-too-deep", (chars) => fill(chars, () => "<b>")],
    [
      "formatting that every paragraph opens again",
      "body-too-deep",
      (chars) => fill(chars, (at) => `<p><b x=${at}>y</p>`),
    ],
    ["unclosed links", "body-too-many-nodes", (chars) => fill(chars, (at) => `<a href=/${at}>x`)],
    [
      "an element with hundreds of thousands of attributes",
      "body-too-many-attributes",
      (chars) => `<p${fill(chars, (at) => ` a${at}`)}>`,
    ],
    [
      "deep nesting over and over",
      "body-too-deep",
      (chars) => fill(chars, () => `${"<div>".repeat(200)}x${"</div>".repeat(200)}`),
    ],
    ["tables in tables", "body-too-deep", (chars) => fill(chars, () => "<table><tr><td>")],
    ["comments", "body-too-many-nodes", (chars) => fill(chars, () => "<!---->")],
  ];

describe("a document that costs more than its bytes is refused before it has cost it", () => {
  it.each(HOSTILE)("as a page: %s", (_, code, make) => {
    const refused = expect.objectContaining({ name: "ArticleBodyError", code });
    expect(() => assertAffordable(make(PAGE_CHARS), LIMITS)).toThrow(refused);
  });

  it.each(HOSTILE)("as a body: %s", async (_, code, make) => {
    await expect(cleanArticleHtml(make(BODY_CHARS), OPTIONS)).rejects.toMatchObject({ code });
  });
});

describe("a document that is only long comes out as long as it went in", () => {
  it.each([
    ["text", "<p>", "文章です。"],
    ["brackets", "<p>", "["],
    ["backticks in code", "<pre>", "`"],
    ["stars and lines", "<p>", "*_~`["],
    ["addresses", "<p>", "a@b.http://"],
    ["character references", "<p>", "&amp;"],
    ["line breaks", "<p>", "x<br>"],
    ["emphasis", "<p>", "<em>あ</em><b>い</b>"],
    ["code", "<p>", "<code>`</code>x"],
    ["definitions", "<dl>", "<dt>x<dd>y"],
    ["rows", "<table>", "<tr><td colspan=1000 rowspan=65000>x"],
  ])("%s", async (_, start, part) => {
    const raw = start + part.repeat(4_000);
    const { html } = await cleanArticleHtml(raw, OPTIONS);
    const markdown = toMarkdown(html);
    expect(html).not.toBe("");
    expect(html.length + markdown.length).toBeLessThan(6 * raw.length);
  });
});

describe("an honest document is not refused", () => {
  it.each([
    ["a long list", "<li>x</li>".repeat(9_000)],
    ["misnested formatting here and there", "<b><p>x</b></p>".repeat(1_000)],
    ["a picture in its address", `<img src="data:image/png;base64,${"A".repeat(1_000_000)}">`],
    ["a long script", `<script>${"if (a<b && c>d) e();".repeat(20_000)}</script>`],
  ])("%s", (_, html) => {
    expect(() => assertAffordable(html, LIMITS)).not.toThrow();
  });
});

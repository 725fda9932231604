import * as fc from "fast-check";
import type { Nodes, PhrasingContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { OPTIONS, STORED_ADDRESS, tagSoup } from "./body.samples.ts";
import { cleanArticleHtml } from "./clean-article.ts";
import { toMarkdown } from "./to-markdown.ts";

function readMarkdown(markdown: string): Nodes {
  return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

describe("toMarkdown writes the constructs of spec 2.3", () => {
  it.each([
    ["headings", "<h1>a</h1><h3>b</h3>", "# a\n\n### b"],
    ["paragraphs", "<p>a</p><p>b</p>", "a\n\nb"],
    ["emphasis", "<p><em>a</em> <i>b</i> <strong>c</strong> <b>d</b></p>", "*a* *b* **c** **d**"],
    ["strikethrough", "<p><del>a</del> <s>b</s></p>", "~~a~~ ~~b~~"],
    ["links", '<p><a href="https://a.example/" title="t">b</a></p>', '[b](https://a.example/ "t")'],
    [
      "pictures",
      `<figure><img src="${STORED_ADDRESS}" alt="図" width="1" height="1"><figcaption>説</figcaption></figure>`,
      `![図](${STORED_ADDRESS})\n\n説`,
    ],
    ["unordered lists", "<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>", "- a\n- b\n  - c"],
    ["ordered lists", '<ol start="3"><li>a</li><li>b</li></ol>', "3. a\n4. b"],
    ["quotes", "<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"],
    [
      "code",
      "<pre><code>a\n```</code></pre><p><code>b`c</code></p>",
      "````\na\n```\n````\n\n``b`c``",
    ],
    [
      "tables",
      "<table><thead><tr><th>a</th><th>b|c</th></tr></thead>" +
        "<tbody><tr><td>d</td><td>e</td></tr></tbody></table>",
      "| a | b\\|c |\n| - | - |\n| d | e |",
    ],
    ["rules", "<p>a</p><hr><p>b</p>", "a\n\n---\n\nb"],
  ])("%s", (_, html, markdown) => {
    expect(toMarkdown(html)).toBe(markdown);
  });
});

describe("toMarkdown brings down what Markdown lacks", () => {
  it.each([
    ["underline, sub and sup to their text", "<p><u>a</u>H<sub>2</sub>O<sup>3</sup></p>", "aH2O3"],
    ["definitions to paragraphs", "<dl><dt>a</dt><dd>b</dd></dl>", "a\n\nb"],
    ["line breaks to paragraphs", "<p>a<br>b<strong>c<br>d</strong></p>", "a\n\nb**c**\n\n**d**"],
    [
      "line breaks in headings and cells to spaces",
      "<h2>a<br>b</h2><table><tbody><tr><th>c<br>d</th></tr></tbody></table>",
      "## a b\n\n| c d |\n| - |",
    ],
    [
      "spans to empty cells",
      '<table><tbody><tr><th>a</th><th>b</th></tr><tr><td colspan="2">c</td></tr></tbody></table>',
      "| a | b |\n| - | - |\n| c | |",
    ],
    [
      "blocks in cells to one line",
      "<table><tbody><tr><th>a</th></tr><tr><td><p>b</p><ul><li>c</li></ul></td></tr></tbody></table>",
      "| a |\n| - |\n| b c |",
    ],
    ["neighbouring lists to one", "<ul><li>a</li></ul><ul><li>b</li></ul>", "- a\n- b"],
  ])("%s", (_, html, markdown) => {
    expect(toMarkdown(html)).toBe(markdown);
  });
});

describe("toMarkdown of hostile tables", () => {
  it.each([
    ["spans that multiply", '<td colspan="50" rowspan="200">a</td>', 2_000],
    ["one row that stretches all others", "<td>a</td>", 2_000],
  ])("gives the cells one after the other for %s", (_, cell, rows) => {
    const wide = `<tr>${"<td>b</td>".repeat(2_000)}</tr>`;
    const markdown = toMarkdown(
      `<table><tbody>${wide}${`<tr>${cell}</tr>`.repeat(rows)}</tbody></table>`,
    );
    expect(markdown.split("\n\n")).toHaveLength(2_000 + rows);
  });
});

describe("toMarkdown shows emphasis between Japanese letters", () => {
  it.each([
    ["<p>これは<strong>「強調」</strong>です。</p>", "これは「**強調**」です。"],
    ["<p>です<strong>「強調」</strong>。</p>", "です「**強調**」。"],
    ["<p>です。<strong>「強調」</strong>。</p>", "です。**「強調」**。"],
    ["<p><strong>強調。</strong>です</p>", "**強調**。です"],
    ["<p>は<em> 強調 </em>です</p>", "は *強調* です"],
    ["<p>は<strong>！？</strong>です</p>", "は！？です"],
    [
      '<p>は<b><a href="https://a.example/">続き</a></b>です</p>',
      "は[**続き**](https://a.example/)です",
    ],
    ["<p>は<b>次の<code>x</code>も</b>です</p>", "は**次の**`x`**も**です"],
    ["<p>は<b>太<i>斜</i></b>です</p>", "は**太斜**です"],
    ["<p>は<b>太</b><i>斜</i>です</p>", "は**太**斜です"],
    ["<p>は<b>絵文字😀</b>です</p>", "は**絵文字**😀です"],
  ])("%s", (html, markdown) => {
    expect(toMarkdown(html)).toBe(markdown);
  });

  it("reads back with the same text and the same letters emphasised", () => {
    const word = fc.constantFrom(
      "強調",
      "語",
      "abc",
      "「引用」",
      "。",
      "（注）",
      " ",
      "😀",
      "*",
      "_",
      "~",
      "~~",
      "`",
      "[x]",
      "ー",
    );
    const mark = fc.constantFrom("", "", "strong", "em", "del", "a", "code");
    const run = fc.record({
      mark,
      words: fc
        .array(word, { minLength: 1, maxLength: 3 })
        .map((w) => w.join(""))
        .filter((w) => w.trim() !== ""),
    });
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 6 }), (runs) => {
        const html = `<p>${runs.map((r) => wrap(r.mark, r.words)).join("")}</p>`;
        const markdown = toMarkdown(html);
        expect(markdown).not.toMatch(/&#/);
        expect(lettersOf(readMarkdown(markdown))).toEqual(lettersOfRuns(runs));
      }),
      { numRuns: 1000 },
    );
  });
});

function wrap(mark: string, text: string): string {
  if (mark === "") return text;
  return mark === "a" ? `<a href="https://a.example/">${text}</a>` : `<${mark}>${text}</${mark}>`;
}

const MARKS: Readonly<Record<string, string>> = {
  em: "emphasis",
  strong: "strong",
  del: "delete",
  a: "link",
  code: "inlineCode",
};

interface MarkedRun {
  readonly mark: string;
  readonly words: string;
}

/** The letters with the mark they must have; emphasis that touches strong words is given up. */
function lettersOfRuns(runs: readonly MarkedRun[]): readonly string[] {
  const joined: MarkedRun[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last?.mark === run.mark && run.mark !== "a") {
      joined[joined.length - 1] = { mark: run.mark, words: last.words + run.words };
    } else {
      joined.push(run);
    }
  }
  return joined.flatMap(({ mark, words }, index) => {
    const besideStrong = [joined[index - 1], joined[index + 1]].some(
      (run) => run?.mark === "strong",
    );
    const shown = mark === "em" && besideStrong ? "" : mark;
    return letters(words).map((letter) => `${letter} ${MARKS[shown] ?? ""}`.trim());
  });
}

function lettersOf(node: Nodes | PhrasingContent, marks = ""): readonly string[] {
  if (node.type === "text") return letters(node.value).map((letter) => `${letter} ${marks}`.trim());
  if (node.type === "inlineCode")
    return letters(node.value).map((letter) => `${letter} inlineCode`);
  if (!("children" in node)) return [];
  const inner = ["root", "paragraph"].includes(node.type) ? marks : node.type;
  return node.children.flatMap((child) => lettersOf(child, inner));
}

function letters(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]/gu) ?? [];
}

describe("toMarkdown of any document", () => {
  it("has no HTML, no handlers and only http(s) addresses, and says the same", async () => {
    await fc.assert(
      fc.asyncProperty(tagSoup, async (soup) => {
        const { html } = await cleanArticleHtml(soup, OPTIONS);
        const markdown = toMarkdown(html);
        expect(markdown).not.toMatch(/&#/);
        const nodes = allNodes(readMarkdown(markdown));
        expect(nodes.filter(({ type }) => type === "html" || type === "break")).toEqual([]);
        const addresses = nodes.flatMap((node) => ("url" in node ? [node.url] : []));
        expect(addresses.filter((url) => !/^https?:\/\//.test(url))).toEqual([]);
        const written = nodes.flatMap((node) => ("value" in node ? letters(node.value) : []));
        expect(written).toEqual(letters(html.replaceAll(/<[^>]*>|&\w+;/g, "")));
      }),
      { numRuns: 300 },
    );
  });

  it("escapes text that looks like Markdown or HTML", () => {
    const text = "&lt;b&gt; [x](javascript:1) `c` # - 1. > | ~~d~~";
    const nodes = allNodes(readMarkdown(toMarkdown(`<p>${text}</p>`)));
    expect(nodes.map(({ type }) => type)).toEqual(["root", "paragraph", "text"]);
  });
});

function allNodes(node: Nodes): readonly Nodes[] {
  return [node, ...("children" in node ? node.children.flatMap(allNodes) : [])];
}

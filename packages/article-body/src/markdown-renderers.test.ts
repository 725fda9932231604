import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OPTIONS, tagSoup } from "./body.samples.ts";
import { cleanArticleHtml } from "./clean-article.ts";
import { outline, renderings } from "./markdown-renderers.samples.ts";
import { richDocument } from "./rich-document.samples.ts";
import { toMarkdown } from "./to-markdown.ts";

/** What every renderer of `RENDERERS` makes of the Markdown of a body. */
function documentsOf(html: string): readonly string[] {
  return renderings(toMarkdown(html)).map(({ document }) => document);
}

describe("Markdown of a body renders to the body's document in two independent renderers", () => {
  it.each([
    ["headings", "<h1>a</h1><h2>b</h2><h3>c</h3><h6>d</h6>"],
    ["paragraphs", "<p>一つ目。</p><p>二つ目。</p>"],
    ["emphasis", "<p>は<em>斜体</em>と<strong>太字</strong>と<del>取消</del>です</p>"],
    ["emphasis of whole lines", "<p><strong>「強調」</strong></p><p><em>（注）</em></p>"],
    ["links", '<p>は<a href="https://a.example/x?a=1&amp;b=2" title="題">続き</a>です</p>'],
    ["tight lists", "<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>"],
    ["numbered lists", '<ol start="3"><li>a</li><li>b</li></ol>'],
    ["quotes", "<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>"],
    ["code", "<pre><code>if (a &lt; b) {\n  c();\n}\n</code></pre><p><code>a`b</code></p>"],
    [
      "tables",
      "<table><thead><tr><th>品目</th><th>a|b</th></tr></thead>" +
        "<tbody><tr><td><strong>「米」</strong></td><td>5 %</td></tr></tbody></table>",
    ],
    ["rules", "<p>a</p><hr><p>b</p>"],
    [
      "addresses in plain text",
      "<p>（http://a.example/x）さん、www.a.example」と、a@b.example</p>",
    ],
    ["text that looks like Markdown", "<p># 1. - &gt; | *a* _b_ [c](d) ![e](f) `g` &lt;i&gt;</p>"],
    ["labels with brackets", '<p><a href="https://a.example/">[動画](1分)</a></p>'],
  ])("with %s", (_, html) => {
    expect(documentsOf(html)).toEqual([outline(html), outline(html)]);
  });

  it.each([
    ["これは<strong>「強調」</strong>です", "これは「<strong>強調</strong>」です"],
    ["です。<strong>「強調」</strong>。", "です。<strong>「強調」</strong>。"],
    ["は<em>強調。</em>です", "は<em>強調</em>。です"],
    ["は<strong>『一』と『二』</strong>だ", "は『<strong>一』と『二</strong>』だ"],
    ["は<strong>100％</strong>です", "は<strong>100</strong>％です"],
    ["は<b>絵文字😀</b>です", "は<strong>絵文字</strong>😀です"],
    ["は<strong> 空白 </strong>です", "は <strong>空白</strong> です"],
    [
      'は<b>「<a href="https://a.example/">続き</a>」</b>を',
      'は「<a href="https://a.example/"><strong>続き</strong></a>」を',
    ],
  ])("with Japanese emphasis: %s", (html, shown) => {
    const document = outline(`<p>${shown}</p>`);
    expect(documentsOf(`<p>${html}</p>`)).toEqual([document, document]);
  });

  it.each([
    ["of any nesting and any text", richDocument],
    ["of any tag soup", tagSoup],
  ])("%s, the same in both", async (_, anyHtml) => {
    await fc.assert(
      fc.asyncProperty(anyHtml, async (raw) => {
        const { html } = await cleanArticleHtml(raw, OPTIONS);
        const [first, second] = documentsOf(html);
        expect(second).toBe(first);
      }),
      { numRuns: 100 },
    );
  });
});

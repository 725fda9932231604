import { describe, expect, it } from "vitest";
import { renderPage } from "./markdown.ts";
import type { SourcePage } from "./site-files.ts";

const page = (file: string, address: string, markdown = ""): SourcePage => ({
  file,
  address,
  title: file,
  markdown,
});
const files = {
  pages: new Map([["docs/a/README.md", page("docs/a/README.md", "/docs/a")]]),
  assets: new Map([["docs/pictures/p.svg", "/docs/pictures/p.svg"]]),
};
const htmlOf = (markdown: string) =>
  renderPage(page("docs/a/b.md", "/docs/a/b", markdown), files).html.trim();

describe("A page of the documentation", () => {
  it.each([
    ["a page", "[x](README.md#part)", '<a href="/docs/a#part">x</a>'],
    ["a folder with a page", "[x](../a)", '<a href="/docs/a">x</a>'],
    ["a part of itself", "[x](#part)", '<a href="#part">x</a>'],
    ["another site", "[x](https://example.com/)", '<a href="https://example.com/">x</a>'],
    ["the OpenAPI document", "[x](../../schemas/http/openapi.yaml)", '<a href="/docs/api">x</a>'],
    ["a file that is not served", "[x](../../LICENSE)", "<span>x</span>"],
    ["a picture", "![x](../pictures/p.svg)", '<img src="/docs/pictures/p.svg" alt="x">'],
  ])("links to %s", (_, markdown, html) => {
    expect(htmlOf(markdown)).toBe(`<p>${html}</p>`);
  });

  it("has anchors for its headings, and lists those of the second level", () => {
    const markdown = "# `One` page\n\n## What's it?\n\n### 日本 語\n";
    const { html, headings } = renderPage(page("docs/x.md", "/docs/x", markdown), files);
    expect(html).toContain('<h1 id="one-page"><code>One</code> page</h1>');
    expect(html).toContain('<h3 id="日本-語">');
    expect(headings).toEqual([{ id: "whats-it", text: "What's it?" }]);
  });

  it("aligns columns without a style, which the policy would refuse", () => {
    const html = htmlOf("| a | b |\n| --: | --- |\n| 1 | 2 |");
    expect(html).toContain('<td class="right">1</td>');
    expect(html).not.toContain("style");
  });

  it("shows HTML as text", () => {
    expect(htmlOf("<script>x</script>")).not.toContain("<script>");
    expect(htmlOf("```html\n<b>x</b>\n```")).toContain("&lt;b&gt;x");
  });
});

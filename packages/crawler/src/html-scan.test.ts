import { describe, expect, it } from "vitest";
import { costOf, tagsOf } from "./html-scan.ts";
import { plainText } from "./plain-text.ts";

describe("what a reader reads of a piece of HTML", () => {
  it.each([
    ["Rain &amp; <b>sun</b>", "Rain & sun"],
    ["1 &lt; 2 &#x3042; &hellip;", "1 < 2 あ …"],
    ["a < b and b > c", "a < b and b > c"],
    ["<p>One</p><p>Two</p>", "One Two"],
    ["before<!-- <b>hidden</b> -->after", "before after"],
    ["<script>var a = '<b>';</script>shown", "shown"],
    ["<STYLE>p{}</STYLE>shown", "shown"],
    ["<script>unclosed", ""],
    ["unclosed <b attribute", "unclosed <b attribute"],
    ["  several\n\tlines ", "several lines"],
  ])("%s", (html, expected) => {
    expect(plainText(html, 100)).toBe(expected);
  });

  it("is cut between characters, not within one", () => {
    expect(plainText("𠮷𠮷𠮷", 3)).toBe("𠮷");
  });
});

describe("scanning is linear", () => {
  it.each(["<b>", "<!--", "<script>", "<", "</", "<a ", "<p><button>"])(
    "for %s over and over",
    (part) => {
      const html = part.repeat(1_000_000 / part.length);
      const startMs = performance.now();
      costOf(html);
      plainText(html, 50_000);
      expect(performance.now() - startMs).toBeLessThan(2_000);
    },
  );
});

describe("the cost of a tree", () => {
  it("counts nesting without what ends by itself", () => {
    expect(costOf("<ul><li>1<li>2<li>3</ul><p>a<p>b<br><img>").depth).toBe(1);
    expect(costOf("<div><div><p></div></div>").depth).toBe(2);
  });

  it("counts formatting that is opened again in each block", () => {
    expect(costOf("<b><i><p>1<p>2<p>3").reopened).toBe(6);
    expect(costOf("<b><i></i></b><p>1<p>2<p>3").reopened).toBe(0);
  });

  it("is not hidden in a raw text that is none within SVG", () => {
    expect(costOf(`<title>${"<b>".repeat(9)}</title>`).depth).toBe(1);
    expect(costOf(`<svg><title>${"<b>".repeat(9)}</title>`).depth).toBe(11);
  });

  it("names each tag once, in lower case", () => {
    expect([...tagsOf("<A HREF=x>t</a><br/>")].map(({ name }) => name)).toEqual(["a", "a", "br"]);
  });
});

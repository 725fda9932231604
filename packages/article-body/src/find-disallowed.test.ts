import { describe, expect, it } from "vitest";
import { ALLOWED_TAGS, attributesOf } from "./allowlist.ts";
import { assertAllowedHtml, findDisallowed } from "./find-disallowed.ts";

describe("the allowlist", () => {
  it("is the table of spec 2.3", () => {
    const tags =
      "p, br, hr, h1, h2, h3, h4, h5, h6, ul, ol, li, blockquote, pre, code, em, strong, b, i, u, s, " +
      "del, sub, sup, " +
      "a, img, figure, figcaption, table, thead, tbody, tfoot, tr, th, td, dl, dt, dd";
    expect(ALLOWED_TAGS.toSorted()).toEqual(tags.split(", ").toSorted());
    const attributes = ALLOWED_TAGS.map((tag) => [tag, attributesOf(tag)] as const).filter(
      ([, names]) => names?.length,
    );
    expect(Object.fromEntries(attributes)).toEqual({
      a: ["href", "title"],
      img: ["src", "alt", "title", "width", "height"],
      th: ["colspan", "rowspan"],
      td: ["colspan", "rowspan"],
      ol: ["start"],
    });
  });
});

describe("findDisallowed", () => {
  it.each([
    ["<div>a</div>", ["<div>"]],
    ["<p>a<script>b</script></p>", ["<script>"]],
    ["<p onclick=x>a</p>", ["<p onClick>"]],
    ["<p href=https://a.example>a</p>", ["<p href>"]],
    [
      "<p class=a id=b style=c data-d=e>a</p>",
      ["<p className>", "<p id>", "<p style>", "<p dataD>"],
    ],
    ["<a href=javascript:x>a</a>", ["<a href> javascript:x"]],
    ["<img src=data:image/png,x>", ["<img src> data:image/png,x"]],
    ["<img src=/relative.png>", ["<img src> /relative.png"]],
    ["<!-- a -->", ["comment"]],
    ["<table><tr><td width=1>a</td></tr></table>", ["<td width>"]],
  ])("finds what is wrong with %s", (html, found) => {
    expect(findDisallowed(html)).toEqual(found);
  });

  it("finds nothing wrong with allowed HTML", () => {
    expect(
      findDisallowed(
        '<p><a href="https://a.example" title="t">a</a></p><ol start="2"><li>b</li></ol>',
      ),
    ).toEqual([]);
    expect(
      findDisallowed('<table><tbody><tr><td colspan="2" rowspan="3">a</td></tr></tbody></table>'),
    ).toEqual([]);
  });

  it("can be asked to throw", () => {
    expect(() => assertAllowedHtml("<p>a</p>")).not.toThrow();
    expect(() => assertAllowedHtml("<u onclick=x>a</u>")).toThrow("<u onClick>");
  });
});

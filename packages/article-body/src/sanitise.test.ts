import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OPTIONS, STORED_ADDRESS, tagSoup } from "./body.samples.ts";
import { findDisallowed } from "./find-disallowed.ts";
import { sanitise } from "./sanitise.ts";

describe("sanitise, on its own", () => {
  it.each([
    ['<p href="https://a.example">a</p>', "<p>a</p>"],
    ['<a href="javascript:x">a</a>', "<a>a</a>"],
    ['<a href="ftp://a.example">a</a>', "<a>a</a>"],
    ['<img src="data:image/png;base64,AA">', ""],
    ['<img src="https://a.example/no.png">', ""],
    [
      '<img src="https://a.example/stored.png" onerror="x()" width="100%">',
      `<img src="${STORED_ADDRESS}">`,
    ],
    [
      "<td colspan=2>a</td><table><tr><td colspan=2 width=3>a</table>",
      'a<table><tbody><tr><td colspan="2">a</td></tr></tbody></table>',
    ],
    ["<svg><script>x</script></svg><math><mtext><img src=x onerror=y></mtext></math>", ""],
    [
      '<div id=a aria-label=b data-c=d><ol start="x"><li value=3>a</ol></div>',
      "<ol><li>a</li></ol>",
    ],
  ])("makes %s safe", (html, safe) => {
    expect(sanitise(html, OPTIONS.pictureFor)).toBe(safe);
  });

  it("passes nothing forbidden, whatever the tag soup", () => {
    fc.assert(
      fc.property(tagSoup, (soup) => {
        expect(findDisallowed(sanitise(soup, OPTIONS.pictureFor))).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });
});

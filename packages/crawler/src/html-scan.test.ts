import { processorMs } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { tagsOf } from "./html-scan.ts";
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
      expect(processorMs(() => void plainText(html, 50_000))).toBeLessThan(2_000);
    },
  );
});

describe("the tags of a document", () => {
  it("are named once each, in lower case", () => {
    expect([...tagsOf("<A HREF=x>t</a><br/>")].map(({ name }) => name)).toEqual(["a", "a", "br"]);
  });
});

import * as fc from "fast-check";
import type { PictureRef } from "@feed/domain/article";
import { STORED_PICTURE_PREFIX } from "@feed/domain/article";
import { asId } from "@feed/domain/ids";
import type { PictureId } from "@feed/domain/ids";
import type { CleanArticleOptions } from "./clean-article.ts";

/** Inputs shared by this package's tests. */
export const PICTURE: PictureRef = {
  id: asId<PictureId>("ab".repeat(32)),
  width: 640,
  height: 480,
};
export const STORED_ADDRESS = STORED_PICTURE_PREFIX + PICTURE.id;

/** Stores every picture whose address has `stored` in it, and knows stored addresses again. */
export const OPTIONS: CleanArticleOptions = {
  baseUrl: "https://news.example/2026/story.html",
  pictureFor: (url) => (url.includes("stored") || url === STORED_ADDRESS ? PICTURE : undefined),
};

const TAGS = `
  p div span b i em strong u s del a img br hr ul ol li dl dt dd table caption thead tbody tr td th h1 h3
  pre code blockquote figure figcaption sub sup script style iframe svg math mtext mglyph foreignObject
  noscript template form button select option textarea object center font ruby rt rp title xmp plaintext
  picture source details annotation-xml`
  .trim()
  .split(/\s+/);
const ATTRIBUTES = [
  "",
  ' href="javascript:alert(1)"',
  ' href="/path?a=1&b=2" title="t"',
  ' href="data:text/html,x"',
  ' src="https://cdn.example/stored.jpg" alt="a>b"',
  ' src="data:image/png;base64,AAAA"',
  ' data-src="/stored-lazy.jpg" src=x',
  ' onclick="x()" onerror=x()',
  ' id="x" class="y" style="color:red"',
  ' style="display:none"',
  ' colspan="3" rowspan="0"',
  ' start="5"',
  ' xlink:href="javascript:x"',
];
const TEXTS = [
  "文章",
  "「引用」",
  "a b",
  " ",
  "\n",
  "&lt;b&gt;",
  "&amp;",
  "&nbsp;",
  "<!-- c -->",
  "*x*",
  "]]>",
  "<![CDATA[x",
  "\u0000",
  "</",
  "|",
  "　",
];

/**
 * Tags opened and closed without regard for each other, hostile attributes, text in both
 * languages.
 */
export const tagSoup: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc
        .constantFrom(...TAGS)
        .chain((tag) => fc.constantFrom(...ATTRIBUTES).map((a) => `<${tag}${a}>`)),
      fc.constantFrom(...TAGS).map((tag) => `</${tag}>`),
      fc.constantFrom(...TEXTS),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

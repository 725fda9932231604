import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OPTIONS, PICTURE, STORED_ADDRESS, tagSoup } from "./body.samples.ts";
import { cleanArticleHtml, collectPictureUrls } from "./clean-article.ts";
import { signStoredPictures } from "./stored-pictures.ts";
import { findDisallowed } from "./find-disallowed.ts";

async function clean(html: string): Promise<string> {
  return (await cleanArticleHtml(html, OPTIONS)).html;
}

describe("cleanArticleHtml: what spec 2.3 keeps", () => {
  it.each([
    ["headings", "<h1>a</h1><h2>b</h2><h6>c</h6>"],
    [
      "inline marks",
      "<p><em>a</em><strong>b</strong><b>c</b><i>d</i><u>e</u><s>f</s><del>g</del></p>",
    ],
    ["sub and sup", "<p>H<sub>2</sub>O, x<sup>2</sup></p>"],
    ["lists", '<ul><li>a</li></ul><ol start="3"><li>b<ul><li>c</li></ul></li></ol>'],
    ["definitions", "<dl><dt>a</dt><dd>b</dd></dl>"],
    [
      "quotes, code and rules",
      "<blockquote><p>a</p></blockquote><pre><code>b\n  c</code></pre><hr><p><code>d</code></p>",
    ],
    ["links", '<p><a href="https://a.example/?x=1&amp;y=2" title="t">a</a></p>'],
    [
      "tables",
      '<table><thead><tr><th colspan="2">a</th></tr></thead>' +
        '<tbody><tr><td rowspan="2">b</td><td>c</td></tr></tbody></table>',
    ],
    ["line breaks", "<p>a<br>b</p>"],
  ])("keeps %s as they are", async (_, html) => {
    expect(await clean(html)).toBe(html);
  });

  it("keeps title, alt and the stored size of a picture", async () => {
    const html =
      '<figure><img src="/stored.jpg" alt="図" title="t" width="9"><figcaption>説明</figcaption></figure>';
    expect(await clean(html)).toBe(
      `<figure><img src="${STORED_ADDRESS}" alt="図" title="t" width="640" height="480">` +
        "<figcaption>説明</figcaption></figure>",
    );
  });
});

describe("cleanArticleHtml: what spec 2.3 refuses", () => {
  it.each([
    [
      "script and style with their text",
      "<p>a</p><script>b</script><style>c</style><iframe src=x>d</iframe>",
      "<p>a</p>",
    ],
    [
      "event attributes, id, class and style",
      '<p onclick="x()" id=a class=b style="color:red">a</p>',
      "<p>a</p>",
    ],
    ["href on a paragraph", '<p href="https://a.example">a</p>', "<p>a</p>"],
    ["javascript links", '<p><a href="javascript:x()">a</a></p>', "<p>a</p>"],
    ["links with a hidden scheme", '<p><a href=" java\nscript:x()">a</a></p>', "<p>a</p>"],
    ["data pictures", '<p>a<img src="data:image/png;base64,AA"></p>', "<p>a</p>"],
    ["pictures that were not stored", '<p>a<img src="https://x.example/no.png"></p>', "<p>a</p>"],
    ["counters of one pixel", '<p>a<img src="/stored.gif" width=1 height=1></p>', "<p>a</p>"],
    [
      "text a reader never saw",
      '<p>a</p><div style="display: none">b</div><p hidden>c</p>',
      "<p>a</p>",
    ],
    [
      "spans that are no numbers",
      '<table><tr><td colspan="x" rowspan="-1">a</td></tr></table>',
      "<table><tbody><tr><td>a</td></tr></tbody></table>",
    ],
    ["credentials in links", '<p><a href="https://me:pw@a.example/">a</a></p>', "<p>a</p>"],
  ])("drops %s", async (_, raw, html) => {
    expect(await clean(raw)).toBe(html);
  });

  it("says which pictures and links were lost", async () => {
    const { problems } = await cleanArticleHtml(
      '<img src="/no.png"><a href="tel:1">x</a>',
      OPTIONS,
    );
    expect(problems).toEqual([
      { kind: "picture-not-stored", detail: "https://news.example/no.png" },
      { kind: "link-refused", detail: "tel:1" },
    ]);
  });

  it("drops the caption of a picture that is not there", async () => {
    expect(
      await clean("<figure><img src=/no.png><figcaption>写真</figcaption></figure><p>a</p>"),
    ).toBe("<p>a</p>");
  });
});

describe("cleanArticleHtml: real-world markup made tidy", () => {
  it.each([
    [
      "wrappers and loose text become paragraphs",
      "<div>一<div>二</div>三</div>",
      "<p>一</p><p>二</p><p>三</p>",
    ],
    ["two line breaks part paragraphs", "一<br><br>　二<br>三<br>", "<p>一</p><p>二<br>三</p>"],
    [
      "source line breaks within Japanese vanish",
      "<p>日本語の\n  文章。\nabc\ndef</p>",
      "<p>日本語の文章。 abc def</p>",
    ],
    ["empty paragraphs go", "<p>&nbsp;</p><p>　</p><p>a</p>", "<p>a</p>"],
    [
      "readings are put in brackets",
      "<p><ruby>渋谷<rp>(</rp><rt>しぶや</rt></ruby></p>",
      "<p>渋谷（しぶや）</p>",
    ],
    [
      "relative links are made absolute",
      "<p><a href='../x'>a</a><a href='//b.example/y'>b</a></p>",
      '<p><a href="https://news.example/x">a</a><a href="https://b.example/y">b</a></p>',
    ],
    [
      "a table's caption goes before it",
      "<table><caption>c</caption><tr><td>a</td></tr></table>",
      "<p>c</p><table><tbody><tr><td>a</td></tr></tbody></table>",
    ],
    [
      "items and terms of a figure get their list",
      "<figure><dd>一</dd><li>二</li><li>三</li><figcaption>四</figcaption></figure>",
      "<figure><dl><dd>一</dd></dl><ul><li>二</li><li>三</li></ul><figcaption>四</figcaption></figure>",
    ],
    [
      "highlighted code keeps its text",
      "<pre><code><span class=k>if</span> (a &lt; b)\n</code></pre>",
      "<pre><code>if (a &lt; b)</code></pre>",
    ],
  ])("%s", async (_, raw, html) => {
    expect(await clean(raw)).toBe(html);
  });

  it("reads the text a line for each block, without captions", async () => {
    const { text } = await cleanArticleHtml(
      "<h2>題</h2><p>一 <b>二</b></p><ul><li>三</li></ul>" +
        "<figure><img src=/stored.png><figcaption>x</figcaption></figure>",
      OPTIONS,
    );
    expect(text).toBe("題\n一 二\n三");
  });

  it("takes the sentences alone for a summary, and all text where there are none", async () => {
    const table = "<table><tr><td>期間<td>5年</table>";
    const { prose } = await cleanArticleHtml(
      `<p>始まり。</p><h2>題</h2><ul><li>項目</li></ul>${table}<pre>x()</pre><p>終わり。</p>`,
      OPTIONS,
    );
    expect(prose).toBe("始まり。\n項目\n終わり。");
    expect((await cleanArticleHtml(`<h2>題</h2>${table}`, OPTIONS)).prose).toBe("題\n期間 5年");
  });

  it("lists each stored picture once", async () => {
    const { pictures } = await cleanArticleHtml(
      "<img src=/stored.png><img src=/stored2.png>",
      OPTIONS,
    );
    expect(pictures).toEqual([PICTURE]);
  });
});

describe("cleanArticleHtml: hostile documents", () => {
  it.each([
    ["body-too-deep", "<b>".repeat(5_000)],
    ["body-too-deep", "<div>".repeat(100_000)],
    ["body-too-many-nodes", "<p>x".repeat(60_000)],
    ["body-too-long", "x".repeat(2_000_001)],
  ])("sets a document aside as %s", async (code, html) => {
    await expect(cleanArticleHtml(html, OPTIONS)).rejects.toMatchObject({
      name: "ArticleBodyError",
      code,
    });
  });

  it("stops misnested formatting from growing into millions of nodes", async () => {
    const formats = Array.from({ length: 10 }, (_, n) => `<b data-n=${n}>`).join("");
    await expect(cleanArticleHtml(formats + "<p>x".repeat(100_000), OPTIONS)).rejects.toMatchObject(
      {
        code: "body-too-many-nodes",
      },
    );
  });

  it("passes the independent checker for any tag soup, and cleaning twice changes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(tagSoup, async (soup) => {
        const once = await clean(soup);
        expect(findDisallowed(once)).toEqual([]);
        expect(await clean(once)).toBe(once);
      }),
      { numRuns: 400 },
    );
  });
});

describe("collectPictureUrls", () => {
  it.each([
    ["the plain source", "<img src=a.jpg>", ["https://news.example/2026/a.jpg"]],
    [
      "lazy sources before the placeholder",
      "<img src=dot.gif data-src=/b.jpg>",
      ["https://news.example/b.jpg"],
    ],
    [
      "the widest candidate that is not wasteful",
      "<img srcset='/s.jpg 400w, /m.jpg 1200w, /l.jpg 4000w'>",
      ["https://news.example/m.jpg"],
    ],
    ["candidates by density", "<img srcset='/1.jpg, /2.jpg 2x'>", ["https://news.example/2.jpg"]],
    [
      "the sources of a picture element",
      "<picture><source srcset=/p.webp><img alt=x></picture>",
      ["https://news.example/p.webp"],
    ],
    [
      "addresses with commas in them",
      "<img srcset='/w_1,h_2/a.jpg 400w, /w_3,h_4/a.jpg 900w'>",
      ["https://news.example/w_3,h_4/a.jpg"],
    ],
    [
      "each address once, in order",
      "<img src=/z.jpg><p><img src=/a.jpg></p><img src=/z.jpg>",
      ["https://news.example/z.jpg", "https://news.example/a.jpg"],
    ],
    [
      "nothing from scripts and data addresses",
      "<script><img src=/a.jpg></script><img src='data:image/gif;base64,AA'>",
      [],
    ],
  ])("finds %s", (_, html, urls) => {
    expect(collectPictureUrls(html, OPTIONS.baseUrl)).toEqual(urls);
  });
});

describe("signStoredPictures", () => {
  it("puts an address in place of each stored picture, in HTML and Markdown alike", () => {
    const addressOf = (id: string): string => `https://img.example/${id.slice(0, 4)}?s=1`;
    expect(
      signStoredPictures(`<img src="${STORED_ADDRESS}"> ![](${STORED_ADDRESS} "t")`, addressOf),
    ).toBe('<img src="https://img.example/abab?s=1"> ![](https://img.example/abab?s=1 "t")');
  });

  it("leaves anything that is no whole id alone", () => {
    const body = "https://picture.invalid/abc https://pictureXinvalid/" + PICTURE.id;
    expect(signStoredPictures(body, () => "no")).toBe(body);
  });
});

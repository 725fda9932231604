import { describe, expect, it } from "vitest";
import { ENTRIES_PER_FEED_MAX } from "../limits.ts";
import { readFeed } from "./parse-feed.ts";

const URL_OF_FEED = "https://publisher.example/news/feed";
const read = (document: string | Buffer, contentType?: string) =>
  readFeed(Buffer.from(document), contentType, URL_OF_FEED);
const only = (document: string | Buffer) => {
  const { entries } = read(document);
  expect(entries).toHaveLength(1);
  return entries[0];
};

const rss = (items: string, channel = ""): string => `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/">
<channel><title>P</title><link>https://publisher.example/</link>${channel}${items}</channel></rss>`;

describe("older RSS", () => {
  const item = "<item><title>Ferry</title><link>https://publisher.example/1</link></item>";
  it.each(["0.91", "0.92", "0.93"])("%s is read", (version) => {
    const channel = `<channel><title>P</title><link>https://publisher.example/</link>${item}</channel>`;
    const entry = only(`<?xml version="1.0"?><rss version="${version}">${channel}</rss>`);
    expect(entry).toMatchObject({ title: "Ferry", link: "https://publisher.example/1" });
  });

  const netscape = (doctype: string, body = item): string =>
    `<?xml version="1.0" encoding="ISO-8859-1"?>\n<!-- made by hand -->\n${doctype}
<rss version="0.91"><channel><title>P</title><link>https://publisher.example/</link>${body}</channel></rss>`;
  const PUBLIC_ID = "-//Netscape Communications//DTD RSS 0.91//EN";
  const DTD = "http://my.netscape.com/publish/formats/rss-0.91.dtd";

  it.each([
    ["Netscape's", `<!DOCTYPE rss PUBLIC "${PUBLIC_ID}"\n  "${DTD}">`],
    ["UserLand's", `<!DOCTYPE rss SYSTEM "${DTD}">`],
  ])("0.91 is read with %s document type, which is dropped", (_whose, doctype) => {
    expect(only(netscape(doctype))).toMatchObject({ title: "Ferry" });
  });

  it("0.91 knows no entity by its document type", () => {
    const doctype = `<!DOCTYPE rss PUBLIC "${PUBLIC_ID}" "${DTD}">`;
    const titled = item.replace("Ferry", "A &bomb; ferry &#38; more");
    expect(only(netscape(doctype, titled))?.title).toBe("A &bomb; ferry & more");
  });

  it.each([
    ["with an internal subset", `<!DOCTYPE rss PUBLIC "${PUBLIC_ID}" "${DTD}" [<!ENTITY a "b">]>`],
    ["with an empty one", `<!DOCTYPE rss SYSTEM "${DTD}" []>`],
    ["of another place", '<!DOCTYPE rss SYSTEM "https://publisher.example/rss-0.91.dtd">'],
    ["declared twice", `<!DOCTYPE rss SYSTEM "${DTD}"><!DOCTYPE rss SYSTEM "${DTD}">`],
    ["with an entity behind it", `<!DOCTYPE rss SYSTEM "${DTD}"><!ENTITY a "b">`],
    ["of another root", `<!DOCTYPE feed PUBLIC "${PUBLIC_ID}" "${DTD}">`],
  ])("0.91 is refused %s", (_what, doctype) => {
    expect(() => read(netscape(doctype))).toThrow(expect.objectContaining({ code: "doctype" }));
  });

  it("0.90, which is RDF, is read", () => {
    const entry = only(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns="http://my.netscape.com/rdf/simple/0.9/"><channel><title>P</title></channel>${item}</rdf:RDF>`);
    expect(entry).toMatchObject({ title: "Ferry", link: "https://publisher.example/1" });
  });
});

describe("RSS 2.0", () => {
  it("gives every field it can carry", () => {
    const entry = only(
      rss(
        `<item><title>Rain &amp;amp; sun</title><link>/a?utm_source=rss</link>
<guid isPermaLink="false">tag:1</guid><description>&lt;p&gt;Short&lt;/p&gt;</description>
<content:encoded><![CDATA[<p>Long</p>]]></content:encoded><dc:creator>A. Writer</dc:creator>
<category>Weather</category><category>Weather</category><category>Town</category>
<pubDate>Sat, 21 Nov 2026 18:00:00 +0900</pubDate>
<media:content url="/small.jpg" medium="image" width="100"/><media:content url="/large.jpg" medium="image" width="900"/>
<enclosure url="/voice.mp3" type="audio/mpeg" length="1"/></item>`,
        "<language>ja</language>",
      ),
    );
    expect(entry).toEqual({
      id: "tag:1",
      link: "https://publisher.example/a?utm_source=rss",
      title: "Rain & sun",
      summaryHtml: "<p>Short</p>",
      contentHtml: "<p>Long</p>",
      author: "A. Writer",
      categories: ["Weather", "Town"],
      publishedAtMs: Date.UTC(2026, 10, 21, 9),
      language: "ja",
      pictureUrls: ["https://publisher.example/large.jpg", "https://publisher.example/small.jpg"],
    });
  });

  it("takes a guid for the link unless it says that it is none", () => {
    const item = (attribute: string): string =>
      rss(`<item><title>T</title><guid${attribute}>https://publisher.example/1</guid></item>`);
    expect(only(item(""))?.link).toBe("https://publisher.example/1");
    expect(read(item(' isPermaLink="false"'))).toMatchObject({ entries: [], entriesRefused: 1 });
  });

  it("leaves out entries without a title or an http address, and keeps the others", () => {
    const { entries, entriesRefused } = read(
      rss(`<item><title>No link</title></item><item><link>https://publisher.example/1</link></item>
<item><title>Script</title><link>javascript:alert(1)</link></item>
<item><title>Good</title><link>https://publisher.example/2</link></item>`),
    );
    expect(entries.map(({ title }) => title)).toEqual(["Good"]);
    expect(entriesRefused).toBe(3);
  });

  it("is read no further than its first 200 entries", () => {
    const items = Array.from(
      { length: ENTRIES_PER_FEED_MAX + 1 },
      (_, at) => `<item><title>${at}</title><link>https://publisher.example/${at}</link></item>`,
    );
    expect(read(rss(items.join(""))).entries).toHaveLength(ENTRIES_PER_FEED_MAX);
  });
});

describe("Atom", () => {
  const atom = (entry: string): string => `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<title>P</title><id>f</id><updated>2026-11-21T09:00:00Z</updated><author><name>Desk</name></author>
<entry><id>urn:1</id>${entry}</entry></feed>`;

  it("gives every field it can carry", () => {
    const entry = only(
      atom(`<title type="html">A &lt;b&gt;bold&lt;/b&gt; title</title>
<link rel="self" href="https://publisher.example/1.atom"/>
<link rel="alternate" type="text/html" href="https://publisher.example/1"/>
<link rel="enclosure" type="image/png" href="https://publisher.example/1.png"/>
<published>2026-11-20T09:00:00Z</published><updated>2026-11-21T09:00:00Z</updated>
<category term="t" label="Weather"/><summary>1 &lt; 2</summary>
<content type="html">&lt;p&gt;Long&lt;/p&gt;</content>`),
    );
    expect(entry).toEqual({
      id: "urn:1",
      link: "https://publisher.example/1",
      title: "A bold title",
      summaryHtml: "1 &lt; 2",
      contentHtml: "<p>Long</p>",
      author: "Desk",
      categories: ["Weather"],
      publishedAtMs: Date.UTC(2026, 10, 20, 9),
      updatedAtMs: Date.UTC(2026, 10, 21, 9),
      language: "en",
      pictureUrls: ["https://publisher.example/1.png"],
    });
  });

  it("shows a plain title as it is written", () => {
    const link = '<link href="https://publisher.example/1"/>';
    expect(only(atom(`<title>Why &lt;b&gt; is out</title>${link}`))?.title).toBe("Why <b> is out");
  });
});

describe("RSS 1.0 in RDF", () => {
  it("gives every field it can carry, identified by rdf:about", () => {
    const entry = only(`<rdf:RDF xmlns="http://purl.org/rss/1.0/" xml:lang="ja"
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel rdf:about="https://publisher.example/"><title>P</title><link>https://publisher.example/</link>
<description>d</description><dc:language>ja</dc:language></channel>
<item rdf:about="https://publisher.example/1"><title>T</title><link>https://publisher.example/1</link>
<description>Short</description><dc:creator>記者</dc:creator><dc:subject>天気</dc:subject>
<dc:date>2026-11-21T18:00:00+09:00</dc:date><content:encoded><![CDATA[<p>Long</p>]]></content:encoded>
</item></rdf:RDF>`);
    expect(entry).toEqual({
      id: "https://publisher.example/1",
      link: "https://publisher.example/1",
      title: "T",
      summaryHtml: "Short",
      contentHtml: "<p>Long</p>",
      author: "記者",
      categories: ["天気"],
      publishedAtMs: Date.UTC(2026, 10, 21, 9),
      language: "ja",
      pictureUrls: [],
    });
  });
});

describe("JSON Feed", () => {
  it("gives every field it can carry, its plain texts made HTML", () => {
    const entry = only(
      JSON.stringify({
        version: "https://jsonfeed.org/version/1.1",
        title: "P",
        language: "en-GB",
        items: [
          {
            id: "1",
            url: "https://publisher.example/1",
            title: "Salt & <b>",
            summary: "a < b",
            content_html: "<p>Long</p>",
            date_published: "2026-11-21T09:00:00Z",
            date_modified: "2026-11-21T10:00:00Z",
            authors: [{ name: "A" }, { name: "B" }],
            tags: ["Food"],
            image: "https://publisher.example/1.jpg",
          },
        ],
      }),
    );
    expect(entry).toEqual({
      id: "1",
      link: "https://publisher.example/1",
      title: "Salt & <b>",
      summaryHtml: "a &lt; b",
      contentHtml: "<p>Long</p>",
      author: "A, B",
      categories: ["Food"],
      publishedAtMs: Date.UTC(2026, 10, 21, 9),
      updatedAtMs: Date.UTC(2026, 10, 21, 10),
      language: "en-GB",
      pictureUrls: ["https://publisher.example/1.jpg"],
    });
  });
});

describe("a feed in another charset", () => {
  it.each([
    ["Shift_JIS", "93fa967b8cea82cc8ca98f6f82b5"],
    ["EUC-JP", "c6fccbdcb8eca4ceb8abbdd0a4b7"],
    ["ISO-2022-JP", "1b2442467c4b5c386c244e382b3d5024371b2842"],
  ])("is read: %s", (charset, hex) => {
    const document = rss("<item><title>@</title><link>/1</link></item>");
    const [before = "", after = ""] = document.replace("UTF-8", charset).split("@");
    const bytes = Buffer.concat([Buffer.from(before), Buffer.from(hex, "hex"), Buffer.from(after)]);
    expect(only(bytes)?.title).toBe("日本語の見出し");
  });
});

describe("a document that is no feed is refused", () => {
  it.each([
    ["with a document type", '<!DOCTYPE rss [<!ENTITY a "b">]><rss/>', "doctype"],
    [
      "with one behind comments",
      `<?xml version="1.0"?><!-- a -->\n<!-- b --><!doctype rss>`,
      "doctype",
    ],
    ["a web page", "<!DOCTYPE html><html><body>404</body></html>", "doctype"],
    ["cut short", rss("<item><title>T").slice(0, -40), "broken"],
    ["empty", "", "not-a-feed"],
    ["text", "Service unavailable", "not-a-feed"],
    ["broken JSON", '{"version": "https://jsonfeed.org/version/1.1", "items": [', "broken"],
  ])("%s", (_what, document, code) => {
    expect(() => read(document)).toThrow(expect.objectContaining({ name: "FeedUnreadable", code }));
  });

  it("but one that only speaks of document types is not", () => {
    const item =
      "<item><title>T</title><link>/1</link><description><![CDATA[<!DOCTYPE html>]]></description></item>";
    expect(only(rss(item))?.title).toBe("T");
  });
});

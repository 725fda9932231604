import { describe, expect, it } from "vitest";
import { readFeed } from "./parse-feed.ts";

/** Goal: what publishers' feeds do besides their formats: namespaces, and encodings declared rightly and wrongly. */
const URL_OF_FEED = "https://publisher.example/feed";
const NAMESPACES = `xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"
 xmlns:media="http://search.yahoo.com/mrss/"`;
const READ_MS = Date.UTC(2026, 10, 21, 9);
const first = (document: string | Buffer, contentType?: string) =>
  readFeed(Buffer.from(document), contentType, URL_OF_FEED).entries[0];

const FORMATS: Readonly<Record<string, (inner: string) => string>> = {
  "RSS 2.0": (inner) =>
    `<rss version="2.0" ${NAMESPACES}><channel><title>P</title><item><title>T</title><link>/1</link>${inner}</item></channel></rss>`,
  "RSS 1.0": (inner) =>
    `<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" ${NAMESPACES}>
<channel><title>P</title></channel><item><title>T</title><link>/1</link>${inner}</item></rdf:RDF>`,
  Atom: (inner) =>
    `<feed xmlns="http://www.w3.org/2005/Atom" ${NAMESPACES}><title>P</title><id>f</id>
<entry><id>1</id><title>T</title><link href="/1"/>${inner}</entry></feed>`,
};

describe.each(Object.entries(FORMATS))("the usual namespaces in %s", (_format, feed) => {
  it.each([
    [
      "media:content, the largest picture first",
      '<media:content url="/s.jpg" medium="image" width="90"/><media:content url="/l.jpg" type="image/jpeg" width="900"/>',
      { pictureUrls: ["https://publisher.example/l.jpg", "https://publisher.example/s.jpg"] },
    ],
    [
      "media:group and media:thumbnail",
      '<media:group><media:content url="/v.mp4" medium="video"><media:thumbnail url="/t.jpg"/></media:content></media:group>',
      { pictureUrls: ["https://publisher.example/t.jpg"] },
    ],
    ["dc:date", "<dc:date>2026-11-21T18:00:00+09:00</dc:date>", { publishedAtMs: READ_MS }],
  ])("%s", (_what, inner, expected) => {
    expect(first(feed(inner))).toMatchObject(expected);
  });
});

describe.each(["RSS 2.0", "RSS 1.0"])("more of them in %s", (format) => {
  const feed = FORMATS[format]!;
  it.each([
    [
      "content:encoded",
      "<content:encoded><![CDATA[<p>Long</p>]]></content:encoded>",
      { contentHtml: "<p>Long</p>" },
    ],
    ["dc:creator", "<dc:creator>A. Writer</dc:creator>", { author: "A. Writer" }],
    ["dc:subject", "<dc:subject>Weather</dc:subject>", { categories: ["Weather"] }],
    [
      "dcterms:modified",
      "<dcterms:modified>2026-11-21T09:00:00Z</dcterms:modified>",
      { updatedAtMs: READ_MS },
    ],
  ])("%s", (_what, inner, expected) => {
    expect(first(feed(inner))).toMatchObject(expected);
  });
});

describe("an encoding", () => {
  /** The same title in each, as bytes. */
  const JAPANESE = "日本語の見出しと、長めの説明";
  const BYTES = {
    Shift_JIS: "93fa967b8cea82cc8ca98f6f82b582c68141 92b782df82cc90e096be",
    "EUC-JP": "c6fccbdcb8eca4ceb8abbdd0a4b7a4c8a1a2 c4b9a4e1a4cec0e2ccc0",
    "ISO-2022-JP": "1b2442467c4b5c386c244e382b3d5024372448212244392461244e4062 4c401b2842",
    "UTF-8": Buffer.from(JAPANESE).toString("hex"),
  } as const;
  type Charset = keyof typeof BYTES;
  const charsets = Object.keys(BYTES) as Charset[];
  const document = (declared: string, hex: string): Buffer => {
    const declaration = `<?xml version="1.0"${declared === "" ? "" : ` encoding="${declared}"`}?>`;
    const [before = "", after = ""] =
      `${declaration}${FORMATS["RSS 2.0"]!("").replace(">T<", ">@<")}`.split("@");
    const bytes = Buffer.from(hex.replaceAll(" ", ""), "hex");
    return Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]);
  };
  const wrongly = charsets.flatMap((used) =>
    charsets.filter((declared) => declared !== used).map((declared) => [used, declared] as const),
  );

  it.each(charsets)("%s is read as the document declares it", (charset) => {
    expect(first(document(charset, BYTES[charset]))?.title).toBe(JAPANESE);
  });

  it.each(charsets)(
    "%s is read as the answer declares it, whatever the document says",
    (charset) => {
      const bytes = document("US-ASCII", BYTES[charset]);
      expect(first(bytes, `application/xml; charset=${charset}`)?.title).toBe(JAPANESE);
    },
  );

  it.each(charsets)("%s is recognised where nothing is declared", (charset) => {
    expect(first(document("", BYTES[charset]))?.title).toBe(JAPANESE);
  });

  it.each(wrongly)("%s is recognised where %s is declared", (used, declared) => {
    expect(first(document(declared, BYTES[used]))?.title).toBe(JAPANESE);
  });

  it.each([
    ["windows-1252", "windows-1252"],
    ["ISO-8859-1", "ISO-8859-1, which browsers read as windows-1252"],
    ["", "nothing"],
    ["UTF-8", "UTF-8"],
  ])("of the West is read where %j is declared", (declared) => {
    const bytes = document(
      declared,
      Buffer.from("Caf\u00e9 \u0093na\u00efve\u0094", "latin1").toString("hex"),
    );
    expect(first(bytes)?.title).toBe("Café “naïve”");
  });
});

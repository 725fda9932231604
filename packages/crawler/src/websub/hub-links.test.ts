import { describe, expect, it } from "vitest";
import { readFeed } from "../feeds/parse-feed.ts";
import { announcedHub } from "./hub-links.ts";

const FEED = "https://publisher.example/news/feed";
const HUB = "https://hub.example/";
const announced = (document: string, link?: string) =>
  announcedHub(
    { url: FEED, headers: link === undefined ? {} : { link } },
    readFeed(Buffer.from(document), undefined, FEED).hubLinks ?? { hubs: [] },
  );
const item = "<item><title>T</title><link>https://publisher.example/1</link></item>";
const rss = (links = ""): string =>
  `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>P</title>${links}${item}</channel></rss>`;

describe("the hub of a feed (WebSub, 4)", () => {
  it.each([
    ["in one field", `<${HUB}>; rel="hub", <https://publisher.example/self>; rel="self"`],
    ["without quotes", `<${HUB}>; rel=hub,<https://publisher.example/self>;rel=self`],
    [
      "among other relations and parameters",
      `</style.css>; rel=preload; as="style, a>b", <${HUB}>; type="x"; rel="alternate HUB", </self>; rel=self`,
    ],
  ])("is in the Link fields of its answer, %s", (_what, link) => {
    const topicUrl = "https://publisher.example/self";
    expect(announced(rss(), link)).toEqual({ hubUrl: HUB, topicUrl });
  });

  it.each([
    ["RSS", rss(`<atom:link rel="hub" href="${HUB}"/><atom:link rel="self" href="self"/>`)],
    [
      "Atom",
      `<feed xmlns="http://www.w3.org/2005/Atom"><title>P</title><id>1</id><link rel="self" href="self"/>
<link rel="hub" href="${HUB}"/><entry><id>1</id><title>T</title><link href="/1"/></entry></feed>`,
    ],
    [
      "RDF",
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
 xmlns:a="http://www.w3.org/2005/Atom"><channel><title>P</title><a:link rel="hub" href="${HUB}"/>
<a:link rel="self" href="self"/></channel>${item}</rdf:RDF>`,
    ],
    [
      "JSON Feed",
      JSON.stringify({
        version: "https://jsonfeed.org/version/1.1",
        title: "P",
        feed_url: "self",
        hubs: [
          { type: "rssCloud", url: "https://other.example/" },
          { type: "WebSub", url: HUB },
        ],
        items: [{ id: "1", url: "/1", title: "T" }],
      }),
    ],
  ])("is in its document: %s", (_format, document) => {
    const topicUrl = "https://publisher.example/news/self";
    expect(announced(document)).toEqual({ hubUrl: HUB, topicUrl });
  });

  it("in a Link field comes before the one in the document", () => {
    const document = rss('<atom:link rel="hub" href="https://old.example/"/>');
    expect(announced(document, `<${HUB}>; rel=hub`)).toEqual({ hubUrl: HUB, topicUrl: FEED });
  });

  it("by https is taken before others", () => {
    const link = `<http://plain.example/>; rel=hub, <${HUB}>; rel=hub`;
    expect(announced(rss(), link)?.hubUrl).toBe(HUB);
  });

  it.each([
    ["none is named", undefined],
    ["it is no http address", "<ftp://hub.example/>; rel=hub"],
    ["the field is broken", "<https://hub.example/; rel=hub"],
    ["it is the relation of something else", '<https://hub.example/>; title="a; rel=hub"'],
  ])("is none where %s", (_what, link) => {
    expect(announced(rss(), link)).toBeUndefined();
  });
});

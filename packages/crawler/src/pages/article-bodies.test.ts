import { corporaPresent, livedoorArticles } from "@feed/article-analysis/corpora.samples";
import { cleanArticleHtml, findDisallowed, toMarkdown } from "@feed/article-body";
import type { CleanBody } from "@feed/article-body";
import { renderings } from "@feed/article-body/markdown-renderers.samples";
import { startDemoPublishers } from "@feed/demo-publishers/site";
import { asId } from "@feed/domain/ids";
import type { PictureId } from "@feed/domain/ids";
import { JSDOM } from "jsdom";
import { beforeAll, describe, expect, it } from "vitest";
import { readFeed } from "../feeds/parse-feed.ts";
import { paragraphsOf } from "../import/paragraphs.ts";
import { readPage } from "./read-page.ts";

const PAGES_PER_PUBLISHER = 4;
/** Of the corpus, which takes a minute as a whole: `CORPUS_EVERY=1`. */
const CLEANED_EVERY = Number(process.env["CORPUS_EVERY"] ?? 5);
/** Of those: rendering twice takes ten times as long as cleaning. */
const RENDERED_EVERY = 5;
const PICTURE = { id: asId<PictureId>("ab".repeat(32)), width: 640, height: 360 };

async function cleaned(html: string, baseUrl: string): Promise<CleanBody> {
  return cleanArticleHtml(html, { baseUrl, pictureFor: () => PICTURE });
}

/** What a reader takes from a document: its letters, and where its links and pictures lead. */
function readingOf(html: string) {
  const { document } = new JSDOM(html).window;
  const addresses = (selector: string, name: string) =>
    [...document.querySelectorAll(selector)].map((element) => element.getAttribute(name));
  const texts = (selector: string) =>
    [...document.querySelectorAll(selector)].map((element) => lettersOf(element.textContent ?? ""));
  return {
    letters: lettersOf(document.body.textContent ?? ""),
    headings: texts("h1,h2,h3,h4,h5,h6"),
    items: texts("li"),
    quotes: texts("blockquote"),
    code: texts("pre"),
    links: addresses("a", "href"),
    pictures: addresses("img", "src"),
  };
}

/** What the two renderers make of the Markdown of a body, and what either must make of it. */
function readBack(html: string) {
  const [first, second] = renderings(toMarkdown(html));
  const back = { document: second?.document, ...readingOf(second?.html ?? "") };
  return { back, meant: { document: first?.document, ...readingOf(html) } };
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, "");
}

describe("Bodies of pages as publishers make them", () => {
  const bodies: { readonly url: string; readonly body: CleanBody }[] = [];

  beforeAll(async () => {
    await using site = await startDemoPublishers({ nowMs: Date.UTC(2026, 4, 20, 3) });
    for (const { feedUrl } of site.publishers) {
      const { entries } = readFeed(await bytesAt(feedUrl), undefined, feedUrl);
      for (const { link } of entries.slice(0, PAGES_PER_PUBLISHER)) {
        const { contentHtml = "" } = await readPage(await bytesAt(link), "text/html", link);
        bodies.push({ url: link, body: await cleaned(contentHtml, link) });
      }
    }
  });

  it("hold nothing but what spec 2.3 allows", () => {
    expect(bodies.length).toBeGreaterThan(50);
    for (const { url, body } of bodies)
      expect({ url, found: findDisallowed(body.html) }).toEqual({ url, found: [] });
    const all = bodies.map(({ body }) => body.html).join("");
    for (const tag of ["h2", "li", "blockquote", "td", "figcaption", "img", "a", "strong", "code"])
      expect(all).toContain(`<${tag}`);
  });

  it("read the same as Markdown, in two renderers", () => {
    for (const { url, body } of bodies) {
      const { back, meant } = readBack(body.html);
      expect({ url, ...back }).toEqual({ url, ...meant });
    }
  });
});

if (!corporaPresent)
  process.stderr.write("article bodies: the shared corpora are absent, not looked at\n");

describe.skipIf(!corporaPresent)("Bodies of Japanese articles (shared corpora)", () => {
  it("hold nothing but what spec 2.3 allows, and read the same as Markdown", async () => {
    const taken = livedoorArticles().filter((_, index) => index % CLEANED_EVERY === 0);
    expect(taken.length).toBeGreaterThan(1_000);
    for (const [index, { title, text }] of taken.entries()) {
      const { html } = await cleaned(paragraphsOf(text), "https://publisher.example/");
      expect({ title, found: findDisallowed(html) }).toEqual({ title, found: [] });
      if (index % RENDERED_EVERY > 0) continue;
      const { back, meant } = readBack(html);
      expect({ title, ...back }).toEqual({ title, ...meant });
    }
  }, 600_000);
});

async function bytesAt(url: string): Promise<Uint8Array> {
  return new Uint8Array(await (await fetch(url)).arrayBuffer());
}

import { asId } from "@feed/domain/ids";
import type { SourceId } from "@feed/domain/ids";
import type { Source } from "@feed/domain/source";
import { buildSource } from "@feed/test-kit";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serveSite } from "@feed/test-kit/http-site";
import { openPictureStorage } from "../ingest/open-picture-storage.ts";
import { openInstallation } from "../installation.fixture.ts";
import type { Installation } from "../installation.fixture.ts";
import { parseArticleLine } from "./article-line.ts";
import { importArticles } from "./import-articles.ts";
import type { ImportOptions, ImportProgress } from "./import-articles.ts";
import { paragraphsOf } from "./paragraphs.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 9);
const LINE = {
  source_id: "source-1",
  url: "https://publisher.example/1",
  title: "A harbour rebuilt",
  body_text: "The harbour was rebuilt in nine months.\n\nThe first ferry left on Monday.",
  published_at: "2026-11-20T09:00:00+09:00",
};

let installation: Installation;
let sources: Map<SourceId, Source>;
let problems: string[];
let progress: ImportProgress[];

beforeEach(async () => {
  installation = await openInstallation(NOW_MS);
  sources = new Map([[asId<SourceId>("source-1"), buildSource()]]);
  problems = [];
  progress = [];
});
afterEach(() => installation[Symbol.asyncDispose]());

const run = (lines: readonly unknown[], parts: Partial<ImportOptions> = {}) =>
  importArticles(
    lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))),
    {
      ...installation.deps,
      directory: {
        source: (sourceId) => sources.get(sourceId),
        change: (facts) => {
          for (const fact of facts)
            if (fact.type === "source.saved") sources.set(fact.source.sourceId, fact.source);
          return Promise.resolve();
        },
      },
      createSources: false,
      actor: "feedctl",
      storePictures: undefined,
      onProgress: (each) => progress.push(each),
      onProblem: ({ line, pointer, problem }) => problems.push(`${line}${pointer}: ${problem}`),
      signal: new AbortController().signal,
      ...parts,
    },
  );

describe("an import", () => {
  it("publishes articles as a crawl does: cleaned, analysed, embedded", async () => {
    const html = { ...LINE, url: "https://publisher.example/2", body_text: undefined };
    const second = {
      ...html,
      body_html: '<p onclick="x()">Text <script>x()</script></p>',
      author: "A",
    };
    expect(await run([LINE, second])).toEqual({ lines: 2, published: 2, unchanged: 0, refused: 0 });
    const articles = await installation.articles();
    const first = articles.find(({ url }) => url === LINE.url);
    const other = articles.find(({ url }) => url === html.url);
    expect(first).toMatchObject({
      title: "A harbour rebuilt",
      bodyHtml:
        "<p>The harbour was rebuilt in nine months.</p><p>The first ferry left on Monday.</p>",
      language: "en",
      publishedAtMs: Date.UTC(2026, 10, 20),
      embedding: { model: "hashed-ngrams-1-256" },
    });
    expect(other).toMatchObject({ bodyHtml: "<p>Text</p>", author: "A" });
  });

  it("publishes nothing twice, and a changed article as a revision", async () => {
    await run([LINE]);
    expect(await run([LINE])).toMatchObject({ published: 0, unchanged: 1 });
    expect(await run([{ ...LINE, title: "Corrected" }])).toMatchObject({ published: 1 });
    const [article, ...others] = await installation.articles();
    expect(article).toMatchObject({ title: "Corrected", revision: 2 });
    expect(others).toEqual([]);
  });

  it("takes the second of two versions in one file for the newer", async () => {
    expect(await run([LINE, { ...LINE, title: "Corrected" }])).toMatchObject({ published: 2 });
    expect(await installation.articles()).toMatchObject([{ title: "Corrected", revision: 2 }]);
  });

  it("believes a language and a category of the service; another category is a label", async () => {
    const given = { ...LINE, language: "fr-CA", category: "Travel" };
    const label = { ...LINE, url: "https://publisher.example/2", category: "Soccer" };
    await run([given, label]);
    const articles = await installation.articles();
    expect(articles.find(({ url }) => url === given.url)).toMatchObject({
      language: "fr",
      category: "travel",
    });
    expect(articles.find(({ url }) => url === label.url)?.category).toBe("sports");
  });

  it("appends 64 at a time and says how far it is", async () => {
    const lines = Array.from({ length: 130 }, (_, at) => ({
      ...LINE,
      url: `https://publisher.example/${at}`,
    }));
    await run(lines);
    expect(progress.map(({ published }) => published)).toEqual([64, 128, 130]);
  });

  it("goes on after bad lines, each named by its number", async () => {
    const { published } = await run([
      "",
      "{not json",
      { ...LINE, titel: "typo" },
      { ...LINE, source_id: "unknown" },
      LINE,
      { ...LINE, url: "/relative", published_at: "2026-02-30T09:00:00Z" },
    ]);
    expect(published).toBe(1);
    expect(problems).toEqual([
      "2: is not JSON",
      "3/titel: is no known field",
      "4/source_id: is no source of the directory",
      expect.stringMatching(/^6\/url: /),
      expect.stringMatching(/^6\/published_at: /),
    ]);
  });

  it("creates unknown sources when told to, paused because they have no feed", async () => {
    const line = { ...LINE, source_id: "new", source_name: "New Times", language: "en" };
    expect(await run([line], { createSources: true })).toMatchObject({ published: 1 });
    expect(sources.get(asId<SourceId>("new"))).toMatchObject({
      name: "New Times",
      url: "https://publisher.example/",
      paused: true,
      titleRewriteAllowed: false,
    });
  });

  it("stores pictures when given a storage, and shows none of those that only count readers", async () => {
    await using site = await serveSite();
    const create = { width: 300, height: 200, channels: 3, background: "#336699" } as const;
    site.on("/1.png", { body: await sharp({ create }).png().toBuffer() });
    await using pictures = openPictureStorage({
      ...installation.deps,
      userAgent: "ContentFeedBot/1.0",
      ownOrigins: new Map([[site.origin, { requestsAtOnce: 4, delayMs: 0 }]]),
    });
    const counter = { ...create, width: 1, height: 1 };
    site.on("/counter", { body: await sharp({ create: counter }).png().toBuffer() });
    const { body_text: _, ...line } = { ...LINE, picture_url: `${site.origin}/1.png` };
    const body_html = `<p>Text<img src="${site.origin}/1.png"><img src="${site.origin}/counter"></p>`;
    await run([{ ...line, body_html }], { storePictures: pictures.storePictures });
    const [article] = await installation.articles();
    expect(article).toMatchObject({ thumbnail: { width: 300, height: 200 } });
    expect(article?.bodyHtml.match(/width="\d+"/g)).toEqual(['width="300"']);
  });
});

describe("a line is refused", () => {
  it.each([
    ["without a title", { ...LINE, title: undefined }],
    ["with an empty title", { ...LINE, title: " " }],
    ["without a body", { ...LINE, body_text: undefined }],
    ["with two bodies", { ...LINE, body_html: "<p>x</p>" }],
    ["with an address that is none", { ...LINE, url: "javascript:alert(1)" }],
    ["with a time without a zone", { ...LINE, published_at: "2026-11-20T09:00:00" }],
    ["with a language that is no tag", { ...LINE, language: "Japanese!" }],
    ["with a source id that is no id", { ...LINE, source_id: "a b" }],
    ["that is a list", [LINE]],
  ])("%s", (_what, line) => {
    expect(parseArticleLine(JSON.stringify(line))).toHaveProperty("problems.0");
  });
});

describe("plain text becomes paragraphs", () => {
  it.each([
    ["One\nstill one\n\nTwo", "<p>One<br>still one</p><p>Two</p>"],
    ["　一行目。\r\n二行目。", "<p>一行目。</p><p>二行目。</p>"],
    ["1 < 2 & <b>", "<p>1 &lt; 2 &amp; &lt;b&gt;</p>"],
    ["", ""],
  ])("%j", (text, html) => {
    expect(paragraphsOf(text)).toBe(html);
  });
});

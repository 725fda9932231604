import { describe, expect, it } from "vitest";
import { readPage } from "./read-page.ts";

const PAGE_URL = "https://publisher.example/news/1.html?utm_source=rss";
const SENTENCE =
  "The harbour was rebuilt in nine months, and the first ferry left on Monday morning. ";
const BODY = `<nav><a href="/">Home</a></nav><main><article><h1>Harbour</h1>${`<p>${SENTENCE.repeat(3)}</p>`.repeat(4)}
<p><img src="../pictures/1.jpg" alt="Ferry"><a href="2.html">More</a></p></article></main><footer>© P</footer>`;

const page = (head: string, body = BODY, html = "lang=en"): string =>
  `<!DOCTYPE html><html ${html}><head><title>Harbour | P</title>${head}</head><body>${body}</body></html>`;
const read = (document: string | Buffer, contentType = "text/html; charset=utf-8") =>
  readPage(Buffer.from(document), contentType, PAGE_URL);

describe("the article of a page", () => {
  it("is found without what surrounds it, its addresses made absolute", async () => {
    const { contentHtml = "" } = await read(page(""));
    expect(contentHtml).toContain("The harbour was rebuilt");
    expect(contentHtml).not.toContain("Home");
    expect(contentHtml).not.toContain("© P");
    expect(contentHtml).toContain('src="https://publisher.example/pictures/1.jpg"');
    expect(contentHtml).toContain('href="https://publisher.example/news/2.html"');
  });

  it("is found though it is as short as Japanese news are", async () => {
    const text = "港の再建工事が二十一日に終わり、最初のフェリーが朝の便で出発した。".repeat(5);
    const { contentHtml } = await read(
      page("", `<nav>ホーム</nav><article><p>${text}</p></article>`),
    );
    expect(contentHtml).toContain(text);
  });

  it("counts its addresses from the page's own base", async () => {
    const { contentHtml } = await read(page('<base href="/other/">'));
    expect(contentHtml).toContain('href="https://publisher.example/other/2.html"');
  });

  it("is read in the page's charset", async () => {
    const [before = "", after = ""] = page('<meta charset="Shift_JIS">').split("Harbour |");
    const title = Buffer.from("93fa967b8cea", "hex");
    const bytes = Buffer.concat([Buffer.from(before), title, Buffer.from(after, "latin1")]);
    expect((await read(bytes, "text/html")).title).toBe("日本語 P");
  });

  it("never runs a script", async () => {
    const script = "<script>document.title = 'changed'; globalThis.harbour = 1;</script>";
    expect((await read(page(script))).title).toBe("Harbour | P");
    expect(globalThis).not.toHaveProperty("harbour");
  });
});

describe("what a page says about its article", () => {
  it("is read from JSON-LD first, also within a graph", async () => {
    const graph = {
      "@graph": [
        { "@type": "WebSite", name: "P" },
        {
          "@type": ["NewsArticle"],
          headline: "Harbour rebuilt",
          datePublished: "2026-11-21T18:00:00+09:00",
          author: [{ "@type": "Person", name: "A. Writer" }, { name: "B. Writer" }],
          image: { url: "/ld.jpg" },
          articleSection: "Town",
        },
      ],
    };
    const broken = '<script type="application/ld+json">{broken</script>';
    const block = `<script type="application/ld+json">${JSON.stringify(graph)}</script>`;
    expect(await read(page(`${broken}${block}<meta name="author" content="Other">`))).toMatchObject(
      {
        title: "Harbour rebuilt",
        publishedAtMs: Date.UTC(2026, 10, 21, 9),
        author: "A. Writer, B. Writer",
        pictureUrl: "https://publisher.example/ld.jpg",
        sections: ["Town"],
        language: "en",
      },
    );
  });

  it("is read from meta elements", async () => {
    const head = `<link rel="canonical" href="/news/1.html"><meta property="og:image" content="/og.jpg">
<meta property="article:author" content="https://social.example/writer"><meta name="author" content="A. Writer">
<meta property="article:published_time" content="2026-11-21T09:00:00Z"><meta property="og:title" content="Harbour">`;
    expect(await read(page(head))).toMatchObject({
      canonicalUrl: "https://publisher.example/news/1.html",
      pictureUrl: "https://publisher.example/og.jpg",
      author: "A. Writer",
      publishedAtMs: Date.UTC(2026, 10, 21, 9),
      title: "Harbour",
    });
  });

  it("is read from a time element, and is absent where nothing says it", async () => {
    const dated = page("", `<time datetime="2026-11-21T09:00:00Z">today</time>${BODY}`);
    expect((await read(dated)).publishedAtMs).toBe(Date.UTC(2026, 10, 21, 9));
    const silent = await read(page("", BODY, ""));
    expect(Object.keys(silent).sort()).toEqual(["contentHtml", "sections", "title"]);
  });

  it("is not believed when every page calls itself the home page, or something that is no address", async () => {
    expect((await read(page('<link rel="canonical" href="/">'))).canonicalUrl).toBeUndefined();
    const script = '<link rel="canonical" href="javascript:alert(1)">';
    expect((await read(page(script))).canonicalUrl).toBeUndefined();
  });
});

describe("a page is set aside", () => {
  it.each([
    ["when it is no HTML", "%PDF-1.7", "application/pdf"],
    ["when it has more than 20,000 elements", page("", "<i>a</i>".repeat(20_001)), "text/html"],
    ["when it is nested 15,000 deep", page("", "<b>".repeat(15_000)), "text/html"],
    [
      "when each block would open hundreds of elements again",
      page(
        "",
        Array.from({ length: 400 }, (_, at) => `<b a=${at}>`).join("") + "<p>".repeat(9_000),
      ),
      "text/html",
    ],
  ])("%s", async (_what, document, contentType) => {
    await expect(read(document, contentType)).rejects.toMatchObject({ name: "PageUnreadable" });
  });
});

import { composeArticle } from "./compose.ts";

/** Of the whole page as UTF-8. */
const PAGE_BYTES = 50_000;
/** Share of a page that is its article; the rest is what publishers put around it. */
const ARTICLE_SHARE = 0.6;
const LINKS = 80;

export interface ComposedPage {
  readonly url: string;
  readonly title: string;
  readonly bytes: Uint8Array;
}

/** A publisher's page of 50 kB around an article of every kind of block; the same for the same index. */
export function composePage(index: number): ComposedPage {
  const { url, title, author = "", category, language, summary } = composeArticle(index, 0);
  const head = `<!DOCTYPE html><html lang="${language}"><head><meta charset="utf-8"><title>${title}</title>
<link rel="canonical" href="${url}"><meta name="author" content="${author}">
<meta property="article:section" content="${category}"><meta property="og:title" content="${title}">
<meta name="description" content="${summary}"></head><body>`;
  const links = Array.from({ length: LINKS }, (_, at) => linkTo(index + at + 1)).join("");
  const article = `<main><article><h1>${title}</h1>${contentOf(index)}</article></main>`;
  const around = `${head}<nav><ul>${links}</ul></nav>${article}<footer><p>${author}</p></footer>`;
  // Scripts are what most of a real page is beside its text.
  const room = PAGE_BYTES - Buffer.byteLength(around);
  const script = `<script>${"var a=[1,2,3].map(function(x){return x<2});".repeat(Math.max(0, room) / 43)}</script>`;
  return { url, title, bytes: Buffer.from(`${around}${script}</body></html>`) };
}

function linkTo(index: number): string {
  const { url, title } = composeArticle(index, 0);
  return `<li><a href="${url}">${title}</a></li>`;
}

/** Paragraphs of the article and of those after it, with what stands between paragraphs. */
function contentOf(index: number): string {
  let html = "";
  for (let at = index; Buffer.byteLength(html) < PAGE_BYTES * ARTICLE_SHARE; at += 1) {
    const { bodyHtml, title, url, author = "" } = composeArticle(at, 0);
    html += `<h2>${title}</h2>${bodyHtml}<blockquote><p>${author}：<strong>「${title}」</strong>。</p></blockquote>
<ul><li>${title}</li><li><a href="${url}">${author}</a></li></ul>
<table><tr><th>${author}</th><td>${at}</td></tr></table>`;
  }
  return html;
}

import type { Group } from "./contents.ts";
import { escapeHtml, type Heading } from "./markdown.ts";

export const STYLE_ADDRESS = "/docs/style.css";

interface Page {
  readonly title: string;
  readonly address: string;
  /** Of the page's own, safe as it is. */
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly contents: readonly Group[];
}

/** A page with the contents beside it, or below it where the screen is narrow. */
export function layout({ title, address, html, headings, contents }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Content Feed</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE_ADDRESS}">
</head>
<body>
<header><a class="skip" href="#main">Skip to the text</a><a class="home" href="/docs">Content Feed</a><a class="to-contents" href="#contents">Contents</a></header>
<main id="main">
${html}</main>
${headings.length < 2 ? "" : onThisPage(headings)}
<nav id="contents" aria-label="Contents">
${contents.map((group) => groupHtml(group, address)).join("\n")}
</nav>
</body>
</html>
`;
}

function onThisPage(headings: readonly Heading[]): string {
  const items = headings.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return `<nav class="here" aria-label="On this page">
<h2>On this page</h2>
<ul>${items.join("")}</ul>
</nav>`;
}

function groupHtml({ title, entries }: Group, current: string): string {
  const items = entries.map(({ title: entry, address }) => {
    const mark = address === current ? ' aria-current="page"' : "";
    return `<li><a href="${address}"${mark}>${escapeHtml(entry)}</a></li>`;
  });
  const isOpen = entries.some(({ address }) => address === current);
  return `<details${isOpen ? " open" : ""}><summary>${title}</summary><ul>${items.join("")}</ul></details>`;
}

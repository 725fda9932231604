import { posix } from "node:path";
import MarkdownIt from "markdown-it";
import type { SiteFiles, SourcePage } from "./site-files.ts";

/** The reference, which is a page of its own, is linked to as the document it is made of. */
const OPENAPI_FILE = "schemas/http/openapi.yaml";
export const REFERENCE_ADDRESS = "/docs/api";

export interface Heading {
  readonly id: string;
  readonly text: string;
}

export interface Rendered {
  readonly html: string;
  /** Headings of the second level. */
  readonly headings: readonly Heading[];
}

// HTML within Markdown is shown as text: a page is text of the repository, and stays it.
const markdownIt = new MarkdownIt({ html: false, linkify: false });
type Token = ReturnType<typeof markdownIt.parse>[number];
markdownIt.renderer.rules["table_open"] = () => '<div class="table" tabindex="0"><table>\n';
markdownIt.renderer.rules["table_close"] = () => "</table></div>\n";
markdownIt.renderer.rules["fence"] = (tokens, index) => {
  const { info = "", content = "" } = tokens[index] ?? {};
  const language = /^\w+/.exec(info)?.[0] ?? "text";
  const code = markdownIt.utils.escapeHtml(content);
  return `<pre tabindex="0"><code class="language-${language}">${code}</code></pre>\n`;
};

/** Renders a page. Links between pages become addresses; those to files that are not served become text. */
export function renderPage({ file, markdown }: SourcePage, files: SiteFiles): Rendered {
  const tokens = markdownIt.parse(markdown, {});
  const headings: Heading[] = [];
  for (const [index, token] of tokens.entries()) {
    const inline = tokens[index + 1];
    if (token.type === "heading_open" && inline !== undefined) {
      const heading = { id: anchorOf(inline.content), text: textOf(inline) };
      token.attrSet("id", heading.id);
      if (token.tag === "h2") headings.push(heading);
    }
    alignByClass(token);
    if (token.children !== null) relink(token.children, file, files);
  }
  return { html: markdownIt.renderer.render(tokens, markdownIt.options, {}), headings };
}

/** As elsewhere where these pages are read: lower case, without punctuation, spaces as hyphens. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

function attributeOf(token: Token, name: string): string {
  return String(token.attrGet(name) ?? "");
}

function textOf({ children }: Token): string {
  return (children ?? []).map(({ content }) => content).join("");
}

/** The policy of the pages forbids styles in attributes. */
function alignByClass(token: Token): void {
  const alignment = /^text-align:\s*(\w+)$/.exec(attributeOf(token, "style"))?.[1];
  if (alignment === undefined) return;
  token.attrs = (token.attrs ?? []).filter(([name]) => name !== "style");
  token.attrSet("class", alignment);
}

function relink(tokens: readonly Token[], file: string, files: SiteFiles): void {
  let isText = false;
  for (const token of tokens) {
    if (token.type === "link_open") {
      const target = targetOf(attributeOf(token, "href"), file, files);
      isText = target === undefined;
      if (target !== undefined) token.attrSet("href", target);
      else [token.tag, token.attrs] = ["span", null];
    }
    if (token.type === "link_close" && isText) token.tag = "span";
    if (token.type === "image") {
      const target = targetOf(attributeOf(token, "src"), file, files);
      if (target !== undefined) token.attrSet("src", target);
    }
  }
}

/** Undefined: a file that is not served. */
function targetOf(link: string, file: string, { pages, assets }: SiteFiles): string | undefined {
  if (/^[a-z]+:/.test(link) || link.startsWith("#")) return link;
  const [path = "", fragment] = link.split("#");
  const linked = posix.join(posix.dirname(file), path).replace(/\/$/, "");
  if (linked === OPENAPI_FILE) return REFERENCE_ADDRESS;
  const page = pages.get(linked) ?? pages.get(posix.join(linked, "README.md"));
  const address = page?.address ?? assets.get(linked);
  if (address === undefined) return undefined;
  return fragment === undefined ? address : `${address}#${fragment}`;
}

export const escapeHtml = (text: string): string => markdownIt.utils.escapeHtml(text);

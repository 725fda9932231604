import MarkdownIt from "markdown-it";
import { Marked } from "marked";
import { parseFragment } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";

/** Two renderers of independent code bases, as a client would have one or the other: GitHub's tables and `~~`. */
const RENDERERS: Readonly<Record<string, (markdown: string) => string>> = {
  "markdown-it": (markdown) => markdownIt.render(markdown),
  marked: (markdown) => marked.parse(markdown, { async: false }),
};
// Raw HTML is passed on: where Markdown lets some through, the documents must show it.
const markdownIt = new MarkdownIt({ html: true });
const marked = new Marked({ gfm: true });

export interface Rendering {
  readonly renderer: string;
  readonly html: string;
  /** See `outline`. */
  readonly document: string;
}

/** What each renderer makes of `markdown`. */
export function renderings(markdown: string): readonly Rendering[] {
  return Object.entries(RENDERERS).map(([renderer, render]) => {
    const html = render(markdown);
    return { renderer, html, document: outline(html) };
  });
}

/** The document an HTML text stands for, a line for each node, without what no reader can tell apart. */
export function outline(html: string): string {
  return outlineOf(parseFragment(html).childNodes, 0).join("\n");
}

/** White space between blocks is layout. */
const BLOCKS = new Set(
  "p ul ol li blockquote pre table thead tbody tr th td hr h1 h2 h3 h4 h5 h6".split(" "),
);
/** Two names of one mark. */
const SYNONYMS: Readonly<Record<string, string>> = { s: "del" };

type ChildNode = DefaultTreeAdapterTypes.ChildNode;

function outlineOf(nodes: readonly ChildNode[], depth: number, isCode = false): string[] {
  const indent = "  ".repeat(depth);
  return nodes.flatMap((node, index) => {
    if (node.nodeName === "#text" && "value" in node) {
      if (isCode) return [`${indent}${JSON.stringify(node.value)}`];
      const atStart = index === 0 ? isBlock(node.parentNode) : isBlock(nodes[index - 1]);
      const atEnd =
        index === nodes.length - 1 ? isBlock(node.parentNode) : isBlock(nodes[index + 1]);
      const text = node.value.replaceAll(/[ \n]+/g, " ");
      const shown = text.replace(atStart ? /^ / : "", "").replace(atEnd ? / $/ : "", "");
      return shown === "" ? [] : [`${indent}${JSON.stringify(shown)}`];
    }
    if (!("tagName" in node)) return [`${indent}${node.nodeName}`];
    const attributes = node.attrs.map(({ name, value }) => ` ${name}=${JSON.stringify(value)}`);
    const tag = SYNONYMS[node.tagName] ?? node.tagName;
    const children = outlineOf(node.childNodes, depth + 1, isCode || tag === "code");
    return [`${indent}<${tag}${attributes.join("")}>`, ...children];
  });
}

function isBlock(node: DefaultTreeAdapterTypes.Node | null | undefined): boolean {
  return node?.nodeName === "#document-fragment" || BLOCKS.has(node?.nodeName ?? "");
}

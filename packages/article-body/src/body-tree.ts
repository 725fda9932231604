/** A body as the package builds and writes it: plain values, allowed tags only. */
export interface BodyElement {
  readonly tag: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly children: readonly BodyNode[];
}
export type BodyNode = BodyElement | string;

const VOID_TAGS = new Set(["br", "hr", "img"]);
const LINE_TAGS = new Set([
  "p",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "li",
  "tr",
  "pre",
  "dt",
  "dd",
  "br",
  "hr",
]);
const CELL_TAGS = new Set(["td", "th"]);

export function element(tag: string, children: readonly BodyNode[]): BodyElement {
  return { tag, attributes: [], children };
}

export function isTag(node: BodyNode, ...tags: readonly string[]): node is BodyElement {
  return typeof node !== "string" && tags.includes(node.tag);
}

/** Writes nodes as HTML text that parses back to the same nodes. */
export function writeHtml(nodes: readonly BodyNode[]): string {
  return nodes.map(writeNode).join("");
}

function writeNode(node: BodyNode): string {
  if (typeof node === "string") return escapeText(node);
  const attributes = node.attributes.map(([name, value]) => ` ${name}="${escapeText(value)}"`);
  const open = `<${node.tag}${attributes.join("")}>`;
  return VOID_TAGS.has(node.tag) ? open : `${open}${writeHtml(node.children)}</${node.tag}>`;
}

function escapeText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("\u00a0", "&nbsp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** They repeat the picture, not the story. */
const CAPTIONS = new Set(["figcaption"]);
/** What reads as nonsense when the lines of an article are read on without its layout. */
const NOT_PROSE = new Set(["figcaption", "h1", "h2", "h3", "h4", "h5", "h6", "table", "pre"]);

/** What a reader reads: a line for each block, no captions. */
export function readText(nodes: readonly BodyNode[]): string {
  return linesOf(nodes, CAPTIONS);
}

/** The sentences of an article, without headings, tables and code; all of its text where there are none. */
export function readProse(nodes: readonly BodyNode[]): string {
  return linesOf(nodes, NOT_PROSE) || readText(nodes);
}

function linesOf(nodes: readonly BodyNode[], leftOut: ReadonlySet<string>): string {
  const parts: string[] = [];
  collectText(nodes, leftOut, parts);
  return parts
    .join("")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");
}

function collectText(
  nodes: readonly BodyNode[],
  leftOut: ReadonlySet<string>,
  parts: string[],
): void {
  for (const node of nodes) {
    if (typeof node === "string") {
      parts.push(node);
    } else if (!leftOut.has(node.tag)) {
      if (LINE_TAGS.has(node.tag)) parts.push("\n");
      collectText(node.children, leftOut, parts);
      if (LINE_TAGS.has(node.tag)) parts.push("\n");
      if (CELL_TAGS.has(node.tag)) parts.push(" ");
    }
  }
}

/** The text of nodes as it stands, line breaks as newlines. */
export function plainText(nodes: readonly BodyNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === "string") return node;
      return node.tag === "br" ? "\n" : plainText(node.children);
    })
    .join("");
}

import type { PictureRef } from "@feed/domain/article";
import { attributesOf, isAllowedValue } from "./allowlist.ts";
import { element, isTag, plainText } from "./body-tree.ts";
import type { BodyElement, BodyNode } from "./body-tree.ts";
import {
  BOUNDARY,
  compactFlow,
  flatten,
  inlineOnly,
  inLists,
  isBlock,
  paragraphs,
  split,
} from "./flow.ts";
import type { FlowNode } from "./flow.ts";
import { attributeOf, isElement, parseHtml } from "./parse-html.ts";
import type { HtmlElement, HtmlNode } from "./parse-html.ts";
import { absoluteHttpUrl, pictureSource } from "./picture-source.ts";
import { tidyTable } from "./tidy-table.ts";
import { collapseSpace, isBlankRun } from "./whitespace.ts";

/** A thing a body lost on its way; `detail` is the address it was about. */
export interface BodyProblem {
  readonly kind: "picture-not-stored" | "link-refused";
  readonly detail: string;
}

export interface TidyOptions {
  readonly baseUrl: string;
  readonly pictureFor: (url: string) => PictureRef | undefined;
  readonly onProblem: (problem: BodyProblem) => void;
}

const DROPPED = tagSet(`
  script style iframe noscript template svg math object embed canvas audio video button select textarea
  input datalist head title link meta base noembed noframes frame frameset applet dialog map area track
  source param plaintext xmp colgroup col rp wbr`);
const WRAPPERS = tagSet(`
  div section article main header footer aside nav address center details summary fieldset legend form
  hgroup html body caption dir menu search optgroup option table thead tbody tfoot tr td th`);
const RENAMED = new Map([
  ["strike", "s"],
  ["tt", "code"],
  ["kbd", "code"],
  ["samp", "code"],
]);
const INVISIBLE = /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

/**
 * The body as a tidy tree: wrappers become paragraphs, addresses absolute, what no reader sees is
 * gone. It shapes the document; that nothing forbidden passes is the sanitiser's work, after it.
 *
 * @throws ArticleBodyError where the document passes a limit
 */
export function tidyBody(html: string, options: TidyOptions): readonly BodyNode[] {
  return paragraphs(tidyAll(parseHtml(html), options));
}

function tidyAll(nodes: readonly HtmlNode[], options: TidyOptions): readonly FlowNode[] {
  return nodes.flatMap((node) => {
    if (isElement(node)) return tidyElement(node, options);
    return node.nodeName === "#text" && "value" in node ? [collapseSpace(node.value)] : [];
  });
}

function tidyElement(source: HtmlElement, options: TidyOptions): readonly FlowNode[] {
  if (DROPPED.has(source.tagName) || isHidden(source)) return [];
  const tag = RENAMED.get(source.tagName) ?? source.tagName;
  if (tag === "img") return tidyPicture(source, options);
  if (tag === "pre") return tidyPreformatted(source);
  if (tag === "table") return tidyTable(source, (cell) => tidyAll(cell.childNodes, options));
  const children = tidyAll(source.childNodes, options);
  if (tag === "rt") return ["（", ...children, "）"];
  if (WRAPPERS.has(tag)) return [BOUNDARY, ...children, BOUNDARY];
  if (attributesOf(tag) === undefined) return children;
  return tidyAllowed(tag, source, children, options);
}

function tidyAllowed(
  tag: string,
  source: HtmlElement,
  children: readonly FlowNode[],
  options: TidyOptions,
): readonly FlowNode[] {
  switch (tag) {
    case "br":
    case "hr":
      return [element(tag, [])];
    case "ul":
    case "ol":
      return tidyList(tag, source, children);
    case "dl":
      return wrapped("dl", looseInto("dd", children, ["dt", "dd"]));
    case "p":
      return [BOUNDARY, ...paragraphs(children), BOUNDARY];
    case "blockquote":
      return wrapped(tag, paragraphs(children));
    case "li":
    case "dd":
      return wrapped(tag, compactFlow(children));
    case "figure":
      return tidyFigure(children);
    case "code":
      return wrapped(tag, [collapseSpace(plainText(flatten(children)))]);
    case "a":
      return tidyLink(source, children, options);
    case "dt":
    case "figcaption":
      return wrapped(tag, inlineOnly(children));
    default:
      return /^h[1-6]$/.test(tag) ? wrapped(tag, inlineOnly(children)) : tidyInline(tag, children);
  }
}

/** Formatting around whole blocks is dropped: which words it stresses is then "all of them". */
function tidyInline(tag: string, children: readonly FlowNode[]): readonly FlowNode[] {
  const spansBlocks = children.some((child) => child === BOUNDARY || isBlock(child));
  return spansBlocks ? children : wrapped(tag, flatten(children));
}

function tidyLink(
  source: HtmlElement,
  children: readonly FlowNode[],
  options: TidyOptions,
): readonly FlowNode[] {
  const address = attributeOf(source, "href");
  // An address within the page leads nowhere once the body stands alone.
  if (address === undefined || address.trim().startsWith("#")) return children;
  const href = absoluteHttpUrl(address, options.baseUrl);
  if (href === undefined) options.onProblem({ kind: "link-refused", detail: address });
  const spansBlocks = children.some((child) => child === BOUNDARY || isBlock(child));
  const content = flatten(children);
  if (href === undefined || spansBlocks || isBlankRun(content)) return children;
  return [withAttributes("a", [["href", href], ...textAttribute(source, "title")], content)];
}

function tidyPicture(source: HtmlElement, options: TidyOptions): readonly FlowNode[] {
  const url = pictureSource(source, options.baseUrl);
  if (url === undefined) return [];
  const picture = options.pictureFor(url);
  if (picture === undefined) {
    options.onProblem({ kind: "picture-not-stored", detail: url });
    return [];
  }
  const size = [
    ["width", String(picture.width)],
    ["height", String(picture.height)],
  ] as const;
  const texts = [...textAttribute(source, "alt"), ...textAttribute(source, "title")];
  return [withAttributes("img", [["src", url], ...texts, ...size], [])];
}

function tidyPreformatted(source: HtmlElement): readonly FlowNode[] {
  const text = sourceText(source.childNodes)
    .replaceAll("\r", "")
    .replace(/^(?:[^\S\n]*\n)+/, "")
    .trimEnd();
  if (text === "") return [];
  const isCode = source.childNodes.some((child) => isElement(child) && child.tagName === "code");
  return [element("pre", isCode ? [element("code", [text])] : [text])];
}

function sourceText(nodes: readonly HtmlNode[]): string {
  return nodes
    .map((node) => {
      if (!isElement(node)) return node.nodeName === "#text" && "value" in node ? node.value : "";
      if (node.tagName === "br") return "\n";
      return DROPPED.has(node.tagName) ? "" : sourceText(node.childNodes);
    })
    .join("");
}

function tidyList(
  tag: string,
  source: HtmlElement,
  children: readonly FlowNode[],
): readonly FlowNode[] {
  const items = looseInto("li", children, ["li"]);
  if (items.length === 0) return [];
  const start = attributeOf(source, "start")?.trim();
  const numbered = tag === "ol" && start !== undefined && isAllowedValue("start", start);
  return [withAttributes(tag, numbered ? [["start", start]] : [], items)];
}

/** Children of a list, with what stands between the items made an item of its own. */
function looseInto(
  itemTag: string,
  children: readonly FlowNode[],
  itemTags: readonly string[],
): readonly BodyNode[] {
  return split(children).map((part) => {
    if (part.kind === "run") return element(itemTag, part.nodes);
    return isTag(part.node, ...itemTags) ? part.node : element(itemTag, paragraphs([part.node]));
  });
}

/** A caption whose picture was not stored tells of something the reader can't see. */
function tidyFigure(children: readonly FlowNode[]): readonly FlowNode[] {
  const parts = split(children);
  if (parts.every((part) => part.kind === "block" && isTag(part.node, "figcaption"))) return [];
  const nodes = parts.flatMap((part) => (part.kind === "run" ? part.nodes : [part.node]));
  return wrapped("figure", inLists(nodes));
}

function wrapped(tag: string, children: readonly BodyNode[]): readonly BodyNode[] {
  if (children.length === 0) return [];
  // Only white space is left: it may still part two words.
  if (!isBlock(element(tag, [])) && isBlankRun(children)) return children;
  return [element(tag, children)];
}

function withAttributes(
  tag: string,
  attributes: BodyElement["attributes"],
  children: readonly BodyNode[],
): BodyElement {
  return { tag, attributes, children };
}

function textAttribute(source: HtmlElement, name: string): readonly (readonly [string, string])[] {
  const value = collapseSpace(attributeOf(source, name) ?? "").trim();
  return value === "" ? [] : [[name, value]];
}

function isHidden(source: HtmlElement): boolean {
  if (attributeOf(source, "hidden") !== undefined) return true;
  return INVISIBLE.test(attributeOf(source, "style") ?? "");
}

function tagSet(tags: string): ReadonlySet<string> {
  return new Set(tags.trim().split(/\s+/));
}

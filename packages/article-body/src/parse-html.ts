import { parseFragment } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";
import { ArticleBodyError } from "./body-error.ts";
import { countingAdapter } from "./parsing-cost.ts";
import type { ParsingLimits } from "./parsing-cost.ts";

/** Longer than any article; beyond it a page is a dump or an attack. */
export const BODY_CHARS_MAX = 2_000_000;
/** Recursive code, the sanitiser's included, overflows the stack at depths in the thousands. */
const LIMITS: ParsingLimits = { nodesMax: 50_000, depthMax: 256, attributesMax: 500 };

export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
export type HtmlElement = DefaultTreeAdapterTypes.Element;

/**
 * Parses a fragment as a browser would, within limits.
 *
 * @throws ArticleBodyError where the document passes one
 */
export function parseHtml(html: string): readonly HtmlNode[] {
  if (html.length > BODY_CHARS_MAX) {
    throw new ArticleBodyError("body-too-long", `body has more than ${BODY_CHARS_MAX} characters`);
  }
  return parseFragment(html, { treeAdapter: countingAdapter(LIMITS) }).childNodes;
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return "tagName" in node;
}

export function attributeOf(element: HtmlElement, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}

import { defaultTreeAdapter, parseFragment } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";
import { ArticleBodyError } from "./body-error.ts";

/** Longer than any article; beyond it a page is a dump or an attack. */
export const BODY_CHARS_MAX = 2_000_000;
/** Elements and comments; text lies between them, so it is bounded too. */
export const BODY_NODES_MAX = 50_000;
/**
 * Open elements at once: recursive code, the sanitiser's included, overflows the stack in the
 * thousands.
 */
export const BODY_DEPTH_MAX = 256;

export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
export type HtmlElement = DefaultTreeAdapterTypes.Element;

/**
 * Parses a fragment as a browser would, giving up as soon as a limit is passed: misnested
 * formatting makes a short text grow into millions of nodes, so counting afterwards would be too
 * late.
 *
 * @throws ArticleBodyError `body-too-long`, `body-too-many-nodes`, `body-too-deep`
 */
export function parseHtml(html: string): readonly HtmlNode[] {
  if (html.length > BODY_CHARS_MAX) {
    throw new ArticleBodyError("body-too-long", `body has more than ${BODY_CHARS_MAX} characters`);
  }
  return parseFragment(html, { treeAdapter: countingAdapter() }).childNodes;
}

function countingAdapter(): typeof defaultTreeAdapter {
  let nodes = 0;
  let depth = 0;
  const countNode = (): void => {
    nodes += 1;
    if (nodes <= BODY_NODES_MAX) return;
    throw new ArticleBodyError("body-too-many-nodes", `body has more than ${BODY_NODES_MAX} nodes`);
  };
  return {
    ...defaultTreeAdapter,
    createElement(tagName, namespaceUri, attributes) {
      countNode();
      return defaultTreeAdapter.createElement(tagName, namespaceUri, attributes);
    },
    createCommentNode(data) {
      countNode();
      return defaultTreeAdapter.createCommentNode(data);
    },
    onItemPush() {
      depth += 1;
      if (depth <= BODY_DEPTH_MAX) return;
      throw new ArticleBodyError("body-too-deep", `body is nested deeper than ${BODY_DEPTH_MAX}`);
    },
    onItemPop() {
      depth -= 1;
    },
  };
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return "tagName" in node;
}

export function attributeOf(element: HtmlElement, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}

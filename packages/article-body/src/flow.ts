import { element, isTag } from "./body-tree.ts";
import type { BodyNode } from "./body-tree.ts";
import { isBlankRun, tidyRun } from "./whitespace.ts";

/**
 * Where a wrapper element (div, section, ...) began or ended: text on both sides is never one
 * paragraph.
 */
export const BOUNDARY = Symbol("boundary");
export type FlowNode = BodyNode | typeof BOUNDARY;

const BLOCK_TAGS = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol blockquote pre figure table dl hr li dt dd figcaption".split(" "),
);

export function isBlock(node: FlowNode): boolean {
  return typeof node !== "string" && node !== BOUNDARY && BLOCK_TAGS.has(node.tag);
}

/** A stretch of inline nodes, or one block. */
type Part = { readonly kind: "run"; readonly nodes: readonly BodyNode[] } | BlockPart;
interface BlockPart {
  readonly kind: "block";
  readonly node: BodyNode;
}

/** Content of the body and of quotations: every run becomes a paragraph. */
export function paragraphs(nodes: readonly FlowNode[]): readonly BodyNode[] {
  return adoptStrays(
    split(nodes).map((part) => (part.kind === "run" ? element("p", part.nodes) : part.node)),
  );
}

/** Content of list items and cells: a single run, alone or before nested lists, stays bare. */
export function compactFlow(nodes: readonly FlowNode[]): readonly BodyNode[] {
  const parts = split(nodes);
  const [first, ...rest] = parts;
  const bare =
    first?.kind === "run" &&
    rest.every((part) => part.kind === "block" && isTag(part.node, "ul", "ol"));
  if (!bare) return paragraphs(nodes);
  return [
    ...first.nodes,
    ...adoptStrays(rest.map((part) => (part.kind === "run" ? "" : part.node))),
  ];
}

/** Content of headings, links and the like: blocks give up their element and keep their text. */
export function inlineOnly(nodes: readonly FlowNode[]): readonly BodyNode[] {
  return tidyRun(flatten(nodes));
}

/** The same without tidying the ends, for elements in the middle of a line. */
export function flatten(nodes: readonly FlowNode[]): readonly BodyNode[] {
  return nodes.flatMap((node): readonly BodyNode[] => {
    if (node === BOUNDARY) return [" "];
    if (typeof node === "string" || !isBlock(node)) return [node];
    return [" ", ...flatten(node.children), " "];
  });
}

/** Runs and blocks in order; blank runs are gone, two line breaks in a row end a run. */
export function split(nodes: readonly FlowNode[]): readonly Part[] {
  const parts: Part[] = [];
  let run: BodyNode[] = [];
  const endRun = (): void => {
    if (!isBlankRun(run)) parts.push({ kind: "run", nodes: tidyRun(run) });
    run = [];
  };
  for (const node of nodes) {
    if (node === BOUNDARY) {
      endRun();
    } else if (isBlock(node)) {
      endRun();
      parts.push({ kind: "block", node });
    } else if (isTag(node, "br") && endsWithBreak(run)) {
      endRun();
    } else {
      run.push(node);
    }
  }
  endRun();
  return parts;
}

function endsWithBreak(run: readonly BodyNode[]): boolean {
  const last = run.findLast((node) => typeof node !== "string" || node.trim() !== "");
  return last !== undefined && isTag(last, "br");
}

/** List items, terms and captions outside of what they belong to get a list, or become paragraphs. */
function adoptStrays(blocks: readonly BodyNode[]): readonly BodyNode[] {
  return inLists(blocks).map((node) =>
    isTag(node, "figcaption") ? element("p", node.children) : node,
  );
}

/** List items and terms outside of a list get one. */
export function inLists(nodes: readonly BodyNode[]): readonly BodyNode[] {
  const adopted: BodyNode[] = [];
  let open: { readonly tag: string; readonly children: BodyNode[] } | undefined;
  for (const node of nodes) {
    const tag = isTag(node, "li") ? "ul" : isTag(node, "dt", "dd") ? "dl" : undefined;
    if (tag === undefined) {
      open = undefined;
      adopted.push(node);
    } else if (open?.tag === tag) {
      open.children.push(node);
    } else {
      open = { tag, children: [node] };
      adopted.push(element(tag, open.children));
    }
  }
  return adopted;
}

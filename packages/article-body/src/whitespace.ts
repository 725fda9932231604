import type { BodyNode } from "./body-tree.ts";

const WIDE =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303f\\uff01-\\uff60";
/**
 * Japanese has no spaces between words: a line break in the source is layout only (CSS Text 4,
 * 4.1.3).
 */
const BREAK_BETWEEN_WIDE = new RegExp(
  `(?<=[${WIDE}])[ \\t\\f\\r]*\\n[ \\t\\n\\f\\r]*(?=[${WIDE}])`,
  "gu",
);

/** Invisible characters that break words for searching and showing alike. */
const ZERO_WIDTH = /[\u200b\u2060\ufeff]/g;

/** Source white space as a browser shows it: one space, or nothing within Japanese. */
export function collapseSpace(text: string): string {
  return text
    .replaceAll(ZERO_WIDTH, "")
    .replaceAll(BREAK_BETWEEN_WIDE, "")
    .replaceAll(/[ \t\n\f\r]+/g, " ");
}

/**
 * A run of inline nodes without white space and line breaks at its ends, and without white space
 * twice in a row or around line breaks; elements and texts left with nothing to show are gone.
 * Empty when the run shows nothing.
 */
export function tidyRun(run: readonly BodyNode[]): readonly BodyNode[] {
  const forward = tidyOneWay(run, { at: "edge", direction: "forward" });
  return tidyOneWay(forward, { at: "edge", direction: "backward" });
}

/** What was passed last: the edge of the run, a line break, white space, or something seen. */
interface Walk {
  at: "edge" | "break" | "space" | "content";
  readonly direction: "forward" | "backward";
}

function tidyOneWay(nodes: readonly BodyNode[], walk: Walk): readonly BodyNode[] {
  const forward = walk.direction === "forward";
  const tidied: BodyNode[] = [];
  for (const node of forward ? nodes : nodes.toReversed()) {
    if (typeof node === "string") {
      const text = walk.at === "content" ? node : forward ? node.trimStart() : node.trimEnd();
      if (text === "") continue;
      tidied.push(text);
      walk.at = forward && text.endsWith(" ") ? "space" : "content";
    } else if (node.tag === "br") {
      if (walk.at === "edge") continue;
      tidied.push(node);
      walk.at = "break";
    } else if (node.tag === "img") {
      tidied.push(node);
      walk.at = "content";
    } else {
      const children = tidyOneWay(node.children, walk);
      if (children.length > 0) tidied.push({ ...node, children });
    }
  }
  return forward ? tidied : tidied.reverse();
}

/** Whether inline nodes show anything but space and line breaks. */
export function isBlankRun(run: readonly BodyNode[]): boolean {
  return run.every((node) => {
    if (typeof node === "string") return node.trim() === "";
    return node.tag !== "img" && isBlankRun(node.children);
  });
}

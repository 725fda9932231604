import { element } from "./body-tree.ts";
import type { BodyElement, BodyNode } from "./body-tree.ts";
import { compactFlow, inlineOnly } from "./flow.ts";
import type { FlowNode } from "./flow.ts";
import { attributeOf, isElement } from "./parse-html.ts";
import type { HtmlElement } from "./parse-html.ts";

/** Spans beyond these draw no table a reader could use, and cost memory when they are expanded. */
const COLUMN_SPAN_MAX = 50;
const ROW_SPAN_MAX = 200;

type CellContent = (cell: HtmlElement) => readonly FlowNode[];

/**
 * A table without layout leftovers, its caption a paragraph before it. Empty without any cell
 * content.
 */
export function tidyTable(table: HtmlElement, contentOf: CellContent): readonly FlowNode[] {
  const captions: BodyNode[] = [];
  const sections: BodyNode[] = [];
  for (const child of table.childNodes.filter(isElement)) {
    if (child.tagName === "caption") {
      const caption = inlineOnly(contentOf(child));
      if (caption.length > 0) captions.push(element("p", caption));
    }
    if (["thead", "tbody", "tfoot"].includes(child.tagName)) {
      const rows = child.childNodes.filter(isElement).flatMap((row) => tidyRow(row, contentOf));
      if (rows.length > 0) sections.push(element(child.tagName, rows));
    }
  }
  return sections.some(hasContent) ? [...captions, element("table", sections)] : captions;
}

function tidyRow(row: HtmlElement, contentOf: CellContent): readonly BodyElement[] {
  const cells = row.childNodes
    .filter(isElement)
    .filter(({ tagName }) => tagName === "td" || tagName === "th")
    .map((cell) => ({
      tag: cell.tagName,
      attributes: [
        ...span(cell, "colspan", COLUMN_SPAN_MAX),
        ...span(cell, "rowspan", ROW_SPAN_MAX),
      ],
      children: compactFlow(contentOf(cell)),
    }));
  return cells.length === 0 ? [] : [element("tr", cells)];
}

function span(
  cell: HtmlElement,
  name: string,
  max: number,
): readonly (readonly [string, string])[] {
  const value = Number.parseInt(attributeOf(cell, name) ?? "1", 10);
  return value > 1 ? [[name, String(Math.min(value, max))]] : [];
}

function hasContent(node: BodyNode): boolean {
  if (typeof node === "string") return node.trim() !== "";
  return node.tag === "img" || node.children.some(hasContent);
}

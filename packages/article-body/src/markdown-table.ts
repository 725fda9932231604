import type { Element } from "hast";
import { defaultHandlers } from "hast-util-to-mdast";
import type { Handle } from "hast-util-to-mdast";

/**
 * Markdown tables have no spans and equally long rows; larger ones are layout, and filling them
 * takes gigabytes.
 */
const TABLE_CELLS_MAX = 10_000;

/** A table as a table where it can be one, else its cells one after the other. */
export const tableHandler: Handle = (state, node: Element) => {
  const rows = rowsOf(node);
  if (filledCells(rows) <= TABLE_CELLS_MAX) return defaultHandlers.table(state, node);
  return rows.flatMap((row) => elementsOf(row).flatMap((cell) => state.toFlow(state.all(cell))));
};

function rowsOf(table: Element): readonly Element[] {
  return elementsOf(table).flatMap((child) =>
    child.tagName === "tr" ? [child] : elementsOf(child),
  );
}

function elementsOf(node: Element): readonly Element[] {
  return node.children.filter((child) => child.type === "element");
}

/** Cells once every span is expanded and every row is as long as the longest. */
function filledCells(rows: readonly Element[]): number {
  const columns = Array.from({ length: rows.length }, () => 0);
  for (const [index, row] of rows.entries()) {
    for (const cell of elementsOf(row)) {
      const rowSpan = Math.min(spanOf(cell, "rowSpan"), rows.length - index);
      for (let covered = index; covered < index + rowSpan; covered += 1) {
        columns[covered] = (columns[covered] ?? 0) + spanOf(cell, "colSpan");
      }
    }
  }
  return rows.length * columns.reduce((a, b) => Math.max(a, b), 0);
}

function spanOf(cell: Element, name: "colSpan" | "rowSpan"): number {
  const value = Number(cell.properties[name] ?? 1);
  return value >= 1 ? value : 1;
}

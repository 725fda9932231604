import type {
  BlockContent,
  DefinitionContent,
  List,
  ListItem,
  Paragraph,
  PhrasingContent,
  Root,
} from "mdast";
import type { RootContent, Table, TableCell, TableRow } from "mdast";
import { showableEmphasis } from "./emphasis.ts";

type FlowContent = BlockContent | DefinitionContent;

/**
 * Brings a converted document down to the constructs of spec 2.3 that read back as they were
 * meant.
 */
export function showableDocument(root: Root): Root {
  return { type: "root", children: showableFlow(root.children as FlowContent[]) };
}

function showableFlow(nodes: readonly FlowContent[]): FlowContent[] {
  return joinLists(nodes.flatMap(showableBlock));
}

function showableBlock(node: FlowContent): readonly FlowContent[] {
  switch (node.type) {
    case "paragraph":
      return splitAtBreaks(node.children).map(paragraph).filter(hasChildren);
    case "heading": {
      const children = oneLine(node.children);
      return children.length === 0 ? [] : [{ type: "heading", depth: node.depth, children }];
    }
    case "blockquote":
      return [{ type: "blockquote" as const, children: showableFlow(node.children) }].filter(
        hasChildren,
      );
    case "list":
      return [showableList(node)];
    case "table":
      return [showableTable(node)];
    case "code":
      return [{ type: "code", value: node.value }];
    case "thematicBreak":
      return [node];
    default:
      return [];
  }
}

function hasChildren(node: { readonly children: readonly unknown[] }): boolean {
  return node.children.length > 0;
}

function paragraph(children: readonly PhrasingContent[]): Paragraph {
  return { type: "paragraph", children: trimEnds(showableEmphasis(children)) };
}

function showableList(list: List): List {
  const children = list.children.map((item): ListItem => {
    const flow = showableFlow(item.children);
    return { type: "listItem", spread: isSpread(flow), children: flow };
  });
  return {
    type: "list",
    ordered: list.ordered ?? false,
    start: list.ordered === true ? (list.start ?? 1) : null,
    spread: children.some((item) => item.spread === true),
    children,
  };
}

function isSpread(flow: readonly FlowContent[]): boolean {
  return flow.length > 1 && flow.slice(1).some((node) => node.type !== "list");
}

/**
 * Two lists in a row would read back as one, and the usual ways round it are not in spec 2.3: so
 * they are one.
 */
function joinLists(nodes: readonly FlowContent[]): FlowContent[] {
  const joined: FlowContent[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (node.type === "list" && last?.type === "list" && node.ordered === last.ordered) {
      last.children.push(...node.children);
      last.spread = last.spread === true || node.spread === true;
    } else {
      joined.push(node);
    }
  }
  return joined;
}

function showableTable(table: Table): Table {
  const children = table.children.map((row): TableRow => {
    const cells = row.children.map((cell): TableCell => {
      return { type: "tableCell", children: oneLine(flattenCell(cell.children)) };
    });
    return { type: "tableRow", children: cells };
  });
  return { type: "table", align: table.children[0]?.children.map(() => null) ?? [], children };
}

/** A cell is one line: blocks in it become their text. */
function flattenCell(nodes: readonly (RootContent | PhrasingContent)[]): PhrasingContent[] {
  return nodes.flatMap((node): PhrasingContent[] => {
    switch (node.type) {
      case "paragraph":
      case "heading":
        return [...node.children, space()];
      case "blockquote":
      case "list":
      case "listItem":
      case "table":
      case "tableRow":
        return flattenCell(node.children);
      case "tableCell":
        return [...node.children, space()];
      case "code":
        return [{ type: "inlineCode", value: node.value.replaceAll(/\s+/g, " ").trim() }, space()];
      case "thematicBreak":
        return [space()];
      default:
        return [node as PhrasingContent];
    }
  });
}

function space(): PhrasingContent {
  return { type: "text", value: " " };
}

/** Inline content with spaces for its line breaks, for headings and cells. */
function oneLine(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  const line = splitAtBreaks(nodes).flatMap((part, index) =>
    index === 0 ? part : [space(), ...part],
  );
  return trimEnds(showableEmphasis(line));
}

function trimEnds(nodes: PhrasingContent[]): PhrasingContent[] {
  const first = nodes[0];
  if (first?.type === "text") nodes[0] = { ...first, value: first.value.trimStart() };
  const last = nodes.at(-1);
  if (last?.type === "text") nodes[nodes.length - 1] = { ...last, value: last.value.trimEnd() };
  return nodes.filter((node) => node.type !== "text" || node.value !== "");
}

/**
 * Inline content cut at its line breaks; what spans a break (a link, emphasis) goes on in both
 * parts.
 */
function splitAtBreaks(nodes: readonly PhrasingContent[]): readonly PhrasingContent[][] {
  const parts: PhrasingContent[][] = [[]];
  for (const node of nodes) {
    if (node.type === "break") {
      parts.push([]);
    } else if ("children" in node) {
      for (const [index, children] of splitAtBreaks(node.children as PhrasingContent[]).entries()) {
        if (index > 0) parts.push([]);
        if (children.length > 0) parts.at(-1)?.push({ ...node, children } as PhrasingContent);
      }
    } else {
      parts.at(-1)?.push(node);
    }
  }
  return parts;
}

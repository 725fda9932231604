import type { ElementContent, RootContent } from "hast";
import rehypeParse from "rehype-parse";
import { unified } from "unified";
import { attributesOf, isAllowedValue } from "./allowlist.ts";

const parser = unified().use(rehypeParse, { fragment: true });
/** The parser's names of properties, back to those of attributes, where they differ. */
const ATTRIBUTE_NAMES = new Map([
  ["colSpan", "colspan"],
  ["rowSpan", "rowspan"],
]);

/**
 * Everything in `html` that spec 2.3 does not allow, one line each; empty for a clean body.
 *
 * It shares nothing with the sanitiser but the table: another parser reads the text anew, as a
 * client would.
 */
export function findDisallowed(html: string): readonly string[] {
  return parser.parse(html).children.flatMap(findInNode);
}

/** @throws TypeError naming what `findDisallowed` found */
export function assertAllowedHtml(html: string): void {
  const found = findDisallowed(html);
  if (found.length > 0) throw new TypeError(`html is not allowed in a body: ${found.join(", ")}`);
}

function findInNode(node: RootContent | ElementContent): readonly string[] {
  if (node.type === "text") return [];
  if (node.type !== "element") return [node.type];
  const allowed = attributesOf(node.tagName);
  if (allowed === undefined) return [`<${node.tagName}>`, ...node.children.flatMap(findInNode)];
  const attributes = Object.entries(node.properties).flatMap(([property, value]) => {
    const name = ATTRIBUTE_NAMES.get(property) ?? property;
    const label = `<${node.tagName} ${name}>`;
    if (!allowed.includes(name)) return [label];
    return isAllowedValue(name, String(value)) ? [] : [`${label} ${String(value)}`];
  });
  return [...attributes, ...node.children.flatMap(findInNode)];
}

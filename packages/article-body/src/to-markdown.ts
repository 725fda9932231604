import type { Element, Nodes } from "hast";
import { toMdast } from "hast-util-to-mdast";
import type { Handle, State } from "hast-util-to-mdast";
import type { Root } from "mdast";
import { gfmAutolinkLiteralToMarkdown } from "mdast-util-gfm-autolink-literal";
import { gfmStrikethroughToMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableToMarkdown } from "mdast-util-gfm-table";
import { toMarkdown as writeMarkdown } from "mdast-util-to-markdown";
import rehypeParse from "rehype-parse";
import { unified } from "unified";
import { showableDocument } from "./markdown-blocks.ts";
import { readAlikeHandlers } from "./markdown-handlers.ts";
import { tableHandler } from "./markdown-table.ts";

const parser = unified().use(rehypeParse, { fragment: true });

/** Markdown has no such marks: the words stay (spec 2.3 lists what it may contain). */
const contentOnly: Handle = (state, node: Element) => state.all(node);

/** A definition list becomes a paragraph for each term and each definition. */
const definitionList: Handle = (state: State, node: Element) => {
  const parts = node.children.filter((child): child is Element => child.type === "element");
  return parts.flatMap((part) => state.toFlow(state.all(part)));
};

/**
 * Markdown of a body that `cleanArticleHtml` made: the constructs of spec 2.3, and no HTML.
 * Picture addresses stay as they are. Marks that Markdown can't show where they stand (between
 * letters, next to punctuation) are moved inwards.
 */
export function toMarkdown(cleanHtml: string): string {
  const tree: Nodes = parser.parse(cleanHtml);
  const document = toMdast(tree, {
    handlers: {
      u: contentOnly,
      sub: contentOnly,
      sup: contentOnly,
      dl: definitionList,
      table: tableHandler,
    },
  }) as Root;
  return writeMarkdown(showableDocument(document), {
    bullet: "-",
    rule: "-",
    fences: true,
    resourceLink: true,
    emphasis: "*",
    strong: "*",
    listItemIndent: "one",
    incrementListMarker: true,
    handlers: readAlikeHandlers,
    extensions: [
      gfmStrikethroughToMarkdown(),
      gfmTableToMarkdown({ tablePipeAlign: false }),
      // Escapes addresses in plain text: readers that link them swallow the Japanese behind them too.
      gfmAutolinkLiteralToMarkdown(),
    ],
  }).trimEnd();
}

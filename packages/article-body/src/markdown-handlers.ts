import { defaultHandlers } from "mdast-util-to-markdown";
import type { Handle } from "mdast-util-to-markdown";

/** What an escaping backslash stands before; the pairs before it are backslashes that are escaped themselves. */
const ESCAPED_BACKSLASH_BEFORE_BRACKET = /(?<!\\)((?:\\\\)*)\\\\(?=\\?[[\]])/g;
const ESCAPED_BRACKET_BEFORE_PARENTHESIS = /(?<!\\)((?:\\\\)*)\\\]\(/g;
const ESCAPED_AMPERSAND = /(?<!\\)((?:\\\\)*)\\&/g;

/**
 * Escapes that every reader takes alike. `marked` undoes `\[` and `\]` in a label before it looks for
 * links, and `\&` in the description of a picture before it looks for character references.
 */
function readAlike(written: string): string {
  return written
    .replaceAll(ESCAPED_BACKSLASH_BEFORE_BRACKET, "$1&bsol;")
    .replaceAll(ESCAPED_BRACKET_BEFORE_PARENTHESIS, String.raw`$1\]\(`)
    .replaceAll(ESCAPED_AMPERSAND, "$1&amp;");
}

export const readAlikeHandlers: { readonly image: Handle; readonly text: Handle } = {
  image: (node, parent, state, info) => readAlike(defaultHandlers.image(node, parent, state, info)),
  text: (node, parent, state, info) => readAlike(defaultHandlers.text(node, parent, state, info)),
};

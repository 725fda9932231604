import { JSDOM } from "jsdom";
import { textBetweenTags } from "./html-scan.ts";

/** Nothing shown to a reader begins so late in a title or label. */
const INPUT_CHARS_PER_OUTPUT_CHAR = 20;

/**
 * What a reader would read of a piece of HTML (or of text), in one line of at most `charsMax`
 * UTF-16 units.
 */
export function plainText(html: string, charsMax: number): string {
  const text = textBetweenTags(html.slice(0, charsMax * INPUT_CHARS_PER_OUTPUT_CHAR));
  const decoded = text.includes("&") ? decodeReferences(text) : text;
  const line = decoded.replaceAll(/\s+/g, " ").trim();
  return line.length <= charsMax ? line : line.slice(0, charsMax).replace(/[\ud800-\udbff]$/, "");
}

/** Without tags the parser makes one flat text of it. */
function decodeReferences(text: string): string {
  return JSDOM.fragment(text.replaceAll("<", "&lt;")).textContent ?? "";
}

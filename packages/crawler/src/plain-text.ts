import { JSDOM } from "jsdom";

/** Nothing shown to a reader begins so late in a title or label. */
const INPUT_CHARS_PER_OUTPUT_CHAR = 20;

/** What a reader would read of a short piece of HTML (or of text), in one line of at most `charsMax` UTF-16 units. */
export function plainText(html: string, charsMax: number): string {
  const input = html.slice(0, charsMax * INPUT_CHARS_PER_OUTPUT_CHAR);
  const text = /[<&]/.test(input) ? (JSDOM.fragment(input).textContent ?? "") : input;
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= charsMax ? line : line.slice(0, charsMax).replace(/[\ud800-\udbff]$/, "");
}

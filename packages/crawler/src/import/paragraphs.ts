const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/**
 * Plain text as HTML: paragraphs parted by blank lines, or by any line break where there are no
 * blank lines.
 */
export function paragraphsOf(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, "\n").trim();
  const hasBlankLines = /\n[^\S\n]*\n/.test(lines);
  return lines
    .split(hasBlankLines ? /\n(?:[^\S\n]*\n)+/ : "\n")
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll("\n", "<br>")}</p>`)
    .join("");
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => ESCAPES[character] ?? character);
}

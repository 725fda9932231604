/** Characters of an article that are embedded; what a story is about is told in its first paragraphs. */
export const EMBEDDED_CHARACTERS_MAX = 4_000;

export interface EmbeddableArticle {
  readonly title: string;
  readonly summary: string;
  /** Plain text or Markdown. */
  readonly body: string;
}

/**
 * The text that stands for an article: its title on the first line, which embedders may weight, then the
 * summary and the start of the body. Crawler, importer and reader all use this, so that vectors compare.
 */
export function textOfArticle({ title, summary, body }: EmbeddableArticle): string {
  const firstLine = title.replaceAll(/\s+/g, " ").trim();
  // Summaries are mostly the body's own beginning: once is enough.
  const rest = body.startsWith(summary) ? body : `${summary}\n${body}`;
  return `${firstLine}\n${rest}`.slice(0, EMBEDDED_CHARACTERS_MAX);
}

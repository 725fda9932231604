/** A row of a result file, as far as it is shown. */
export interface SampleRow {
  readonly user_id: string;
  readonly candidates: readonly {
    readonly id: string;
    readonly title: string;
    readonly score: number;
    readonly source: { readonly name: string };
  }[];
  readonly empty_reason?: string;
}

const ROWS_MAX = 10;

/** Whether the page may read a result itself: the content security policy lets it ask its own host alone. */
export function isReadable(url: string): boolean {
  return new URL(url).origin === location.origin;
}

/** The first rows of a result file; no more of it is loaded than that. Rejects where it can't be had. */
export async function sampleRows(url: string): Promise<readonly SampleRow[]> {
  const ending = new AbortController();
  const answer = await fetch(url, { signal: ending.signal });
  if (!answer.ok || answer.body === null)
    throw new Error(`the result is answered ${answer.status}`);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    text += value ?? "";
    const lines = text.split("\n");
    if (!done && lines.length <= ROWS_MAX) continue;
    if (!done) ending.abort();
    return lines
      .slice(0, ROWS_MAX)
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as SampleRow);
  }
}

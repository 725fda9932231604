interface Page {
  readonly meta: { readonly next_cursor: string | null };
}

/** Pages of a walk, each fetched when it is asked for. `from`: where to begin; the first page when undefined. */
export async function* pagesOf<Answer extends Page>(
  fetchPage: (cursor: { readonly cursor?: string }) => Promise<Answer>,
  from: string | undefined,
): AsyncGenerator<Answer, void, undefined> {
  let cursor = from;
  do {
    const page = await fetchPage(cursor === undefined ? {} : { cursor });
    yield page;
    cursor = page.meta.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/** The entries of those pages. */
export async function* entriesOf<Entry>(
  pages: AsyncIterable<{ readonly data: readonly Entry[] }>,
): AsyncGenerator<Entry, void, undefined> {
  for await (const { data } of pages) yield* data;
}

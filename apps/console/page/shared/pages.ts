import { useRef, useState } from "preact/hooks";
import { useAction, useLoad, type Action, type Load } from "./load.ts";

/** A page of a list, and where the next one begins. */
interface ListPage<Row> {
  readonly data: readonly Row[];
  readonly meta: { readonly next_cursor: string | null };
}

/** A list as far as it was asked for. */
export interface Pages<Row> {
  readonly load: Load<readonly Row[]>;
  /** Undefined where there is no more. */
  readonly more: (() => void) | undefined;
  /** The asking for more. */
  readonly asking: Action;
}

/** Pages beyond those that came with an answer of `useLoad`. */
interface Further<Row> {
  readonly answers: number;
  readonly pages: readonly ListPage<Row>[];
}

/**
 * Asks for the first page when the screen opens and whenever a key changes; `reload` asks for as many pages as are
 * shown, so that a list that reloads by itself stays as long as its reader made it.
 */
export function usePages<Row>(
  ask: (cursor: string | undefined) => Promise<ListPage<Row>>,
  keys: readonly (string | number | undefined)[],
): Pages<Row> {
  const key = JSON.stringify(keys);
  const shown = useRef({ key, pages: 1 });
  if (shown.current.key !== key) shown.current = { key, pages: 1 };
  const first = useLoad(() => firstPages(ask, shown.current.pages), keys);
  const asking = useAction();
  const [further, setFurther] = useState<Further<Row>>({ answers: 0, pages: [] });
  if (first.state !== "ready") return { load: first, more: undefined, asking };
  const { answers, reload } = first;
  const later = further.answers === answers ? further.pages : [];
  const pages = [...first.value, ...later];
  const cursor = pages.at(-1)?.meta.next_cursor ?? null;
  const more = () =>
    void asking.run(async () => {
      // Counted before it is there: an answer that comes meanwhile drops it, and the next one has it.
      shown.current.pages = pages.length + 1;
      const next = await ask(cursor ?? undefined);
      setFurther({ answers, pages: [...later, next] });
    });
  return {
    load: { state: "ready", value: pages.flatMap(({ data }) => data), answers, reload },
    more: cursor === null ? undefined : more,
    asking,
  };
}

async function firstPages<Row>(
  ask: (cursor: string | undefined) => Promise<ListPage<Row>>,
  count: number,
): Promise<readonly ListPage<Row>[]> {
  const pages = [await ask(undefined)];
  while (pages.length < count) {
    const cursor = pages.at(-1)?.meta.next_cursor ?? null;
    if (cursor === null) break;
    pages.push(await ask(cursor));
  }
  return pages;
}

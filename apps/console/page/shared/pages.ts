import { useState } from "preact/hooks";
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

interface Further<Row> {
  readonly key: string;
  readonly pages: readonly ListPage<Row>[];
}

/** Asks for the first page when the screen opens and whenever a key changes; `reload` begins anew. */
export function usePages<Row>(
  ask: (cursor: string | undefined) => Promise<ListPage<Row>>,
  keys: readonly (string | number | undefined)[],
): Pages<Row> {
  const first = useLoad(() => ask(undefined), keys);
  const asking = useAction();
  const key = JSON.stringify(keys);
  const [further, setFurther] = useState<Further<Row>>({ key, pages: [] });
  const reload = () => {
    setFurther({ key, pages: [] });
    first.reload();
  };
  if (first.state !== "ready") return { load: { ...first, reload }, more: undefined, asking };
  const pages = further.key === key ? further.pages : [];
  const rows = [first.value, ...pages].flatMap(({ data }) => data);
  const cursor = (pages.at(-1) ?? first.value).meta.next_cursor;
  const more = () =>
    void asking.run(async () => {
      const next = await ask(cursor ?? undefined);
      setFurther({ key, pages: [...pages, next] });
    });
  return {
    load: { ...first, value: rows, reload },
    more: cursor === null ? undefined : more,
    asking,
  };
}

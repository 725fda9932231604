import type { ContentIndex } from "../port.ts";

/** Opens the index stored under `name`, empty the first time; a rule closes what it opens. */
export type OpenIndex = (name: string) => Promise<ContentIndex>;

/** One sentence of the port's contract and how it is checked; `run` rejects when it is broken. */
export interface Rule {
  readonly name: string;
  readonly run: (open: OpenIndex) => Promise<void>;
}

/** A rule about one fresh index, closed at the end whatever happens. */
export function rule(name: string, check: (index: ContentIndex) => Promise<void>): Rule {
  return {
    name,
    run: async (open) => {
      await using index = await open("index");
      await check(index);
    },
  };
}

export const NO_POSITIONS: ReadonlyMap<number, number> = new Map();

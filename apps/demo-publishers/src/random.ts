/** A deterministic stream of numbers for one name: the same name always gives the same stream. */
export interface Seeded {
  /** The next number in [0, 1). */
  next(): number;
  /** An integer from `low` to `high`, both included. */
  integer(low: number, high: number): number;
  /** One element of a non-empty list. */
  pick<T>(items: readonly T[]): T;
  /** A copy of `items` in an order set by the seed (Fisher and Yates). */
  shuffled<T>(items: readonly T[]): T[];
}

/** 32-bit FNV-1a over the UTF-16 units of `text`. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** A Weyl sequence through a 32-bit mixer; plenty for choosing words and shapes, useless for secrets. */
export function seeded(name: string): Seeded {
  let state = hash32(name);
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
  const integer = (low: number, high: number): number =>
    low + Math.floor(next() * (high - low + 1));
  return {
    next,
    integer,
    pick<T>(items: readonly T[]): T {
      const item = items[integer(0, items.length - 1)];
      if (item === undefined) throw new Error("cannot pick from an empty list");
      return item;
    },
    shuffled<T>(items: readonly T[]): T[] {
      const out = [...items];
      for (let last = out.length - 1; last > 0; last -= 1) {
        const other = integer(0, last);
        const moved = out[last];
        const taken = out[other];
        if (moved !== undefined && taken !== undefined) [out[last], out[other]] = [taken, moved];
      }
      return out;
    },
  };
}

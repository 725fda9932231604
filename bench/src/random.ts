/** Repeatable randomness: the same seed gives the same articles, users and events on every machine. */
export interface Random {
  /** From 0 up to, but not including, `below`. */
  readonly integer: (below: number) => number;
  /** From 0 up to, but not including, 1. */
  readonly fraction: () => number;
  readonly pick: <Value>(values: readonly Value[]) => Value;
}

/** Mulberry32: 32 bits of state, plenty for synthetic text. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (below: number): number => Math.floor(fraction() * below);
  return { fraction, integer, pick: (values) => values[integer(values.length)]! };
}

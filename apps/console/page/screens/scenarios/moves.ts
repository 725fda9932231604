/** Where an article went between two lists. */
export type Move =
  | { readonly kind: "same" | "new" | "gone" }
  /** Place in the list it is looked at from. */
  | { readonly kind: "up" | "down"; readonly place: number };

interface Compared {
  readonly position: number;
  readonly position_in_other: number | null;
}

/** How an item of the new list came to its place; `place`: where it was. */
export function moveInto({ position, position_in_other: before }: Compared): Move {
  if (before === null) return { kind: "new" };
  if (before === position) return { kind: "same" };
  return { kind: before > position ? "up" : "down", place: before };
}

/** Where an item of the old list went; `place`: where it is. */
export function moveFrom({ position, position_in_other: after }: Compared): Move {
  if (after === null) return { kind: "gone" };
  if (after === position) return { kind: "same" };
  return { kind: after < position ? "up" : "down", place: after };
}

export type MoveCounts = Readonly<Record<Move["kind"], number>>;

/** How many went where, of both lists. */
export function countMoves(
  current: readonly Compared[],
  proposed: readonly Compared[],
): MoveCounts {
  const counts = { same: 0, up: 0, down: 0, new: 0, gone: 0 };
  for (const item of proposed) counts[moveInto(item).kind] += 1;
  for (const item of current) if (moveFrom(item).kind === "gone") counts.gone += 1;
  return counts;
}

/** A fact and its place in the topic it was read from. */
export interface Placed<Fact> {
  readonly fact: Fact;
  readonly partition: number;
  readonly offset: number;
}

/** A fact that no projection can make sense of: it goes to the dead letters (architecture rule 4). */
export interface Refused<Fact> {
  readonly placed: Placed<Fact>;
  readonly error: unknown;
}

/** What a batch of facts changes in a read model. */
export interface Folded<Fact, Change> {
  readonly changes: readonly Change[];
  readonly refused: readonly Refused<Fact>[];
}

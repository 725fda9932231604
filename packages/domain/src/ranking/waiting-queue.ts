import type { Candidates } from "./candidates.ts";

/** No place in the queue. */
export const NONE = -1;

/**
 * Ranked candidates, by rank, that wait for a place. When one is taken, all that tell its story leave. What the
 * search for a place reads lies side by side by rank: it passes over thousands of entries a feed.
 */
export class WaitingQueue {
  readonly sourceCount: number;
  readonly categoryCount: number;
  readonly #sources: Int32Array;
  readonly #categories: Int32Array;
  /** Numbered by rank, so an article's is its rank among stories. */
  readonly #stories: Int32Array;
  readonly #next: Int32Array;
  readonly #isTold: Uint8Array;
  #first = NONE;

  /**
   * @param order numbers of candidates, best first.
   * @param ahead ranks of those that stand before all others.
   */
  constructor(candidates: Candidates, order: Int32Array, ahead: readonly number[]) {
    const sources = renumbered(candidates.sources, order);
    const categories = renumbered(candidates.categories, order);
    const stories = renumbered(candidates.stories, order);
    this.#sources = sources.numbers;
    this.#categories = categories.numbers;
    this.#stories = stories.numbers;
    this.sourceCount = sources.count;
    this.categoryCount = categories.count;
    this.#isTold = new Uint8Array(stories.count);
    this.#next = new Int32Array(order.length).fill(NONE);
    const isAhead = new Set(ahead);
    let last = NONE;
    const append = (rank: number) => {
      if (last === NONE) this.#first = rank;
      else this.#next[last] = rank;
      last = rank;
    };
    for (const rank of ahead) append(rank);
    for (let rank = 0; rank < order.length; rank += 1) if (!isAhead.has(rank)) append(rank);
  }

  /** The first that waits, or NONE. */
  get first(): number {
    while (this.#first !== NONE && !this.isWaiting(this.#first)) {
      this.#first = this.#next[this.#first] as number;
    }
    return this.#first;
  }

  /** The next that waits, or NONE. */
  after(rank: number): number {
    let next = this.#next[rank] as number;
    while (next !== NONE && !this.isWaiting(next)) next = this.#next[next] as number;
    // The taken ones in between are passed over once.
    this.#next[rank] = next;
    return next;
  }

  isWaiting(rank: number): boolean {
    return this.#isTold[this.#stories[rank] as number] === 0;
  }

  take(rank: number): void {
    this.#isTold[this.#stories[rank] as number] = 1;
  }

  /** Place by score among stories. */
  rankOf(rank: number): number {
    return this.#stories[rank] as number;
  }

  sourceOf(rank: number): number {
    return this.#sources[rank] as number;
  }

  categoryOf(rank: number): number {
    return this.#categories[rank] as number;
  }
}

/** By an index's number, one more than the number it has here; all zero between calls. */
let here = new Int32Array(0);

/** A column by rank, numbered anew 0, 1, 2, ... in order of appearance. */
function renumbered(
  column: Int32Array,
  order: Int32Array,
): { readonly numbers: Int32Array; readonly count: number } {
  let greatest = 0;
  for (let rank = 0; rank < order.length; rank += 1) {
    greatest = Math.max(greatest, column[order[rank] as number] as number);
  }
  if (greatest >= here.length) here = new Int32Array(2 * greatest + 1);
  const numbers = new Int32Array(order.length);
  let count = 0;
  for (let rank = 0; rank < order.length; rank += 1) {
    const number = column[order[rank] as number] as number;
    if (here[number] === 0) here[number] = count += 1;
    numbers[rank] = (here[number] as number) - 1;
  }
  for (let rank = 0; rank < order.length; rank += 1)
    here[column[order[rank] as number] as number] = 0;
  return { numbers, count };
}

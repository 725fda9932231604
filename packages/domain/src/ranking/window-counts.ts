/** Counts of each value among the last places, and the bound each keeps. */
export class WindowCounts {
  readonly #window: number[] = [];
  readonly #counts: Uint16Array;
  readonly #bounds: Uint16Array;
  readonly #items: number;

  constructor(windowItems: number, share: number, distinctValues: number) {
    this.#items = windowItems;
    this.#counts = new Uint16Array(distinctValues);
    const evenShare = Math.ceil(windowItems / Math.max(1, distinctValues));
    const bound = Math.max(Math.floor(windowItems * share), evenShare);
    this.#bounds = new Uint16Array(distinctValues).fill(bound);
  }

  /** Gives one value a share of its own, which is kept however few values there are; one place is within it. */
  setShare(value: number, share: number): void {
    this.#bounds[value] = Math.max(1, Math.floor(this.#items * share));
  }

  /** Whether one more of this value keeps the bound in the window that ends with it. */
  admits(value: number): boolean {
    return (this.#counts[value] as number) < (this.#bounds[value] as number);
  }

  push(value: number): void {
    this.#window.push(value);
    this.#counts[value] = (this.#counts[value] as number) + 1;
    // The next place's window holds the last `items - 1` places and itself.
    if (this.#window.length < this.#items) return;
    const left = this.#window.shift() as number;
    this.#counts[left] = (this.#counts[left] as number) - 1;
  }
}

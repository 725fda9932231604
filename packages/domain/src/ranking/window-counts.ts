/** Counts of each value among the last places, and the bound they keep. */
export class WindowCounts {
  readonly #window: number[] = [];
  readonly #counts: Uint16Array;
  readonly #bound: number;
  readonly #items: number;

  constructor(windowItems: number, share: number, distinctValues: number) {
    this.#items = windowItems;
    this.#counts = new Uint16Array(distinctValues);
    const evenShare = Math.ceil(windowItems / Math.max(1, distinctValues));
    this.#bound = Math.max(Math.floor(windowItems * share), evenShare);
  }

  /** Whether one more of this value keeps the bound in the window that ends with it. */
  admits(value: number): boolean {
    return (this.#counts[value] as number) < this.#bound;
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

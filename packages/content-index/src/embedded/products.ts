import type { Matrix } from "./matrix.ts";

/** Rows the kernel multiplies in one call, and how many it takes in one step. */
const ROWS_AT_ONCE = 1_024;
const ROWS_PER_STEP = 4;
const BYTES_PER_WORD = 4;

/** Exact inner products of queries with rows of a matrix. */
export class ExactProducts {
  readonly #matrix: Matrix;
  readonly #query: number;
  readonly #addresses: number;
  readonly #scores: number;

  constructor(matrix: Matrix) {
    this.#matrix = matrix;
    const { blocks, floatRowBytes } = matrix;
    this.#query = blocks.allocate(floatRowBytes);
    this.#addresses = blocks.allocate((ROWS_AT_ONCE + ROWS_PER_STEP) * BYTES_PER_WORD);
    this.#scores = blocks.allocate((ROWS_AT_ONCE + ROWS_PER_STEP) * BYTES_PER_WORD);
  }

  /** Products of the query with these rows, in their order. */
  of(query: Float32Array, rows: Int32Array): Float32Array {
    const products = new Float32Array(rows.length);
    this.#matrix.blocks.views.floats.set(query, this.#query / BYTES_PER_WORD);
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      const part = rows.subarray(from, from + ROWS_AT_ONCE);
      this.#takeRows(part);
      products.set(this.#multiply(part.length), from);
    }
    return products;
  }

  #takeRows(rows: Int32Array): void {
    const { integers } = this.#matrix.blocks.views;
    const first = this.#addresses / BYTES_PER_WORD;
    for (let at = 0; at < rows.length; at += 1) {
      integers[first + at] = this.#matrix.floatAddress(rows[at] as number);
    }
    // The kernel takes whole steps: what is beyond the last row is multiplied too, and not looked at.
    integers.fill(this.#query, first + rows.length, first + rows.length + ROWS_PER_STEP);
  }

  /** Products with the rows taken; overwritten by the next call. */
  #multiply(count: number): Float32Array {
    const { blocks, floatRowBytes, kernel } = this.#matrix;
    kernel.rescore(this.#query, floatRowBytes, this.#addresses, count, this.#scores);
    const first = this.#scores / BYTES_PER_WORD;
    return blocks.views.floats.subarray(first, first + count);
  }
}

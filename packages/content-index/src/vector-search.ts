import { Matrix } from "./embedded/matrix.ts";
import { NearestSearch } from "./embedded/nearest.ts";
import { LEG_CANDIDATES_MAX } from "./port.ts";

/** Facet of every row: the matrix never lets facet 0 pass. */
const FACET = 1;
/** Rows the kernel multiplies in one call, and how many it takes in one step. */
const ROWS_AT_ONCE = 1_024;
const ROWS_PER_STEP = 4;
const BYTES_PER_WORD = 4;

/**
 * Vectors that stay as they are, searched by many queries: one matrix in memory, for work that asks the same articles
 * a hundred thousand times. Rows are numbered as given; equal scores stand in the order of their numbers.
 */
export class VectorSearch {
  readonly size: number;
  readonly #matrix: Matrix;
  readonly #nearest: NearestSearch;
  readonly #query: number;
  readonly #addresses: number;
  readonly #scores: number;

  /** `vectors` are unit vectors of one length; they are copied. */
  constructor(dimensions: number, vectors: readonly Float32Array[]) {
    this.size = vectors.length;
    this.#matrix = new Matrix(dimensions);
    this.#nearest = new NearestSearch(this.#matrix, (left, right) => left - right);
    const { blocks, floatRowBytes } = this.#matrix;
    this.#query = blocks.allocate(floatRowBytes);
    this.#addresses = blocks.allocate((ROWS_AT_ONCE + ROWS_PER_STEP) * BYTES_PER_WORD);
    this.#scores = blocks.allocate((ROWS_AT_ONCE + ROWS_PER_STEP) * BYTES_PER_WORD);
    vectors.forEach((vector, row) => {
      const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
      this.#matrix.setVector(row, bytes);
      this.#matrix.setFacet(row, FACET, 0);
    });
  }

  /**
   * Rows nearest to each query, best first, at most `limit` (1 to 500) each.
   *
   * @param allowed one byte a row: rows of 0 are left out.
   */
  nearest(
    queries: readonly Float32Array[],
    limit: number,
    allowed: Uint8Array,
  ): readonly (readonly number[])[] {
    if (this.size === 0 || queries.length === 0) return queries.map(() => []);
    this.#matrix.mask.fill(0, this.size);
    this.#matrix.mask.set(allowed.subarray(0, this.size));
    const wanted = Math.min(limit, LEG_CANDIDATES_MAX);
    return this.#nearest.find(queries.map((vector) => ({ vector, limit: wanted })));
  }

  /** Exact inner products of each query with these rows, in their order. */
  products(queries: readonly Float32Array[], rows: readonly number[]): readonly Float32Array[] {
    const products = queries.map(() => new Float32Array(rows.length));
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      const part = rows.slice(from, from + ROWS_AT_ONCE);
      this.#takeRows(part);
      queries.forEach((query, at) => products[at]?.set(this.#multiply(query, part.length), from));
    }
    return products;
  }

  #takeRows(rows: readonly number[]): void {
    const { integers } = this.#matrix.blocks.views;
    const first = this.#addresses / BYTES_PER_WORD;
    rows.forEach((row, at) => {
      integers[first + at] = this.#matrix.floatAddress(row);
    });
    // The kernel takes whole steps: what is beyond the last row is multiplied too, and not looked at.
    integers.fill(this.#query, first + rows.length, first + rows.length + ROWS_PER_STEP);
  }

  /** Products with the rows taken; overwritten by the next call. */
  #multiply(query: Float32Array, count: number): Float32Array {
    const { blocks, floatRowBytes, kernel } = this.#matrix;
    blocks.views.floats.set(query, this.#query / BYTES_PER_WORD);
    kernel.rescore(this.#query, floatRowBytes, this.#addresses, count, this.#scores);
    const first = this.#scores / BYTES_PER_WORD;
    return blocks.views.floats.subarray(first, first + count);
  }
}

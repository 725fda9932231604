import { Matrix } from "./embedded/matrix.ts";
import { NearestSearch } from "./embedded/nearest.ts";
import { ExactProducts } from "./embedded/products.ts";
import { LEG_CANDIDATES_MAX } from "./port.ts";

/** Facet of every row: the matrix never lets facet 0 pass. */
const FACET = 1;

/**
 * Vectors that stay as they are, searched by many queries: one matrix in memory, for work that asks the same articles
 * a hundred thousand times. Rows are numbered as given; equal scores stand in the order of their numbers.
 */
export class VectorSearch {
  readonly size: number;
  readonly #matrix: Matrix;
  readonly #nearest: NearestSearch;
  readonly #products: ExactProducts;

  /** `vectors` are unit vectors of one length; they are copied. */
  constructor(dimensions: number, vectors: readonly Float32Array[]) {
    this.size = vectors.length;
    this.#matrix = new Matrix(dimensions);
    this.#nearest = new NearestSearch(this.#matrix, (left, right) => left - right);
    this.#products = new ExactProducts(this.#matrix);
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

  /** Exact inner products of a query with these rows, in their order. */
  products(query: Float32Array, rows: Int32Array): Float32Array {
    return this.#products.of(query, rows);
  }
}

import { describe, expect, it } from "vitest";
import { VectorSearch } from "./vector-search.ts";

const DIMENSIONS = 16;
const LIMIT = 20;

/** Mulberry32, so that every run sees the same vectors. */
function unitVectors(seed: number, count: number): Float32Array[] {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296 - 0.5;
  };
  return Array.from({ length: count }, () => {
    const vector = Float32Array.from({ length: DIMENSIONS }, random);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
}

function exactNearest(vectors: readonly Float32Array[], query: Float32Array, allowed: Uint8Array) {
  const products = vectors.map((vector, row) => ({
    row,
    product: vector.reduce((sum, value, at) => sum + value * (query[at] as number), 0),
  }));
  return products
    .filter(({ row }) => allowed[row] === 1)
    .sort((left, right) => right.product - left.product)
    .slice(0, LIMIT)
    .map(({ row }) => row);
}

describe("VectorSearch", () => {
  it("finds the nearest rows that are allowed, best first, for each query", () => {
    const vectors = unitVectors(1, 5_000);
    const search = new VectorSearch(DIMENSIONS, vectors);
    const allowed = Uint8Array.from(vectors, (_, row) => Number(row % 3 !== 0));
    const queries = unitVectors(2, 6);
    const found = search.nearest(queries, LIMIT, allowed);
    expect(found).toEqual(queries.map((query) => exactNearest(vectors, query, allowed)));
  });

  it("finds fewer where fewer are allowed, and forgets the mask of the call before", () => {
    const search = new VectorSearch(DIMENSIONS, unitVectors(1, 10));
    const query = unitVectors(2, 1);
    expect(search.nearest(query, LIMIT, new Uint8Array(10).fill(1))[0]).toHaveLength(10);
    const two = new Uint8Array(10);
    two.fill(1, 4, 6);
    expect(search.nearest(query, LIMIT, two)[0]?.toSorted()).toEqual([4, 5]);
  });

  it("multiplies rows exactly, in the order given", () => {
    const vectors = unitVectors(1, 3_000);
    const search = new VectorSearch(DIMENSIONS, vectors);
    const rows = Int32Array.from(vectors, (_, row) => (row * 7) % 3_000);
    for (const query of unitVectors(2, 2)) {
      const products = search.products(query, rows);
      rows.forEach((row, place) => {
        const exact = query.reduce((sum, value, i) => sum + value * (vectors[row]?.[i] ?? 0), 0);
        expect(products[place]).toBeCloseTo(exact, 5);
      });
      expect([...search.products(query, rows.subarray(0, 1))]).toEqual([products[0]]);
    }
    expect([...search.products(unitVectors(2, 1)[0] as Float32Array, new Int32Array(0))]).toEqual(
      [],
    );
  });

  it("finds nothing in nothing", () => {
    const search = new VectorSearch(DIMENSIONS, []);
    expect(search.nearest(unitVectors(2, 2), LIMIT, new Uint8Array(0))).toEqual([[], []]);
  });
});

import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { assembleKernel } from "./assemble-kernel.ts";
import { supportedKernel } from "./kernel.ts";
import type { KernelVariant } from "./kernel.ts";
import { Matrix } from "./matrix.ts";
import { NearestSearch } from "./nearest.ts";
import { kthLargest, orderByScore } from "./top.ts";

const VARIANTS: readonly KernelVariant[] = ["relaxed", "plain"];

/** The same numbers for the same seed: a linear congruential generator, 0 to 1. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function unitVector(random: () => number, dimensions: number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => random() + random() - 1);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function matrixOf(vectors: readonly Float32Array[], variant: KernelVariant): Matrix {
  const matrix = new Matrix(vectors[0]?.length ?? 0, variant);
  vectors.forEach((vector, slot) => {
    matrix.setVector(slot, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
    matrix.setFacet(slot, 1 + (slot % 3), slot);
  });
  return matrix;
}

const ALL = Uint8Array.of(0, 1, 1, 1);

/** Slots by dot product in double precision, best first, ties by slot. */
function referenceOrder(vectors: readonly Float32Array[], query: Float32Array): number[] {
  const score = vectors.map((vector) =>
    vector.reduce((sum, value, i) => sum + value * (query[i] ?? 0), 0),
  );
  return [...vectors.keys()].sort((a, b) => (score[b] ?? 0) - (score[a] ?? 0) || a - b);
}

describe.each(VARIANTS)("the %s kernel", (variant) => {
  it("is what kernel.wat assembles to", async () => {
    const name = variant === "plain" ? "kernel-plain.wasm" : "kernel.wasm";
    const committed = await readFile(new URL(name, import.meta.url));
    expect(Buffer.from(await assembleKernel(variant)).equals(committed)).toBe(true);
  });

  it.each([4, 16, 100, 256])(
    "finds the same order as a plain reference, %i dimensions",
    (dimensions) => {
      const random = generator(dimensions);
      const vectors = Array.from({ length: 9_000 }, () => unitVector(random, dimensions));
      const matrix = matrixOf(vectors, variant);
      const search = new NearestSearch(matrix, (left, right) => left - right);
      matrix.filter(ALL, -Infinity, Infinity);
      const queries = [1, 2, 3, 4, 5].map(() => unitVector(random, dimensions));
      const found = search.find(queries.map((vector) => ({ vector, limit: 50 })));
      const wanted = queries.map((query) => referenceOrder(vectors, query).slice(0, 50));
      const shared = wanted.flatMap((slots, i) => slots.filter((slot) => found[i]?.includes(slot)));
      // In few dimensions 9,000 vectors lie closer together than seven bits tell apart.
      expect(shared.length / 250).toBeGreaterThanOrEqual(dimensions < 16 ? 0.9 : 0.99);
      const best = wanted[0]?.slice(0, dimensions < 16 ? 0 : 10) ?? [];
      expect(found[0]?.slice(0, best.length)).toEqual(best);
    },
  );

  it("masks by facet and by time, after exclusive and before inclusive", () => {
    const vectors = Array.from({ length: 5_000 }, () => Float32Array.of(1, 0));
    const matrix = matrixOf(vectors, variant);
    matrix.filter(Uint8Array.of(0, 1, 0, 1), 10, 4_500);
    const passes = (slot: number): boolean => slot % 3 !== 1 && slot > 10 && slot <= 4_500;
    const wanted = Array.from({ length: matrix.mask.length }, (_, slot) => (passes(slot) ? 1 : 0));
    expect([...matrix.mask]).toEqual(wanted);
  });

  it("keeps the first of thousands of equal vectors, also when the best come last", () => {
    const same = Array.from({ length: 5_000 }, () => Float32Array.of(0.6, 0.8, 0, 0));
    const rising = Array.from({ length: 5_000 }, (_, i) => {
      const angle = (5_000 - i) / 5_000;
      return Float32Array.of(0, 0, Math.cos(angle), Math.sin(angle));
    });
    const matrix = matrixOf([...same, ...rising], variant);
    matrix.filter(ALL, -Infinity, Infinity);
    const search = new NearestSearch(matrix, (left, right) => left - right);
    const [first, second] = search.find([
      { vector: Float32Array.of(0.6, 0.8, 0, 0), limit: 20 },
      { vector: Float32Array.of(0, 0, 1, 0), limit: 20 },
    ]);
    expect(first).toEqual(Array.from({ length: 20 }, (_, i) => i));
    // Neighbours by a thousandth of a radian are closer than seven bits tell apart.
    expect(Math.min(...(second ?? []))).toBeGreaterThan(9_900);
  });
});

describe("the guessed threshold", () => {
  it("loses nothing when the best come first, where every guess is too high", () => {
    const falling = Array.from({ length: 9_000 }, (_, i) => {
      const angle = (i * Math.PI) / 9_000;
      return Float32Array.of(Math.cos(angle), Math.sin(angle));
    });
    const matrix = matrixOf(falling, supportedKernel());
    matrix.filter(ALL, -Infinity, Infinity);
    const search = new NearestSearch(matrix, (left, right) => left - right);
    const [found = []] = search.find([{ vector: Float32Array.of(1, 0), limit: 500 }]);
    expect(found).toHaveLength(500);
    expect(Math.max(...found)).toBeLessThan(700);
  });
});

describe("views of vectors", () => {
  it("stay readable while the matrix grows", () => {
    const matrix = matrixOf([Float32Array.of(0.6, 0.8)], supportedKernel());
    const view = matrix.vector(0);
    matrix.setVector(20_000, new Uint8Array(new Float32Array([1, 0]).buffer));
    expect([...view]).toEqual([...Float32Array.of(0.6, 0.8)]);
  });
});

describe("selection", () => {
  it("finds the k-th largest as sorting does, whatever k and the ties", () => {
    const random = generator(9);
    for (let round = 0; round < 200; round++) {
      const values = Float32Array.from({ length: 1 + (round % 60) }, () =>
        Math.floor(random() * 12),
      );
      const k = 1 + Math.floor(random() * values.length);
      const sorted = values.toSorted().reverse();
      expect(kthLargest(values.slice(), values.length, k)).toBe(sorted[k - 1]);
    }
  });

  it("orders by descending score, also negative ones and zeroes of both signs, ties as told", () => {
    const scores = Float32Array.of(-0.5, 0, 0.25, -0, -0.25, 0.25);
    const slots = Int32Array.of(10, 11, 12, 9, 14, 8);
    const ordered = orderByScore(slots, scores, scores.length, (left, right) => left - right);
    expect(ordered).toEqual([8, 12, 9, 11, 14, 10]);
  });
});

import { LEG_CANDIDATES_MAX } from "../port.ts";
import type { Matrix } from "./matrix.ts";
import { kthLargest, orderByScore } from "./top.ts";

/** Queries of one sweep, the width of the kernel. */
const QUERIES_PER_SWEEP = 4;
/** Entries a query's buffer takes beyond those kept before it is cut again. */
const BUFFER_STEP = 256;
/** How many more than expected a guessed threshold lets pass: a factor, and some for small samples. */
const GUESS_FACTOR = 2;
const GUESS_MARGIN = 24;
const ENTRY_BYTES = 8;
/** Offsets in the kernel's state. */
const BIASES_OFFSET = 16;
const COUNTS_OFFSET = 32;
const BUFFERS_OFFSET = 64;
const CHUNK_BYTES = 16;
/** Rows the kernel scores exactly at a time. */
const ROWS_PER_STEP = 4;
const QUERY_LEVELS = 127;
const ROW_ZERO = 64;

export interface NearestQuery {
  readonly vector: Float32Array;
  readonly limit: number;
}

/**
 * How many of the quantised first pass are scored exactly: the wanted ones and an eighth more, at least 16.
 * README.md states the recall this gives on real articles.
 */
function firstPassCount(limit: number): number {
  return limit + Math.max(16, limit >> 3);
}

const FIRST_PASS_MAX = firstPassCount(LEG_CANDIDATES_MAX);
const BUFFER_ENTRIES_MAX = FIRST_PASS_MAX + BUFFER_STEP;

/**
 * Exact order of the best rows by dot product with each query, found in two passes: 7-bit rows against
 * four 8-bit queries in one sweep over memory, then float32 for the best of them.
 */
export class NearestSearch {
  readonly #matrix: Matrix;
  readonly #compareTies: (left: number, right: number) => number;
  readonly #queries: number;
  readonly #exactQuery: number;
  readonly #addresses: number;
  readonly #scores: number;
  readonly #state: number;
  /** Entries of a buffer in the group being searched. */
  #capacity = 0;
  readonly #slots = new Int32Array(FIRST_PASS_MAX);
  readonly #values = new Float32Array(BUFFER_ENTRIES_MAX);

  /** `compareTies` orders slots of equal score. */
  constructor(matrix: Matrix, compareTies: (left: number, right: number) => number) {
    this.#matrix = matrix;
    this.#compareTies = compareTies;
    const { blocks, rowBytes, floatRowBytes } = matrix;
    this.#queries = blocks.allocate(rowBytes * QUERIES_PER_SWEEP);
    this.#exactQuery = blocks.allocate(floatRowBytes);
    this.#addresses = blocks.allocate(
      (FIRST_PASS_MAX + ROWS_PER_STEP) * Int32Array.BYTES_PER_ELEMENT,
    );
    this.#scores = blocks.allocate(
      (FIRST_PASS_MAX + ROWS_PER_STEP) * Float32Array.BYTES_PER_ELEMENT,
    );
    this.#state = blocks.allocate(
      BUFFERS_OFFSET + QUERIES_PER_SWEEP * BUFFER_ENTRIES_MAX * ENTRY_BYTES,
    );
  }

  /** Slots for each query, best first, of those the matrix's mask lets pass. */
  find(queries: readonly NearestQuery[]): readonly (readonly number[])[] {
    const found: number[][] = [];
    for (let first = 0; first < queries.length; first += QUERIES_PER_SWEEP) {
      const group = queries.slice(first, first + QUERIES_PER_SWEEP);
      // A wrong guess shows by too few results: then the group is searched again without guessing.
      if (!this.#firstPass(group, true)) this.#firstPass(group, false);
      group.forEach((query, lane) => found.push(this.#rescore(query, lane)));
    }
    return found;
  }

  /**
   * Leaves each query's best by quantised score in its buffer; false if a guessed threshold lost some.
   *
   * Most of the cost of selecting is in rows that are taken and soon thrown out again. Guessing, the
   * threshold after a share of the rows is the score of which, in proportion, more than enough rows will
   * be found in all of them.
   */
  #firstPass(group: readonly NearestQuery[], guessing: boolean): boolean {
    const keeps = group.map(({ limit }) => firstPassCount(limit));
    this.#capacity = Math.max(...keeps) + BUFFER_STEP;
    this.#prepare(group);
    const guessed = new Set<number>();
    this.#matrix.sweep(this.#queries, this.#state, this.#capacity, BUFFER_STEP, (share) => {
      let largest = 0;
      keeps.forEach((keep, lane) => {
        const expected = Math.ceil(GUESS_FACTOR * keep * share) + GUESS_MARGIN;
        const wanted = guessing ? Math.min(keep, expected) : keep;
        if (wanted < keep && this.#count(lane) > wanted) guessed.add(lane);
        this.#keepBest(lane, wanted, keep);
        largest = Math.max(largest, this.#count(lane));
      });
      return largest + BUFFER_STEP;
    });
    keeps.forEach((keep, lane) => this.#keepBest(lane, keep, keep));
    return keeps.every((keep, lane) => !guessed.has(lane) || this.#count(lane) === keep);
  }

  /** Writes the quantised queries, chunk by chunk side by side, and a state with empty buffers. */
  #prepare(group: readonly NearestQuery[]): void {
    const { integers, floats, signedBytes } = this.#matrix.blocks.views;
    for (let lane = 0; lane < QUERIES_PER_SWEEP; lane++) {
      const vector = group[lane]?.vector;
      // A lane without a query has a threshold that nothing reaches.
      floats[(this.#state >> 2) + lane] = vector === undefined ? Infinity : -Infinity;
      integers[((this.#state + COUNTS_OFFSET) >> 2) + lane] = 0;
      if (vector === undefined) continue;
      // By index: what iterates over floats makes an object of each.
      let largest = 0;
      for (let i = 0; i < vector.length; i++) {
        largest = Math.max(largest, Math.abs(vector[i] as number));
      }
      const levelsPerUnit = largest === 0 ? 0 : QUERY_LEVELS / largest;
      let sum = 0;
      for (let i = 0; i < this.#matrix.rowBytes; i++) {
        const level = Math.round((vector[i] ?? 0) * levelsPerUnit);
        const chunk = Math.floor(i / CHUNK_BYTES) * QUERIES_PER_SWEEP + lane;
        signedBytes[this.#queries + chunk * CHUNK_BYTES + (i % CHUNK_BYTES)] = level;
        sum += level;
      }
      // Rows are stored with 64 for zero: what that adds to the dot product is taken off again.
      integers[((this.#state + BIASES_OFFSET) >> 2) + lane] = -ROW_ZERO * sum;
    }
  }

  /**
   * Raises a lane's threshold to the score of its `wanted` best and drops what is below; of those equal to
   * it the first in the given order, as many as make `most` in all.
   */
  #keepBest(lane: number, wanted: number, most: number): void {
    const { integers, floats } = this.#matrix.blocks.views;
    const counter = ((this.#state + COUNTS_OFFSET) >> 2) + lane;
    const count = this.#count(lane);
    if (count <= wanted) return;
    const scores = this.#scoresIndex(lane);
    const slots = scores + this.#capacity;
    this.#values.set(floats.subarray(scores, scores + count));
    const threshold = kthLargest(this.#values, count, wanted);
    const tied: number[] = [];
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const score = floats[scores + i] as number;
      if (score < threshold) continue;
      const slot = integers[slots + i] as number;
      if (score === threshold) {
        tied.push(slot);
        continue;
      }
      integers[slots + kept] = slot;
      floats[scores + kept] = score;
      kept++;
    }
    if (kept + tied.length > most) tied.sort(this.#compareTies);
    for (const slot of tied.slice(0, most - kept)) {
      integers[slots + kept] = slot;
      floats[scores + kept] = threshold;
      kept++;
    }
    integers[counter] = kept;
    floats[(this.#state >> 2) + lane] = threshold;
  }

  #rescore(query: NearestQuery, lane: number): number[] {
    const matrix = this.#matrix;
    const { integers, floats } = matrix.blocks.views;
    const count = this.#count(lane);
    const slots = this.#scoresIndex(lane) + this.#capacity;
    floats.set(query.vector, this.#exactQuery >> 2);
    const addresses = this.#addresses >> 2;
    for (let i = 0; i < count; i++) {
      const slot = integers[slots + i] as number;
      this.#slots[i] = slot;
      integers[addresses + i] = matrix.floatAddress(slot);
    }
    integers.fill(this.#exactQuery, addresses + count, addresses + count + ROWS_PER_STEP);
    matrix.kernel.rescore(
      this.#exactQuery,
      matrix.floatRowBytes,
      this.#addresses,
      count,
      this.#scores,
    );
    const first = this.#scores >> 2;
    const scores = floats.subarray(first, first + count);
    return orderByScore(this.#slots, scores, count, this.#compareTies).slice(0, query.limit);
  }

  #count(lane: number): number {
    return this.#matrix.blocks.views.integers[
      ((this.#state + COUNTS_OFFSET) >> 2) + lane
    ] as number;
  }

  /** Where a lane's scores begin, counted in floats; its slots follow them. */
  #scoresIndex(lane: number): number {
    return (this.#state + BUFFERS_OFFSET + lane * this.#capacity * ENTRY_BYTES) >> 2;
  }
}

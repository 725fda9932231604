import { openKernel, supportedKernel } from "./kernel.ts";
import type { Kernel, KernelVariant } from "./kernel.ts";
import { BlockMemory } from "./memory.ts";

/** Rows of one segment; columns grow by whole segments. Even, because the sweep takes rows in pairs. */
const SEGMENT_ROWS = 4_096;
const SEGMENT_SHIFT = 12;
const SEGMENT_MASK = SEGMENT_ROWS - 1;

/** Addresses of one segment's columns. */
export interface Segment {
  readonly firstSlot: number;
  /** Quantised vectors, `rowBytes` each, and the factor of each. */
  readonly rows: number;
  readonly scales: number;
  /** Exact vectors, `floatRowBytes` each. */
  readonly floats: number;
  readonly facets: number;
  readonly published: number;
}

/**
 * Columns over slots 0, 1, 2 ... in memory that the kernel reads: vectors, their 7-bit copies, facet and
 * publication time, and the mask of the recall in progress. A slot whose facet is 0 is never allowed.
 */
export class Matrix {
  readonly dimensions: number;
  /** A multiple of 16, the width of the kernel's steps; the rest is zero in every vector. */
  readonly rowBytes: number;
  readonly floatRowBytes: number;
  readonly blocks = new BlockMemory();
  readonly segments: Segment[] = [];
  readonly kernel: Kernel;
  /** One byte a slot, 1 where the filter lets the article pass; set by `filter`. */
  mask: Uint8Array = new Uint8Array(0);
  maskAddress = 0;
  readonly #views: (Float32Array | undefined)[] = [];
  /** One above the highest slot in use. */
  #slots = 0;
  #allowedAddress = 0;
  #allowedCapacity = 0;

  constructor(dimensions: number, variant: KernelVariant = supportedKernel()) {
    this.dimensions = dimensions;
    this.rowBytes = Math.ceil(dimensions / 16) * 16;
    this.floatRowBytes = this.rowBytes * Float32Array.BYTES_PER_ELEMENT;
    this.kernel = openKernel(this.blocks.memory, variant);
  }

  /** Stores a vector given as the bytes of its float32 values, and its quantised copy. */
  setVector(slot: number, vectorBytes: Uint8Array): void {
    this.#reserve(slot);
    const segment = this.segmentOf(slot);
    const row = slot & SEGMENT_MASK;
    const floats = segment.floats + row * this.floatRowBytes;
    this.blocks.views.bytes.set(vectorBytes, floats);
    this.kernel.quantise(
      floats,
      this.floatRowBytes,
      segment.rows + row * this.rowBytes,
      segment.scales + row * Float32Array.BYTES_PER_ELEMENT,
    );
  }

  setFacet(slot: number, facet: number, publishedAtMs: number): void {
    this.#reserve(slot);
    const segment = this.segmentOf(slot);
    const row = slot & SEGMENT_MASK;
    this.blocks.views.integers[(segment.facets >> 2) + row] = facet;
    this.blocks.views.doubles[(segment.published >> 3) + row] = publishedAtMs;
  }

  /** A view of the stored vector, the same object each time. */
  vector(slot: number): Float32Array {
    const known = this.#views[slot];
    if (known !== undefined) return known;
    const begin = this.floatAddress(slot) >> 2;
    const view = this.blocks.views.floats.subarray(begin, begin + this.dimensions);
    this.#views[slot] = view;
    return view;
  }

  floatAddress(slot: number): number {
    return this.segmentOf(slot).floats + (slot & SEGMENT_MASK) * this.floatRowBytes;
  }

  /** Sets the mask: facets whose byte in `allowed` is 1, published after `afterMs` and up to `beforeMs`. */
  filter(allowed: Uint8Array, afterMs: number, beforeMs: number): void {
    if (allowed.length > this.#allowedCapacity) {
      this.#allowedCapacity = allowed.length * 2;
      this.#allowedAddress = this.blocks.allocate(this.#allowedCapacity);
      this.#viewMask();
    }
    this.blocks.views.bytes.set(allowed, this.#allowedAddress);
    for (const { firstSlot, facets, published } of this.segments) {
      this.kernel.filter(
        facets,
        published,
        SEGMENT_ROWS,
        this.#allowedAddress,
        afterMs,
        beforeMs,
        this.maskAddress + firstSlot,
      );
    }
  }

  /**
   * First pass of the queries at `queries` over all rows. Whenever a buffer holds `full` entries, `onFull` is
   * told the share of rows passed and gives the number at which the next buffer counts as full.
   */
  sweep(
    queries: number,
    state: number,
    capacity: number,
    full: number,
    onFull: (share: number) => number,
  ): void {
    let fullAt = full;
    for (const { firstSlot, rows, scales } of this.segments) {
      for (let row = 0; row < SEGMENT_ROWS;) {
        row = this.kernel.sweep(
          rows,
          this.rowBytes,
          scales,
          this.maskAddress + firstSlot,
          row,
          SEGMENT_ROWS,
          queries,
          state,
          capacity,
          fullAt,
          firstSlot,
        );
        if (row < SEGMENT_ROWS) fullAt = onFull((firstSlot + row) / this.#slots);
      }
    }
  }

  segmentOf(slot: number): Segment {
    const segment = this.segments[slot >> SEGMENT_SHIFT];
    if (segment === undefined) throw new RangeError(`no slot ${slot}`);
    return segment;
  }

  #reserve(slot: number): void {
    this.#slots = Math.max(this.#slots, slot + 1);
    while (slot >= this.segments.length * SEGMENT_ROWS) this.#addSegment();
  }

  #addSegment(): void {
    const firstSlot = this.segments.length * SEGMENT_ROWS;
    const { blocks } = this;
    this.segments.push({
      firstSlot,
      rows: blocks.allocate(SEGMENT_ROWS * this.rowBytes),
      scales: blocks.allocate(SEGMENT_ROWS * Float32Array.BYTES_PER_ELEMENT),
      floats: blocks.allocate(SEGMENT_ROWS * this.floatRowBytes),
      facets: blocks.allocate(SEGMENT_ROWS * Int32Array.BYTES_PER_ELEMENT),
      published: blocks.allocate(SEGMENT_ROWS * Float64Array.BYTES_PER_ELEMENT),
    });
    const slots = firstSlot + SEGMENT_ROWS;
    // Doubling keeps what abandoned masks take below what the mask itself takes.
    if (slots > this.mask.length) {
      this.maskAddress = blocks.allocate(slots * 2);
      this.#viewMask(slots * 2);
    } else {
      this.#viewMask();
    }
  }

  #viewMask(length = this.mask.length): void {
    this.mask = this.blocks.views.bytes.subarray(this.maskAddress, this.maskAddress + length);
  }
}

const PAGE_BYTES = 65_536;
const PAGES_MAX = 65_536;
/** Blocks begin on cache lines. */
const ALIGNMENT_BYTES = 64;

/** Typed views of the whole memory; replaced by each growth, so never kept across an allocation. */
export interface MemoryViews {
  readonly bytes: Uint8Array;
  readonly signedBytes: Int8Array;
  readonly integers: Int32Array;
  readonly floats: Float32Array;
  readonly doubles: Float64Array;
}

/**
 * WebAssembly memory handed out in blocks that never move and are never given back.
 *
 * It is shared memory, although one thread uses it: growing shared memory leaves views of it valid, so
 * a vector handed to a caller stays readable. At most 4 GiB; only what is touched takes memory.
 */
export class BlockMemory {
  readonly memory = new WebAssembly.Memory({ initial: 1, maximum: PAGES_MAX, shared: true });
  views = viewsOf(this.memory);
  #end = 0;

  /** Address of `bytes` zero bytes. Throws RangeError when 4 GiB are used up. */
  allocate(bytes: number): number {
    const address = this.#end;
    this.#end += Math.ceil(bytes / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
    const missingBytes = this.#end - this.memory.buffer.byteLength;
    if (missingBytes > 0) {
      this.memory.grow(Math.ceil(missingBytes / PAGE_BYTES));
      this.views = viewsOf(this.memory);
    }
    return address;
  }
}

function viewsOf(memory: WebAssembly.Memory): MemoryViews {
  const { buffer } = memory;
  return {
    bytes: new Uint8Array(buffer),
    signedBytes: new Int8Array(buffer),
    integers: new Int32Array(buffer),
    floats: new Float32Array(buffer),
    doubles: new Float64Array(buffer),
  };
}

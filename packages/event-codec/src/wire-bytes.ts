import type { Embedding } from "@feed/domain/article";

const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** The same bytes, not copied. */
export function asBuffer(bytes: Uint8Array): Buffer {
  if (Buffer.isBuffer(bytes)) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Components as 32-bit floats, little-endian. */
export function bytesOfVector({ vector }: Embedding): Buffer {
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
  return LITTLE_ENDIAN ? bytes : Buffer.from(bytes).swap32();
}

/** @throws RangeError where they are not whole floats. */
export function vectorOfBytes(bytes: Uint8Array): Float32Array {
  if (bytes.length % FLOAT_BYTES !== 0) throw new RangeError(`a vector has ${bytes.length} bytes`);
  // A copy of its own: bytes of a buffer pool need not be aligned.
  const copy = new Uint8Array(bytes);
  if (!LITTLE_ENDIAN) Buffer.from(copy.buffer).swap32();
  return new Float32Array(copy.buffer);
}

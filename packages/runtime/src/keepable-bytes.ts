/**
 * A copy to be kept for long. Node cuts small buffers from slabs of Buffer.poolSize bytes, and one that is kept keeps the
 * whole slab it lies in: thousands of them, made between others that come and go, hold many times their size.
 */
export function keepableBytes(bytes: Uint8Array): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.byteLength);
  copy.set(bytes);
  return copy;
}

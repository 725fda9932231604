const SEED = 0x9747b28c;
const MULTIPLIER = 0x5bd1e995;
const SHIFT = 24;

/**
 * Partition of a key, as Kafka's default partitioner gives it: murmur2 of its UTF-8 bytes, sign bit cleared,
 * modulo the count. The same in both logs (architecture, "Topics").
 */
export function partitionOf(key: string, partitions: number): number {
  return (murmur2(Buffer.from(key)) & 0x7fffffff) % partitions;
}

/** MurmurHash2 of 32 bits (Appleby, 2008) with Kafka's seed, as a signed integer. */
export function murmur2(bytes: Uint8Array): number {
  const wholeBytes = bytes.length & ~3;
  let hash = SEED ^ bytes.length;
  for (let index = 0; index < wholeBytes; index += 4) {
    const word =
      at(bytes, index) |
      (at(bytes, index + 1) << 8) |
      (at(bytes, index + 2) << 16) |
      (at(bytes, index + 3) << 24);
    const mixed = Math.imul(word, MULTIPLIER);
    hash = Math.imul(hash, MULTIPLIER) ^ Math.imul(mixed ^ (mixed >>> SHIFT), MULTIPLIER);
  }
  const tailBytes = bytes.length - wholeBytes;
  if (tailBytes === 3) hash ^= at(bytes, wholeBytes + 2) << 16;
  if (tailBytes >= 2) hash ^= at(bytes, wholeBytes + 1) << 8;
  if (tailBytes >= 1) hash = Math.imul(hash ^ at(bytes, wholeBytes), MULTIPLIER);
  hash = Math.imul(hash ^ (hash >>> 13), MULTIPLIER);
  return hash ^ (hash >>> 15);
}

function at(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}

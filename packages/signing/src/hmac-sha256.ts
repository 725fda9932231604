import { hash } from "node:crypto";
import type { KeyObject } from "node:crypto";

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;
/** Most inputs fit; a longer one gets a buffer of its own. */
const SCRATCH_BYTES = 1_024;
const UTF8_BYTES_PER_UNIT_MAX = 3;

/**
 * HMAC-SHA256 (RFC 2104) under one key, for what is asked for many times over: of one-shot hashes, because making an
 * `Hmac` and its buffers takes three times as long as two of them.
 *
 * @param key stays in the memory of what is returned.
 * @throws RangeError for a key of more than 64 bytes.
 */
export function hmacSha256(key: KeyObject): (text: string) => Buffer {
  const inner = padded(key, INNER_PAD, SCRATCH_BYTES);
  const outer = padded(key, OUTER_PAD, BLOCK_BYTES + HASH_BYTES);
  return (text) => {
    const bytesMax = BLOCK_BYTES + text.length * UTF8_BYTES_PER_UNIT_MAX;
    const block = bytesMax <= SCRATCH_BYTES ? inner : padded(key, INNER_PAD, bytesMax);
    const end = BLOCK_BYTES + block.write(text, BLOCK_BYTES, "utf8");
    // As text: a hash that is returned as a buffer takes five times as long.
    outer.write(hash("sha256", block.subarray(0, end), "binary"), BLOCK_BYTES, "binary");
    return Buffer.from(hash("sha256", outer, "binary"), "binary");
  };
}

/** The key, filled up to a block with zeros and combined with the pad, at the beginning of a buffer. */
function padded(key: KeyObject, pad: number, bytes: number): Buffer {
  const secret = key.export();
  if (secret.length > BLOCK_BYTES) throw new RangeError(`a key has ${secret.length} bytes`);
  const buffer = Buffer.alloc(bytes);
  buffer.fill(pad, 0, BLOCK_BYTES);
  for (const [index, byte] of secret.entries()) buffer[index] = byte ^ pad;
  return buffer;
}

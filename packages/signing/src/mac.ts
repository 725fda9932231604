import { createHmac, timingSafeEqual } from "node:crypto";
import type { KeyObject } from "node:crypto";

/** Truncated to the length RFC 2104 section 5 allows at least: half the hash. */
export const MAC_BYTES = 16;
const LENGTH_BYTES = 4;

/**
 * HMAC-SHA256 over the context and the bytes, the context's length first so that neither can be mistaken
 * for a part of the other; cut to MAC_BYTES.
 */
export function macOf(key: KeyObject, context: string, bytes: Uint8Array): Buffer {
  const contextBytes = Buffer.byteLength(context);
  const input = Buffer.allocUnsafe(LENGTH_BYTES + contextBytes + bytes.length);
  input.writeUInt32BE(contextBytes, 0);
  input.write(context, LENGTH_BYTES);
  input.set(bytes, LENGTH_BYTES + contextBytes);
  return createHmac("sha256", key).update(input).digest().subarray(0, MAC_BYTES);
}

/** Compares in a time that does not depend on where they differ. */
export function sameMac(expected: Uint8Array, given: Uint8Array): boolean {
  return given.length === expected.length && timingSafeEqual(expected, given);
}

/** The bytes of unpadded base64url, or undefined: a text has one accepted spelling. */
export function fromBase64Url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}

import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  randomBytes,
  randomFillSync,
} from "node:crypto";
import type { KeyObject } from "node:crypto";

const ALGORITHM = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NONCES_AT_ONCE = 512;

/** Length of every wrapped key: nonce, key, tag. */
export const WRAPPED_KEY_BYTES = NONCE_BYTES + KEY_BYTES + TAG_BYTES;

const noncePool = Buffer.alloc(NONCES_AT_ONCE * NONCE_BYTES);
let nonceOffset = noncePool.length;

/** AES-256-GCM (NIST SP 800-38D): nonce, ciphertext, tag. `context` is authenticated and not stored. */
export function seal(key: KeyObject, context: string, plain: string | Uint8Array): Uint8Array {
  const nonce = nextNonce();
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context));
  const text = typeof plain === "string" ? cipher.update(plain, "utf8") : cipher.update(plain);
  // The mode is a stream: final() gives no bytes.
  cipher.final();
  return Buffer.concat([nonce, text, cipher.getAuthTag()]);
}

/** @throws when the bytes were changed, or sealed under another key or context. */
export function unseal(key: KeyObject, context: string, sealed: Uint8Array): Buffer {
  const textEnd = sealed.length - TAG_BYTES;
  if (textEnd < NONCE_BYTES) throw new RangeError(`${sealed.length} bytes are not sealed fields`);
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(textEnd));
  const plain = decipher.update(sealed.subarray(NONCE_BYTES, textEnd));
  decipher.final();
  return plain;
}

/** A fresh data key and itself wrapped for the log. */
export function createDataKey(
  wrappingKey: KeyObject,
  context: string,
): { readonly key: KeyObject; readonly wrapped: Uint8Array } {
  const bytes = randomBytes(KEY_BYTES);
  const wrapped = seal(wrappingKey, context, bytes);
  const key = createSecretKey(bytes);
  bytes.fill(0);
  return { key, wrapped };
}

/** @throws when it was wrapped under another root secret, or for another subject. */
export function unwrapDataKey(
  wrappingKey: KeyObject,
  context: string,
  wrapped: Uint8Array,
): KeyObject {
  const bytes = unseal(wrappingKey, context, wrapped);
  const key = createSecretKey(bytes);
  bytes.fill(0);
  return key;
}

/** Drawing many at once costs a tenth of drawing each. */
function nextNonce(): Buffer {
  if (nonceOffset === noncePool.length) {
    randomFillSync(noncePool);
    nonceOffset = 0;
  }
  const nonce = noncePool.subarray(nonceOffset, nonceOffset + NONCE_BYTES);
  nonceOffset += NONCE_BYTES;
  return nonce;
}

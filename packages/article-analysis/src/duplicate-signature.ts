/** Named in `analysedBy.duplicates`; signatures of different versions are not comparable. */
export const DUPLICATES_VERSION = "minhash-1";

/**
 * Values in a signature; the share of equal ones estimates the share of equal shingles (Broder,
 * 1997).
 */
export const SIGNATURE_LENGTH = 96;
/** Wire stories repeat their beginning word for word; endings are cut to length. */
const CHARS_READ_MAX = 4_000;
/** Japanese has no spaces: 5 characters are about two words. */
const WIDE_SHINGLE_CHARS = 5;
const WORDS_PER_SHINGLE = 3;
const WIDE = /[\u3040-\u30ff\u3400-\u9fff]/;
const NO_SHINGLE = 0xffff_ffff;

/**
 * A fingerprint by which articles that tell the same story in nearly the same words are found:
 * minimum hashes over shingles of the text without punctuation, space, case and width.
 * Deterministic. All values are equal for an empty text.
 */
export function duplicateSignature(title: string, text: string): Uint32Array {
  const signature = new Uint32Array(SIGNATURE_LENGTH).fill(NO_SHINGLE);
  for (const hash of shingleHashes(`${title}\n${text.slice(0, CHARS_READ_MAX)}`)) {
    for (let index = 0; index < SIGNATURE_LENGTH; index += 1) {
      // Murmur3's finaliser over the hash and the row: one independent-looking permutation each.
      const value = mix(hash ^ Math.imul(index + 1, 0x9e37_79b1));
      if (value < (signature[index] ?? 0)) signature[index] = value;
    }
  }
  return signature;
}

/** Estimated share of shingles that two signatures have in common, 0 to 1. */
export function similarityOf(a: Uint32Array, b: Uint32Array): number {
  let equal = 0;
  for (let index = 0; index < SIGNATURE_LENGTH; index += 1) {
    if (a[index] === b[index] && a[index] !== NO_SHINGLE) equal += 1;
  }
  return equal / SIGNATURE_LENGTH;
}

function shingleHashes(text: string): ReadonlySet<number> {
  const folded = text.normalize("NFKC").toLowerCase();
  const hashes = new Set<number>();
  if (WIDE.test(folded)) {
    const letters = folded.replaceAll(/[^\p{L}\p{N}]+/gu, "");
    for (let at = 0; at + WIDE_SHINGLE_CHARS <= letters.length; at += 1) {
      hashes.add(hashOf(letters.slice(at, at + WIDE_SHINGLE_CHARS)));
    }
    return hashes;
  }
  const words = folded.match(/[\p{L}\p{N}]+/gu) ?? [];
  for (let at = 0; at + WORDS_PER_SHINGLE <= words.length; at += 1) {
    hashes.add(hashOf(words.slice(at, at + WORDS_PER_SHINGLE).join(" ")));
  }
  return hashes;
}

/** FNV-1a, 32 bits, over UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  }
  return hash >>> 0;
}

function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

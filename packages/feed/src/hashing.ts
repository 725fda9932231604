/** 32-bit FNV-1a (Fowler, Noll, Vo) over UTF-16 units: short, stable names for what a walk has shown. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash ^= text.charCodeAt(at);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

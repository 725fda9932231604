import { createSecretKey, hkdfSync } from "node:crypto";
import type { KeyObject } from "node:crypto";

const KEY_BYTES = 32;
const SALT = "content-feed/1";
const DAY_MS = 24 * 3_600_000;

/** How long a rotating purpose signs with one key. */
export const KEY_PERIOD_MS = 30 * DAY_MS;
/** How far the clocks of two processes may be apart. */
export const CLOCK_SKEW_MS_MAX = 5 * 60_000;

/** Keys that change every KEY_PERIOD_MS. */
export type RotatingPurpose = "cursor" | "token" | "picture" | "object";
/** Keys that never change: their results are stored, or gone within minutes (`sign-in`). */
export type FixedPurpose =
  | "pseudonym"
  | "key-wrapping"
  | "webhook-secret"
  | "people"
  | "person-ref"
  | "identity-ref"
  | "sign-in";

export interface PurposeKeys {
  fixed(purpose: FixedPurpose): KeyObject;
  /** Undefined for a period that is not a number the clock has reached. */
  rotating(purpose: RotatingPurpose, period: number, nowMs: number): KeyObject | undefined;
}

/** Number of the key that signs at an instant; it travels with what is signed. */
export function periodAt(atMs: number): number {
  return Math.floor(atMs / KEY_PERIOD_MS);
}

/**
 * One key for each purpose, by HKDF-SHA256 (RFC 5869) with the purpose as info: what is signed for one
 * purpose never passes as another. Keys are KeyObjects: a MAC with a raw key takes six times as long.
 */
export function derivePurposeKeys(root: Uint8Array): PurposeKeys {
  const derived = new Map<string, KeyObject>();
  const derive = (info: string): KeyObject => {
    const known = derived.get(info);
    if (known !== undefined) return known;
    const key = createSecretKey(new Uint8Array(hkdfSync("sha256", root, SALT, info, KEY_BYTES)));
    derived.set(info, key);
    return key;
  };
  return {
    fixed: (purpose) => derive(purpose),
    rotating: (purpose, period, nowMs) => {
      // Bounds the cache too: a forged period derives nothing.
      const reached =
        Number.isInteger(period) && period >= 0 && period <= periodAt(nowMs + CLOCK_SKEW_MS_MAX);
      return reached ? derive(`${purpose}:${period}`) : undefined;
    },
  };
}

/** Whether a key of this period may still have signed something that is valid for `validityMs`. */
export function periodAccepted(period: number, nowMs: number, validityMs: number): boolean {
  return period >= periodAt(nowMs - validityMs - CLOCK_SKEW_MS_MAX);
}

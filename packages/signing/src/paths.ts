import { fromBase64Url, macOf, sameMac } from "./mac.ts";
import { CLOCK_SKEW_MS_MAX, KEY_PERIOD_MS, periodAccepted, periodAt } from "./purpose-keys.ts";
import type { PurposeKeys } from "./purpose-keys.ts";
import type { SigningClock } from "./signing-clock.ts";

const NO_BYTES = new Uint8Array(0);
const NUMBER_BASE = 36;
const NEVER = "-";

export type PathPurpose = "picture" | "object";
export type PathCheck = "valid" | "expired" | "invalid";

export interface PathSigning {
  /**
   * Signature of an address, safe in a path or a query: `<key number>.<expiry or ->.<MAC>`. The same for the
   * same arguments until the key rotates, so that addresses can be cached.
   *
   * `expiresAtMs` null: no expiry, but it ends with the key, after one to two periods of 30 days (spec 2.3).
   * @throws RangeError when it would expire after its key.
   */
  signPath(purpose: PathPurpose, path: string, expiresAtMs: number | null): string;
  verifyPath(purpose: PathPurpose, path: string, signature: string): PathCheck;
}

/** Signed addresses of pictures and stored objects. The key before the current one is accepted too. */
export function createPathSigning(keys: PurposeKeys, clock: SigningClock): PathSigning {
  return {
    signPath: (purpose, path, expiresAtMs) => {
      const nowMs = clock.nowMs();
      if (expiresAtMs !== null && expiresAtMs > nowMs + KEY_PERIOD_MS) {
        throw new RangeError(
          `an address of ${path} can't outlive its key: ${expiresAtMs - nowMs} ms`,
        );
      }
      const head = `${periodAt(nowMs).toString(NUMBER_BASE)}.${expiresAtMs?.toString(NUMBER_BASE) ?? NEVER}`;
      const key = keys.rotating(purpose, periodAt(nowMs), nowMs);
      if (key === undefined) throw new RangeError(`the clock reads ${nowMs}`);
      return `${head}.${macOf(key, `${head}.${path}`, NO_BYTES).toString("base64url")}`;
    },
    verifyPath: (purpose, path, signature) => {
      const [period, expiry, mac, ...rest] = signature.split(".");
      const macBytes = mac === undefined ? undefined : fromBase64Url(mac);
      if (
        period === undefined ||
        expiry === undefined ||
        macBytes === undefined ||
        rest.length > 0
      ) {
        return "invalid";
      }
      const nowMs = clock.nowMs();
      const periodNumber = Number.parseInt(period, NUMBER_BASE);
      const key = keys.rotating(purpose, periodNumber, nowMs);
      if (
        key === undefined ||
        !sameMac(macOf(key, `${period}.${expiry}.${path}`, NO_BYTES), macBytes)
      ) {
        return "invalid";
      }
      if (!periodAccepted(periodNumber, nowMs, KEY_PERIOD_MS)) return "expired";
      if (expiry === NEVER) return "valid";
      return nowMs > Number.parseInt(expiry, NUMBER_BASE) + CLOCK_SKEW_MS_MAX ? "expired" : "valid";
    },
  };
}

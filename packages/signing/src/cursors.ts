import { fromBase64Url, MAC_BYTES, macOf, sameMac } from "./mac.ts";
import { periodAccepted, periodAt } from "./purpose-keys.ts";
import type { PurposeKeys } from "./purpose-keys.ts";
import type { SigningClock } from "./signing-clock.ts";

const FORMAT = 1;
const HEADER_BYTES = 3;
/** A walk is bounded by its snapshot and its length; a cursor older than this is nobody's next page. */
const CURSOR_VALIDITY_MS = 24 * 3_600_000;

export interface Cursors {
  /**
   * An opaque cursor that can be read back with the same binding alone. Signed, not encrypted: a payload
   * holds nothing the caller may not know. At least for a day.
   */
  sealCursor(payload: Uint8Array, binding: string): string;
  /** The payload; undefined when the cursor was changed, was made for another binding, or is too old. */
  openCursor(cursor: string, binding: string): Uint8Array | undefined;
}

/** Cursors: base64url of format (1 byte), period (2), payload, MAC over binding and all before. */
export function createCursors(keys: PurposeKeys, clock: SigningClock): Cursors {
  return {
    sealCursor: (payload, binding) => {
      const nowMs = clock.nowMs();
      const period = periodAt(nowMs);
      const key = keys.rotating("cursor", period, nowMs);
      if (key === undefined) throw new RangeError(`the clock reads ${nowMs}`);
      const signed = Buffer.allocUnsafe(HEADER_BYTES + payload.length);
      signed.writeUInt8(FORMAT, 0);
      signed.writeUInt16BE(period, 1);
      signed.set(payload, HEADER_BYTES);
      return Buffer.concat([signed, macOf(key, binding, signed)]).toString("base64url");
    },
    openCursor: (cursor, binding) => {
      const bytes = fromBase64Url(cursor);
      if (bytes === undefined || bytes.length < HEADER_BYTES + MAC_BYTES || bytes[0] !== FORMAT)
        return undefined;
      const nowMs = clock.nowMs();
      const period = bytes.readUInt16BE(1);
      if (!periodAccepted(period, nowMs, CURSOR_VALIDITY_MS)) return undefined;
      const key = keys.rotating("cursor", period, nowMs);
      const signed = bytes.subarray(0, -MAC_BYTES);
      const mac = bytes.subarray(-MAC_BYTES);
      if (key === undefined || !sameMac(macOf(key, binding, signed), mac)) return undefined;
      return signed.subarray(HEADER_BYTES);
    },
  };
}

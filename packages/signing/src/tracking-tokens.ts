import type { DeliveryOrigin } from "@feed/domain/facts";
import { asId } from "@feed/domain/ids";
import type { ContentId, TenantId } from "@feed/domain/ids";
import { TRACKING_TOKEN_TTL_MS } from "@feed/domain/limits";
import { fromBase64Url, MAC_BYTES, macOf, sameMac } from "./mac.ts";
import { CLOCK_SKEW_MS_MAX, periodAt } from "./purpose-keys.ts";
import type { PurposeKeys } from "./purpose-keys.ts";
import type { SigningClock } from "./signing-clock.ts";

const FORMAT = 1;
const TIME_BYTES = 6;
const FIXED_BYTES = 1 + TIME_BYTES + 1;
const LENGTH_BYTES = 2;
const POSITION_BYTES = 2;
const TOKEN_CHARS_MAX = 4_096;
const SURFACES = ["feed", "push"] as const;

export interface TrackingClaims {
  readonly tenantId: TenantId;
  readonly contentId: ContentId;
  readonly origin: DeliveryOrigin;
}

/** What all tokens of one page or of one user's push candidates have in common. */
export type DeliveryClaims = Pick<TrackingClaims, "tenantId"> & Omit<DeliveryOrigin, "position">;

export type TokenCheck =
  | { readonly kind: "valid"; readonly contentId: ContentId; readonly origin: DeliveryOrigin }
  /** Genuine, but older than TRACKING_TOKEN_TTL_MS: the event counts, unlinked. */
  | { readonly kind: "expired" }
  /** Changed, forged, or of another tenant. */
  | { readonly kind: "invalid" };

export interface TrackingTokens {
  signTrackingToken(claims: TrackingClaims): string;
  /** The same tokens, made faster for many contents of one delivery. */
  trackingTokenSigner(delivery: DeliveryClaims): (contentId: ContentId, position: number) => string;
  verifyTrackingToken(token: string, tenantId: TenantId): TokenCheck;
}

/**
 * Tracking tokens: base64url of format (1 byte), delivery time (6), surface (1), scenario, delivery id,
 * content id (each after its length in 2 bytes), position (2), MAC (16). The MAC covers the tenant too.
 * Its key is that of the delivery time, so equal claims always give equal tokens.
 */
export function createTrackingTokens(keys: PurposeKeys, clock: SigningClock): TrackingTokens {
  const trackingTokenSigner = (delivery: DeliveryClaims) => {
    const head = encodeHead(delivery);
    const key = keys.rotating("token", periodAt(delivery.deliveredAtMs), clock.nowMs());
    if (key === undefined)
      throw new RangeError(`delivered at ${delivery.deliveredAtMs}, in the future`);
    return (contentId: ContentId, position: number): string => {
      const contentBytes = Buffer.byteLength(contentId);
      const signedBytes = head.length + LENGTH_BYTES + contentBytes + POSITION_BYTES;
      const token = Buffer.allocUnsafe(signedBytes + MAC_BYTES);
      token.set(head, 0);
      token.writeUInt16BE(contentBytes, head.length);
      token.write(contentId, head.length + LENGTH_BYTES);
      token.writeUInt16BE(position, signedBytes - POSITION_BYTES);
      token.set(macOf(key, delivery.tenantId, token.subarray(0, signedBytes)), signedBytes);
      return token.toString("base64url");
    };
  };
  return {
    trackingTokenSigner,
    signTrackingToken: ({ tenantId, contentId, origin }) =>
      trackingTokenSigner({ tenantId, ...origin })(contentId, origin.position),
    verifyTrackingToken: (token, tenantId) => {
      const bytes = token.length > TOKEN_CHARS_MAX ? undefined : fromBase64Url(token);
      if (bytes === undefined || bytes.length < FIXED_BYTES + MAC_BYTES || bytes[0] !== FORMAT) {
        return { kind: "invalid" };
      }
      const signed = bytes.subarray(0, -MAC_BYTES);
      const deliveredAtMs = signed.readUIntBE(1, TIME_BYTES);
      const nowMs = clock.nowMs();
      const key = keys.rotating("token", periodAt(deliveredAtMs), nowMs);
      if (key === undefined || !sameMac(macOf(key, tenantId, signed), bytes.subarray(-MAC_BYTES))) {
        return { kind: "invalid" };
      }
      if (nowMs > deliveredAtMs + TRACKING_TOKEN_TTL_MS + CLOCK_SKEW_MS_MAX)
        return { kind: "expired" };
      return decodeClaims(signed, deliveredAtMs);
    },
  };
}

function encodeHead({ surface, scenario, deliveryId, deliveredAtMs }: DeliveryClaims): Buffer {
  const scenarioBytes = Buffer.byteLength(scenario);
  const deliveryBytes = Buffer.byteLength(deliveryId);
  const head = Buffer.allocUnsafe(FIXED_BYTES + 2 * LENGTH_BYTES + scenarioBytes + deliveryBytes);
  head.writeUInt8(FORMAT, 0);
  head.writeUIntBE(deliveredAtMs, 1, TIME_BYTES);
  head.writeUInt8(SURFACES.indexOf(surface), 1 + TIME_BYTES);
  const afterScenario = writeText(head, scenario, scenarioBytes, FIXED_BYTES);
  writeText(head, deliveryId, deliveryBytes, afterScenario);
  return head;
}

function writeText(target: Buffer, text: string, textBytes: number, offset: number): number {
  target.writeUInt16BE(textBytes, offset);
  target.write(text, offset + LENGTH_BYTES);
  return offset + LENGTH_BYTES + textBytes;
}

/** The MAC has been checked: the fields are as they were written. */
function decodeClaims(signed: Buffer, deliveredAtMs: number): TokenCheck {
  let offset = FIXED_BYTES;
  const readText = (): string => {
    const start = offset + LENGTH_BYTES;
    offset = start + signed.readUInt16BE(offset);
    return signed.toString("utf8", start, offset);
  };
  const surface = signed.readUInt8(1 + TIME_BYTES) === 0 ? "feed" : "push";
  const scenario = readText();
  const deliveryId = readText();
  const contentId = asId<ContentId>(readText());
  const position = signed.readUInt16BE(offset);
  return {
    kind: "valid",
    contentId,
    origin: { surface, scenario, deliveryId, position, deliveredAtMs },
  };
}

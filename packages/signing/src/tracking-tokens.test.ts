import type { DeliveryOrigin } from "@feed/domain/facts";
import { asId } from "@feed/domain/ids";
import type { ContentId, TenantId } from "@feed/domain/ids";
import { TRACKING_TOKEN_TTL_MS } from "@feed/domain/limits";
import { manualClock } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { openKeyring } from "./keyring.ts";

const startMs = Date.UTC(2026, 10, 1);
const tenantId = asId<TenantId>("tenant-1");
const contentId = asId<ContentId>("content-1");
const origin: DeliveryOrigin = {
  surface: "feed",
  scenario: "朝のニュース",
  deliveryId: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
  position: 299,
  deliveredAtMs: startMs,
};

function setUp() {
  const clock = manualClock(startMs);
  const keyring = openKeyring({ root: new Uint8Array(32).fill(7), clock });
  return { clock, keyring, token: keyring.signTrackingToken({ tenantId, contentId, origin }) };
}

describe("a tracking token", () => {
  it("gives back content and origin to the tenant it was made for", () => {
    const { keyring, token } = setUp();
    expect(keyring.verifyTrackingToken(token, tenantId)).toEqual({
      kind: "valid",
      contentId,
      origin,
    });
  });

  it("carries the surface push", () => {
    const { keyring } = setUp();
    const push = { ...origin, surface: "push" as const };
    const token = keyring.signTrackingToken({ tenantId, contentId, origin: push });
    expect(keyring.verifyTrackingToken(token, tenantId)).toMatchObject({
      origin: { surface: "push" },
    });
  });

  it("is the same from a page's signer", () => {
    const { keyring, token } = setUp();
    expect(keyring.trackingTokenSigner({ tenantId, ...origin })(contentId, 299)).toBe(token);
  });

  it("is invalid for another tenant", () => {
    const { keyring, token } = setUp();
    expect(keyring.verifyTrackingToken(token, asId<TenantId>("tenant-2"))).toEqual({
      kind: "invalid",
    });
  });

  it("is invalid under another root secret", () => {
    const { clock, token } = setUp();
    const other = openKeyring({ root: new Uint8Array(32).fill(8), clock });
    expect(other.verifyTrackingToken(token, tenantId)).toEqual({ kind: "invalid" });
  });

  it("is invalid when any one bit is changed", () => {
    const { keyring, token } = setUp();
    const bytes = Buffer.from(token, "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const check = keyring.verifyTrackingToken(changed.toString("base64url"), tenantId);
      expect(check, `bit ${bit}`).toEqual({ kind: "invalid" });
    }
  });

  it.each(["", "AQ", "not a token", "A".repeat(100_000), "💥", `${"AQAA"}=`])(
    "%j is invalid",
    (text) => {
      expect(setUp().keyring.verifyTrackingToken(text.slice(0, 5_000), tenantId)).toEqual({
        kind: "invalid",
      });
    },
  );

  it("is invalid when spelled otherwise: padded, cut or continued", () => {
    const { keyring, token } = setUp();
    for (const text of [`${token}=`, `${token}A`, token.slice(0, -1), ` ${token}`]) {
      expect(keyring.verifyTrackingToken(text, tenantId)).toEqual({ kind: "invalid" });
    }
  });

  it("is valid for 90 days over every rotation of the keys, then expired", () => {
    const { clock, keyring, token } = setUp();
    clock.set(startMs + TRACKING_TOKEN_TTL_MS);
    expect(keyring.verifyTrackingToken(token, tenantId).kind).toBe("valid");
    clock.advance(3_600_000);
    expect(keyring.verifyTrackingToken(token, tenantId)).toEqual({ kind: "expired" });
  });

  it("does not pass as a cursor, nor a cursor as a token", () => {
    const { keyring, token } = setUp();
    expect(keyring.openCursor(token, tenantId)).toBeUndefined();
    const cursor = keyring.sealCursor(new Uint8Array(40).fill(1), tenantId);
    expect(keyring.verifyTrackingToken(cursor, tenantId)).toEqual({ kind: "invalid" });
  });
});

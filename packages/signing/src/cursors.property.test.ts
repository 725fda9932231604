import { manualClock } from "@feed/test-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openKeyring } from "./keyring.ts";
import { KEY_PERIOD_MS } from "./purpose-keys.ts";

const clock = manualClock(KEY_PERIOD_MS * 700);
const keyring = openKeyring({ root: new Uint8Array(32).fill(7), clock });
const payload = fc.uint8Array({ maxLength: 200 });
const binding = fc.string({ unit: "grapheme", maxLength: 40 });
const RUNS = { numRuns: 500 };

describe("a cursor, whatever it holds", () => {
  it("gives back what was sealed, under the same binding and no other", () => {
    fc.assert(
      fc.property(payload, binding, binding, (bytes, own, foreign) => {
        const cursor = keyring.sealCursor(bytes, own);
        expect(keyring.openCursor(cursor, own)).toEqual(Buffer.from(bytes));
        fc.pre(own !== foreign);
        expect(keyring.openCursor(cursor, foreign)).toBeUndefined();
      }),
      RUNS,
    );
  });

  it("is safe in an address", () => {
    fc.assert(
      fc.property(payload, binding, (bytes, own) => {
        expect(keyring.sealCursor(bytes, own)).toMatch(/^[A-Za-z0-9_-]+$/);
      }),
      RUNS,
    );
  });

  it("is refused after any change of its text: replaced, cut, put in, doubled or swapped", () => {
    const change = fc.record({
      from: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.nat(8),
      put: fc.oneof(fc.string({ maxLength: 8 }), fc.base64String({ maxLength: 8 })),
    });
    fc.assert(
      fc.property(payload, binding, change, (bytes, own, { from, length, put }) => {
        const cursor = keyring.sealCursor(bytes, own);
        const at = Math.floor(from * cursor.length);
        const changed = cursor.slice(0, at) + put + cursor.slice(at + length);
        fc.pre(changed !== cursor);
        expect(keyring.openCursor(changed, own)).toBeUndefined();
      }),
      RUNS,
    );
  });

  it("is refused when it is put together from two others", () => {
    fc.assert(
      fc.property(payload, payload, binding, fc.nat(300), (one, other, own, at) => {
        const [first, second] = [keyring.sealCursor(one, own), keyring.sealCursor(other, own)];
        const mixed = first.slice(0, at) + second.slice(at);
        fc.pre(mixed !== first && mixed !== second);
        expect(keyring.openCursor(mixed, own)).toBeUndefined();
      }),
      RUNS,
    );
  });

  it("is never opened, and never an error, when it is made up", () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.base64String(), payload.map(asText));
    fc.assert(
      fc.property(text, binding, (madeUp, own) => {
        expect(keyring.openCursor(madeUp, own)).toBeUndefined();
      }),
      RUNS,
    );
  });
});

/** Bytes that begin as a cursor does. */
function asText(bytes: Uint8Array): string {
  return Buffer.concat([Uint8Array.of(1, 2, 188), bytes]).toString("base64url");
}

import { manualClock } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { openKeyring } from "./keyring.ts";
import { KEY_PERIOD_MS } from "./purpose-keys.ts";

const startMs = KEY_PERIOD_MS * 700;
const binding = "tenant-1|main|user-1|areas=";
const payload = Uint8Array.of(0, 1, 2, 255);

function setUp() {
  const clock = manualClock(startMs);
  const keyring = openKeyring({ root: new Uint8Array(32).fill(7), clock });
  return { clock, keyring, cursor: keyring.sealCursor(payload, binding) };
}

describe("a cursor", () => {
  it("gives back its payload under the binding it was made for", () => {
    const { keyring, cursor } = setUp();
    expect(keyring.openCursor(cursor, binding)).toEqual(Buffer.from(payload));
  });

  it("is refused for another tenant, scenario, user or filter", () => {
    const { keyring, cursor } = setUp();
    for (const foreign of ["tenant-2|main|user-1|areas=", "tenant-1|main|user-1|areas=tokyo", ""]) {
      expect(keyring.openCursor(cursor, foreign)).toBeUndefined();
    }
  });

  it("is refused when bytes move from the payload into the binding", () => {
    const { keyring } = setUp();
    const bytes = Buffer.from(keyring.sealCursor(Buffer.from("xy"), "a"), "base64url");
    const moved = Buffer.concat([bytes.subarray(0, 3), bytes.subarray(4)]);
    expect(keyring.openCursor(moved.toString("base64url"), "ax")).toBeUndefined();
  });

  it("is refused when any one bit is changed", () => {
    const { keyring, cursor } = setUp();
    const bytes = Buffer.from(cursor, "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(
        keyring.openCursor(changed.toString("base64url"), binding),
        `bit ${bit}`,
      ).toBeUndefined();
    }
  });

  it.each(["", "A", "AAAA", "%", "あ"])("%j is refused", (text) => {
    expect(setUp().keyring.openCursor(text, binding)).toBeUndefined();
  });

  it("outlives a rotation by a day and is refused two rotations later", () => {
    const { clock, keyring } = setUp();
    clock.set(startMs + KEY_PERIOD_MS - 1);
    const cursor = keyring.sealCursor(payload, binding);
    clock.advance(24 * 3_600_000);
    expect(keyring.openCursor(cursor, binding)).toBeDefined();
    clock.advance(KEY_PERIOD_MS);
    expect(keyring.openCursor(cursor, binding)).toBeUndefined();
  });

  it("is accepted by a process whose clock is behind by less than five minutes", () => {
    const { clock, keyring, cursor } = setUp();
    clock.advance(-4 * 60_000);
    expect(keyring.openCursor(cursor, binding)).toBeDefined();
    clock.advance(-2 * 60_000);
    expect(keyring.openCursor(cursor, binding)).toBeUndefined();
  });
});

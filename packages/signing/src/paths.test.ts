import { manualClock } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { openKeyring } from "./keyring.ts";
import { KEY_PERIOD_MS } from "./purpose-keys.ts";

const startMs = KEY_PERIOD_MS * 700 + 3_600_000;
const path = "/pictures/0a1b/640x360";
const hourMs = 3_600_000;

function setUp() {
  const clock = manualClock(startMs);
  return { clock, keyring: openKeyring({ root: new Uint8Array(32).fill(7), clock }) };
}

describe("a signed address", () => {
  it("is valid for its path and purpose alone", () => {
    const { keyring } = setUp();
    const signature = keyring.signPath("picture", path, null);
    expect(keyring.verifyPath("picture", path, signature)).toBe("valid");
    expect(keyring.verifyPath("picture", `${path}0`, signature)).toBe("invalid");
    expect(keyring.verifyPath("object", path, signature)).toBe("invalid");
  });

  it("needs no escaping in an address", () => {
    const signature = setUp().keyring.signPath("picture", path, startMs + 1);
    expect(encodeURIComponent(signature)).toBe(signature);
  });

  it("stays the same until the key rotates, so that it can be cached", () => {
    const { clock, keyring } = setUp();
    const first = keyring.signPath("picture", path, null);
    clock.advance(hourMs);
    expect(keyring.signPath("picture", path, null)).toBe(first);
    clock.advance(KEY_PERIOD_MS);
    expect(keyring.signPath("picture", path, null)).not.toBe(first);
  });

  it("without expiry is valid during the period after its own, then expired", () => {
    const { clock, keyring } = setUp();
    const signature = keyring.signPath("picture", path, null);
    clock.advance(KEY_PERIOD_MS);
    expect(keyring.verifyPath("picture", path, signature)).toBe("valid");
    clock.advance(KEY_PERIOD_MS);
    expect(keyring.verifyPath("picture", path, signature)).toBe("expired");
  });

  it("with an expiry is valid until then, over a rotation too", () => {
    const { clock, keyring } = setUp();
    clock.set(KEY_PERIOD_MS * 701 - 1);
    const signature = keyring.signPath("object", path, clock.nowMs() + hourMs);
    clock.advance(hourMs);
    expect(keyring.verifyPath("object", path, signature)).toBe("valid");
    clock.advance(hourMs);
    expect(keyring.verifyPath("object", path, signature)).toBe("expired");
  });

  it("can't be given a later expiry by its holder", () => {
    const { keyring } = setUp();
    const [period, , mac] = keyring.signPath("object", path, startMs + hourMs).split(".");
    const later = `${period}.${(startMs + 2 * hourMs).toString(36)}.${mac}`;
    expect(keyring.verifyPath("object", path, later)).toBe("invalid");
    expect(keyring.verifyPath("object", path, `${period}.-.${mac}`)).toBe("invalid");
  });

  it.each([
    "",
    ".",
    "..",
    "a.b",
    "zzzzzzzz.-.AAAA",
    "-1.-.AAAA",
    "a.b.c.d",
    "..AAAAAAAAAAAAAAAAAAAAAA",
  ])("%j is invalid", (signature) => {
    expect(setUp().keyring.verifyPath("picture", path, signature)).toBe("invalid");
  });

  it("can't be asked to outlive its key", () => {
    const { keyring } = setUp();
    const expiresAtMs = startMs + KEY_PERIOD_MS + 1;
    expect(() => keyring.signPath("object", path, expiresAtMs)).toThrow(RangeError);
  });
});

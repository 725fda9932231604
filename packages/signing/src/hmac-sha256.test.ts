import { createHmac, createSecretKey } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hmacSha256 } from "./hmac-sha256.ts";

const bytes = (count: number) => Uint8Array.from({ length: count }, (_, index) => index * 7 + 1);

describe("HMAC-SHA256 by one-shot hashes", () => {
  // Case 2 of RFC 4231.
  it("is what RFC 4231 says", () => {
    const hmac = hmacSha256(createSecretKey(Buffer.from("Jefe")));
    expect(hmac("what do ya want for nothing?").toString("hex")).toBe(
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
  });

  it.each([1, 32, 64])("is Node's own, for keys of %i bytes and texts of any length", (length) => {
    const key = createSecretKey(bytes(length));
    const hmac = hmacSha256(key);
    for (const text of [
      "",
      "a",
      "ユーザー🦊",
      "x".repeat(63),
      "é".repeat(400),
      "字".repeat(5_000),
      "b",
    ])
      expect(hmac(text)).toEqual(createHmac("sha256", key).update(text).digest());
  });

  it("is refused for a key that is longer than a block", () => {
    expect(() => hmacSha256(createSecretKey(bytes(65)))).toThrow(RangeError);
  });
});

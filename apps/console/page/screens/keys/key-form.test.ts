import { expect, it } from "vitest";
import { isInForce, keyWriteOf, NEW_KEY } from "./key-form.ts";

it("makes a live key with every scope that never expires, unless the form says otherwise", () => {
  expect(keyWriteOf(NEW_KEY)).toEqual({
    name: "",
    kind: "live",
    scopes: ["feed", "users", "events", "push"],
    expires_at: null,
  });
});

it("takes the end of a key as a time in Japan", () => {
  expect(keyWriteOf({ ...NEW_KEY, expires: "2026-12-01T00:00" }).expires_at).toBe(
    "2026-11-30T15:00:00.000Z",
  );
});

it("has a key in force until the instant it expires", () => {
  const key = { expires_at: "2026-11-30T15:00:00.000Z" };
  expect(isInForce(key, Date.parse(key.expires_at) - 1)).toBe(true);
  expect(isInForce(key, Date.parse(key.expires_at))).toBe(false);
  expect(isInForce({ expires_at: null }, Date.parse(key.expires_at))).toBe(true);
});

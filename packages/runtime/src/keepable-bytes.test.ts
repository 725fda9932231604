import { expect, it } from "vitest";
import { keepableBytes } from "./keepable-bytes.ts";

it("Bytes to be kept lie in memory of their own, of their own size", () => {
  const text = Buffer.from("a feed");
  expect(text.buffer.byteLength).toBeGreaterThan(text.byteLength);
  const kept = keepableBytes(text);
  expect(kept.toString()).toBe("a feed");
  expect(kept.buffer.byteLength).toBe(kept.byteLength);
});

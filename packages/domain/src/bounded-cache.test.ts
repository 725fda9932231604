import { describe, expect, it } from "vitest";
import { BoundedCache } from "./bounded-cache.ts";

describe("A bounded cache", () => {
  it("keeps what is used and lets go of what is not", () => {
    const cache = new BoundedCache<string, number>(10);
    cache.set("kept", 1);
    cache.set("idle", 2);
    for (let at = 0; at < 100; at += 1) {
      cache.set(`passing-${at}`, at);
      expect(cache.get("kept")).toBe(1);
    }
    expect(cache.get("idle")).toBeUndefined();
    expect(cache.get("passing-0")).toBeUndefined();
    expect(cache.get("passing-99")).toBe(99);
  });

  it("never holds more than its bound", () => {
    const cache = new BoundedCache<number, number>(10);
    for (let at = 0; at < 1_000; at += 1) cache.set(at, at);
    const held = Array.from({ length: 1_000 }, (_, at) => cache.get(at)).filter(
      (value) => value !== undefined,
    );
    expect(held.length).toBeLessThanOrEqual(10);
    expect(held.length).toBeGreaterThanOrEqual(5);
  });

  it("forgets what is deleted, in either generation", () => {
    const cache = new BoundedCache<number, number>(4);
    for (const at of [1, 2, 3]) cache.set(at, at);
    cache.delete(1);
    cache.delete(3);
    expect([1, 2, 3].map((at) => cache.get(at))).toEqual([undefined, 2, undefined]);
  });
});

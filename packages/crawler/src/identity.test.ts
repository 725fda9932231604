import { asId } from "@feed/domain/ids";
import type { SourceId } from "@feed/domain/ids";
import { describe, expect, it } from "vitest";
import { canonicalUrlOf, contentIdOf } from "./identity.ts";

describe("the id of an article", () => {
  it("is always the same for its source and identity, and no other's", () => {
    const id = contentIdOf(asId<SourceId>("a"), "tag:1");
    // Fixed: a change of it would publish every article anew.
    expect(id).toBe("56679f71c5ac0cc809422c3d943e1fe4");
    expect(contentIdOf(asId<SourceId>("b"), "tag:1")).not.toBe(id);
    expect(contentIdOf(asId<SourceId>("at"), "ag:1")).not.toBe(id);
  });
});

describe("an article's address", () => {
  it.each([
    ["https://p.example/1?utm_source=x&id=2&fbclid=3#part", "https://p.example/1?id=2"],
    ["https://p.example/1?ref=rss", "https://p.example/1"],
    ["https://p.example/1?ref=4711", "https://p.example/1?ref=4711"],
    ["https://P.example:443/a/../1", "https://p.example/1"],
  ])("%s is that of %s", (address, expected) => {
    expect(canonicalUrlOf(address)).toBe(expected);
  });
});

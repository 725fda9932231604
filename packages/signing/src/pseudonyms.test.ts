import { asId } from "@feed/domain/ids";
import type { TenantId, UserId, UserRef } from "@feed/domain/ids";
import { manualClock } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { eventIdOf } from "./event-id.ts";
import { openKeyring } from "./keyring.ts";
import { murmur2, partitionOf } from "./murmur2.ts";
import { KEY_PERIOD_MS } from "./purpose-keys.ts";
import { userPartition } from "./pseudonyms.ts";

const clock = manualClock(0);
const { pseudonyms } = openKeyring({ root: new Uint8Array(32).fill(7), clock });
const tenant = asId<TenantId>("tenant-1");
const user = asId<UserId>("alice@example.com");

describe("pseudonyms", () => {
  it("are 22 characters that differ by kind, tenant, id and generation", () => {
    const otherTenant = asId<TenantId>("tenant-2");
    const all = [
      pseudonyms.userRef(tenant, user),
      pseudonyms.userRef(otherTenant, user),
      pseudonyms.subjectOfUser(tenant, user, 0),
      pseudonyms.subjectOfUser(tenant, user, 1),
      pseudonyms.subjectOfUser(otherTenant, user, 0),
      pseudonyms.subjectOfSession(tenant, user),
      pseudonyms.sessionRef(tenant, user),
      pseudonyms.subjectOfEvent(tenant, user),
    ];
    expect(new Set(all).size).toBe(all.length);
    for (const pseudonym of all) expect(pseudonym).toMatch(/^[A-Za-z0-9_-]{22}$/);
  });

  it("keep where one part ends and the next begins", () => {
    const left = pseudonyms.userRef(asId<TenantId>("ab"), asId<UserId>("c"));
    expect(left).not.toBe(pseudonyms.userRef(asId<TenantId>("a"), asId<UserId>("bc")));
  });

  it("never change while other keys rotate", () => {
    const before = pseudonyms.userRef(tenant, user);
    clock.advance(KEY_PERIOD_MS * 10);
    const reopened = openKeyring({ root: new Uint8Array(32).fill(7), clock });
    expect(reopened.pseudonyms.userRef(tenant, user)).toBe(before);
  });

  it("can't be made without the root secret", () => {
    const other = openKeyring({ root: new Uint8Array(32).fill(8), clock });
    expect(other.pseudonyms.userRef(tenant, user)).not.toBe(pseudonyms.userRef(tenant, user));
  });
});

describe("the partition of a key", () => {
  // The vectors of Kafka's own test of murmur2.
  it.each([
    ["21", -973_932_308],
    ["foobar", -790_332_482],
    ["a-little-bit-long-string", -985_981_536],
    ["a-little-bit-longer-string", -1_486_304_829],
    ["lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58_897_971],
    ["abc", 479_470_107],
  ])("is by Kafka's murmur2: %s", (key, expected) => {
    expect(murmur2(Buffer.from(key))).toBe(expected);
    expect(partitionOf(key, 64)).toBe((expected & 0x7fffffff) % 64);
  });

  it("reaches every partition", () => {
    const refs = Array.from({ length: 2_000 }, (_, index) => asId<UserRef>(`user-${index}`));
    expect(new Set(refs.map((ref) => userPartition(ref, 64))).size).toBe(64);
  });
});

describe("the id of an event sent without one", () => {
  const event = { type: "click", user_id: "u", metadata: { a: [1, { b: null, c: "x" }], d: true } };

  it("does not depend on the order of its fields", () => {
    const reordered = {
      metadata: { d: true, a: [1, { c: "x", b: null }] },
      user_id: "u",
      type: "click",
    };
    expect(eventIdOf(reordered)).toBe(eventIdOf(event));
  });

  it("differs when any field differs", () => {
    const ids = [
      event,
      { ...event, type: "like" },
      { ...event, extra: null },
      { ...event, metadata: { ...event.metadata, a: [{ b: null, c: "x" }, 1] } },
      { ...event, metadata: { ...event.metadata, d: "true" } },
    ].map(eventIdOf);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("is the SHA-256 of its canonical JSON", () => {
    expect(eventIdOf({ b: 1, a: "é" })).toBe("qlj7qEg2I77TfBsC7fzL3ZpTEjg3wgv6TLQEmZOihy4");
  });
});

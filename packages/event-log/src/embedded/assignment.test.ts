import { describe, expect, it } from "vitest";

import { assignedTo } from "./assignment.ts";

describe("the assignment of partitions", () => {
  it("gives every partition to exactly one member, in shares that differ by one at most", () => {
    const members = ["c", "a", "b"].map((memberId) => ({
      memberId,
      topics: ["contents"] as const,
    }));
    const shares = members.map(
      ({ memberId }) => assignedTo(memberId, members).get("contents") ?? [],
    );
    expect(shares.flat().toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 16 }, (_, n) => n),
    );
    expect(shares.map((share) => share.length).toSorted()).toEqual([5, 5, 6]);
  });

  it("deals a topic out among those only that read it", () => {
    const members = [
      { memberId: "a", topics: ["contents", "credits"] as const },
      { memberId: "b", topics: ["contents"] as const },
    ];
    expect(assignedTo("a", members).get("credits")).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(assignedTo("b", members).get("credits")).toBeUndefined();
    expect(assignedTo("b", members).get("contents")).toHaveLength(8);
  });

  it("leaves members without a partition when there are more of them", () => {
    const members = ["a", "b"].map((memberId) => ({ memberId, topics: ["tenants"] as const }));
    expect(members.map(({ memberId }) => assignedTo(memberId, members).get("tenants"))).toEqual([
      [0],
      [],
    ]);
  });
});

import { asId } from "@feed/domain/ids";
import type { BehaviourKind } from "@feed/domain/facts";
import type { ContentId } from "@feed/domain/ids";
import { INTERESTS_STORED_MAX } from "@feed/domain/limits";
import type { InterestMark } from "@feed/domain/user";
import { describe, expect, it } from "vitest";
import { addInterest } from "./interests.ts";

const CONTENT = asId<ContentId>("content-1");

function weightAfter(...kinds: readonly BehaviourKind[]): number | undefined {
  return fold(kinds).at(-1)?.weight;
}

function fold(kinds: readonly BehaviourKind[]): readonly InterestMark[] {
  return kinds.reduce<readonly InterestMark[]>(
    (marks, kind, index) => addInterest(marks, kind, CONTENT, index),
    [],
  );
}

describe("interests of a user (spec 6.1 rule 3, architecture rule 6)", () => {
  it.each([
    { kinds: ["click"], weight: 1 },
    { kinds: ["share"], weight: 2 },
    { kinds: ["like"], weight: 3 },
    { kinds: ["dislike"], weight: -2 },
    { kinds: ["share", "click"], weight: 2 },
    { kinds: ["click", "share"], weight: 2 },
    { kinds: ["like", "dislike"], weight: -2 },
    { kinds: ["dislike", "like"], weight: 3 },
    { kinds: ["dislike", "click"], weight: -2 },
    { kinds: ["dislike", "share"], weight: -2 },
    { kinds: ["impression"], weight: undefined },
    { kinds: ["return"], weight: undefined },
  ] as const)("weighs $kinds as $weight", ({ kinds, weight }) => {
    expect(weightAfter(...kinds)).toBe(weight);
  });

  it("has one mark for each content, at the latest time, last where it was named last", () => {
    const other = asId<ContentId>("content-2");
    const marks = [
      { contentId: CONTENT, weight: 1, atMs: 50 },
      { contentId: other, weight: 1, atMs: 60 },
    ];
    expect(addInterest(marks, "click", CONTENT, 40)).toEqual([
      { contentId: other, weight: 1, atMs: 60 },
      { contentId: CONTENT, weight: 1, atMs: 50 },
    ]);
  });

  it("keeps 200, the content longest not named goes first", () => {
    let marks: readonly InterestMark[] = [];
    for (let index = 0; index <= INTERESTS_STORED_MAX; index += 1) {
      marks = addInterest(marks, "click", asId<ContentId>(`content-${index}`), 1_000 - index);
    }
    expect(marks).toHaveLength(200);
    expect(marks[0]?.contentId).toBe("content-1");
    expect(marks.at(-1)?.contentId).toBe("content-200");
  });
});

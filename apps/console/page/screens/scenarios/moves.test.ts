import { expect, it } from "vitest";
import { countMoves, moveFrom, moveInto } from "./moves.ts";

const at = (position: number, position_in_other: number | null) => ({
  position,
  position_in_other,
});

it("says how an item came to its place, and from which", () => {
  expect(moveInto(at(1, 4))).toEqual({ kind: "up", place: 4 });
  expect(moveInto(at(4, 1))).toEqual({ kind: "down", place: 1 });
  expect(moveInto(at(2, 2))).toEqual({ kind: "same" });
  expect(moveInto(at(2, null))).toEqual({ kind: "new" });
});

it("says where an item of the list before went, and to which place", () => {
  expect(moveFrom(at(4, 1))).toEqual({ kind: "up", place: 1 });
  expect(moveFrom(at(1, 14))).toEqual({ kind: "down", place: 14 });
  expect(moveFrom(at(2, null))).toEqual({ kind: "gone" });
});

it("counts each article once: the gone in the list before, the others in the new one", () => {
  const current = [at(1, 3), at(2, 1), at(3, null)];
  const proposed = [at(1, 2), at(2, null), at(3, 1)];
  expect(countMoves(current, proposed)).toEqual({ same: 0, up: 1, down: 1, new: 1, gone: 1 });
});

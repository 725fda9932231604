import fc from "fast-check";
import { expect, it } from "vitest";
import { dot } from "./vector.ts";

it("an inner product is the sum of the products, whatever the length", () => {
  const value = fc.float({ min: -1, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value), { maxLength: 11 }), (pairs) => {
      const left = Float32Array.from(pairs, ([one]) => one);
      const right = Float32Array.from(pairs, ([, other]) => other);
      const sum = pairs.reduce((total, [one, other]) => total + one * other, 0);
      expect(dot(left, right)).toBeCloseTo(sum, 5);
    }),
  );
});

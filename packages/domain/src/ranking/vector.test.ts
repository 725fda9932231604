import fc from "fast-check";
import { expect, it } from "vitest";
import { dot, VectorBundle } from "./vector.ts";

it("a bundle gives the inner product with each of its vectors, whatever their number and length", () => {
  const bundles = fc.integer({ min: 1, max: 9 }).chain((length) =>
    fc.array(
      fc.float32Array({ minLength: length, maxLength: length, min: -1, max: 1, noNaN: true }),
      {
        minLength: 1,
        maxLength: 6,
      },
    ),
  );
  fc.assert(
    fc.property(bundles, (vectors) => {
      const bundle = new VectorBundle(vectors);
      for (const vector of vectors) {
        const products = bundle.productsWith(vector).subarray(0, bundle.count);
        expect(products).toHaveLength(vectors.length);
        products.forEach((product, at) =>
          expect(product).toBeCloseTo(dot(vector, vectors[at] ?? vector), 5),
        );
      }
    }),
  );
});

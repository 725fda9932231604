import { EmbedderRejected } from "./port.ts";

/** A unit vector in the direction of `values`. Throws EmbedderRejected where there is none. */
export function unitVector(values: ArrayLike<number>, dimensions: number): Float32Array {
  if (values.length !== dimensions) {
    throw new EmbedderRejected(`the model gives ${values.length} dimensions, not ${dimensions}`);
  }
  const vector = Float32Array.from(values);
  const length = Math.hypot(...vector);
  if (!Number.isFinite(length) || length === 0) {
    throw new EmbedderRejected("the model gives a vector without a direction");
  }
  return vector.map((value) => value / length);
}

/** What a model wants before a text: E5 and its kind tell queries from passages by it. */
export interface RolePrefixes {
  readonly passage: string;
  readonly query: string;
}

export const NO_PREFIXES: RolePrefixes = { passage: "", query: "" };

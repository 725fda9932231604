/** Inner product of two vectors of one length: the cosine, where both are unit vectors. */
export function dot(left: Float32Array, right: Float32Array): number {
  // Four sums break the dependency between additions: about three times as fast as one.
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  const length = left.length;
  for (let at = 0; at + 3 < length; at += 4) {
    sum0 += (left[at] as number) * (right[at] as number);
    sum1 += (left[at + 1] as number) * (right[at + 1] as number);
    sum2 += (left[at + 2] as number) * (right[at + 2] as number);
    sum3 += (left[at + 3] as number) * (right[at + 3] as number);
  }
  for (let at = length - (length % 4); at < length; at += 1) {
    sum0 += (left[at] as number) * (right[at] as number);
  }
  return sum0 + sum1 + sum2 + sum3;
}

/** `target += weight * added`, in place. */
export function addScaled(target: Float32Array, added: Float32Array, weight: number): void {
  for (let at = 0; at < target.length; at += 1) {
    target[at] = (target[at] as number) + weight * (added[at] as number);
  }
}

/** The vector at unit length; a zero vector stays zero. */
export function normalised(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  if (length === 0) return vector;
  const unit = new Float32Array(vector.length);
  for (let at = 0; at < unit.length; at += 1) unit[at] = (vector[at] as number) / length;
  return unit;
}

/**
 * The k-th largest of `values[0..count)`, 1 <= k <= count. Reorders `values`.
 * Hoare's selection with a median-of-three pivot: linear on average, no allocation.
 */
export function kthLargest(values: Float32Array, count: number, k: number): number {
  const target = k - 1;
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = medianOfThree(at(values, low), at(values, (low + high) >> 1), at(values, high));
    let i = low;
    let j = high;
    while (i <= j) {
      while (at(values, i) > pivot) i++;
      while (at(values, j) < pivot) j--;
      if (i <= j) {
        const held = at(values, i);
        values[i] = at(values, j);
        values[j] = held;
        i++;
        j--;
      }
    }
    if (target <= j) high = j;
    else if (target >= i) low = i;
    else break;
  }
  return at(values, target);
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function at(values: Float32Array, index: number): number {
  return values[index] as number;
}

const POSITIONS_MAX = 2_048;
const scoreBits = new Float32Array(1);
const scoreInteger = new Int32Array(scoreBits.buffer);

/**
 * `slots[0..count)` by descending score, equal scores by `compareTies`; at most 2,048 of them.
 *
 * Score and position are packed into one double (32 + 11 of its 53 bits), because a native sort of
 * numbers is several times faster than one that calls back into JavaScript.
 */
export function orderByScore(
  slots: Int32Array,
  scores: Float32Array,
  count: number,
  compareTies: (left: number, right: number) => number,
): number[] {
  const keys = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    keys[i] = descendingKey(at(scores, i)) * POSITIONS_MAX + i;
  }
  keys.sort();
  const ordered: number[] = [];
  for (const key of keys) ordered.push(key % POSITIONS_MAX);
  const equal = (left: number, right: number): boolean =>
    at(scores, ordered[left] as number) === at(scores, ordered[right] as number);
  const slotAt = (position: number): number => slots[position] as number;
  for (let begin = 0; begin < count;) {
    let end = begin + 1;
    while (end < count && equal(begin, end)) end++;
    if (end - begin > 1) {
      const tied = ordered.slice(begin, end);
      tied.sort((left, right) => compareTies(slotAt(left), slotAt(right)));
      ordered.splice(begin, tied.length, ...tied);
    }
    begin = end;
  }
  return ordered.map(slotAt);
}

/** An unsigned integer that grows as the score falls; IEEE 754 floats order like sign-magnitude integers. */
function descendingKey(score: number): number {
  // Adding zero makes a negative zero positive, so that the two compare as equal.
  scoreBits[0] = score + 0;
  const bits = scoreInteger[0] as number;
  return bits < 0 ? bits >>> 0 : 0x7fffffff - bits;
}

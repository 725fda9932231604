/** Scores are told apart to this many steps by the sort; nearer ones are compared one by one. */
const SCORE_STEPS = 2 ** 38;
/** Score and number share the 53 bits of a double. */
const NUMBERS = 2 ** 15;

/**
 * Numbers 0 to `scores.length` (below 32,768) by descending score, equal scores by `compareTies`.
 *
 * Score and number are packed into one double, because a native sort of numbers is several times faster than one that
 * calls back into JavaScript.
 *
 * @param scores 0 to 1.
 */
export function bestFirst(
  scores: Float64Array,
  compareTies: (left: number, right: number) => number,
): Int32Array {
  if (scores.length >= NUMBERS) throw new RangeError(`${scores.length} scores to order`);
  const stepsBelowBest = (score: number): number => SCORE_STEPS - Math.round(score * SCORE_STEPS);
  const keys = new Float64Array(scores.length);
  for (let at = 0; at < keys.length; at += 1) {
    keys[at] = stepsBelowBest(scores[at] as number) * NUMBERS + at;
  }
  keys.sort();
  const order = new Int32Array(keys.length);
  for (let place = 0; place < order.length; place += 1) {
    order[place] = (keys[place] as number) % NUMBERS;
  }
  const compare = (left: number, right: number): number =>
    (scores[right] as number) - (scores[left] as number) || compareTies(left, right);
  const stepAt = (place: number): number => Math.floor((keys[place] as number) / NUMBERS);
  for (let begin = 0; begin < order.length;) {
    let end = begin + 1;
    while (end < order.length && stepAt(end) === stepAt(begin)) end += 1;
    if (end - begin > 1) order.subarray(begin, end).sort(compare);
    begin = end;
  }
  return order;
}

/** Publication times and ids by slot: what "newest first" compares. */
export interface TimeKeys {
  readonly publishedAtMs: readonly number[];
  readonly ids: readonly string[];
}

/** Positive when `left` comes before `right`, newest first, equal times by id. */
export function compareAge(keys: TimeKeys, left: number, right: number): number {
  const apart = (keys.publishedAtMs[left] as number) - (keys.publishedAtMs[right] as number);
  if (apart !== 0) return apart;
  return compareIds(keys, right, left);
}

export function compareIds(keys: TimeKeys, left: number, right: number): number {
  const leftId = keys.ids[left] as string;
  const rightId = keys.ids[right] as string;
  return leftId < rightId ? -1 : leftId > rightId ? 1 : 0;
}

/** Slots by publication time, the newest last, because that is where new articles come. */
export class TimeOrder {
  readonly #keys: TimeKeys;
  readonly slots: number[] = [];

  constructor(keys: TimeKeys) {
    this.#keys = keys;
  }

  /** Adds a slot known to be newer than all others. */
  append(slot: number): void {
    this.slots.push(slot);
  }

  insert(slot: number): void {
    this.slots.splice(this.#position(slot), 0, slot);
  }

  /** Takes out a slot; its time must be what it was when it was put in. */
  remove(slot: number): void {
    const position = this.#position(slot);
    if (this.slots[position] === slot) this.slots.splice(position, 1);
  }

  /** How many are published later than this. */
  countAfter(timeMs: number): number {
    const { slots } = this;
    let low = 0;
    let high = slots.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#keys.publishedAtMs[slots[middle] as number] as number) > timeMs) high = middle;
      else low = middle + 1;
    }
    return slots.length - low;
  }

  #position(slot: number): number {
    let low = 0;
    let high = this.slots.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareAge(this.#keys, this.slots[middle] as number, slot) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The newest `limit` slots of several orders that `accepts` lets pass, each once. */
export function newestOf(
  keys: TimeKeys,
  orders: readonly TimeOrder[],
  limit: number,
  accepts: (slot: number) => boolean,
): readonly number[] {
  const found: number[] = [];
  const left = orders.map(({ slots }) => slots.length);
  let last = -1;
  while (found.length < limit) {
    let newest = -1;
    let newestOrder = -1;
    for (let i = 0; i < orders.length; i++) {
      const rest = left[i] as number;
      if (rest === 0) continue;
      const slot = orders[i]?.slots[rest - 1] as number;
      if (newest === -1 || compareAge(keys, slot, newest) > 0) {
        newest = slot;
        newestOrder = i;
      }
    }
    if (newest === -1) break;
    left[newestOrder] = (left[newestOrder] as number) - 1;
    // The same article in several orders comes up consecutively: nothing sorts between it and itself.
    if (newest === last) continue;
    last = newest;
    if (accepts(newest)) found.push(newest);
  }
  return found;
}

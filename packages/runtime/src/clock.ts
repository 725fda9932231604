/** Where the time comes from: passed in, so that tests set it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. May step back when the machine's clock is set. */
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

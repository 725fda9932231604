/** A clock that stands still until it is moved. Fits @feed/runtime's `Clock`. */
export interface ManualClock {
  nowMs(): number;
  /** Moves on by so much; negative steps back. */
  advance(byMs: number): void;
  set(nowMs: number): void;
}

export function manualClock(startMs: number): ManualClock {
  let currentMs = startMs;
  return {
    nowMs: () => currentMs,
    advance: (byMs) => {
      currentMs += byMs;
    },
    set: (nowMs) => {
      currentMs = nowMs;
    },
  };
}

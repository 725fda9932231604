/** Ends of an axis of shares, each a round number in quarters. */
const ENDS = [0.004, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.2, 0.4, 0.6, 0.8, 1] as const;
const QUARTERS = [0, 0.25, 0.5, 0.75, 1] as const;

/** An axis from 0 to a share. */
export interface Scale {
  readonly end: number;
  /** Shares at which the axis has a number. */
  readonly ticks: readonly number[];
  /** Where a share lies along the axis, in percent of its length. */
  readonly at: (share: number) => number;
}

/** The shortest axis of round numbers that has room for these shares. */
export function scaleFor(shares: readonly number[]): Scale {
  const highest = Math.max(0, ...shares);
  const end = ENDS.find((each) => each >= highest) ?? 1;
  return {
    end,
    ticks: QUARTERS.map((part) => part * end),
    at: (share) => (share / end) * 100,
  };
}

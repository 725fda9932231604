/** Two-sided 95 % of the normal distribution. */
const Z = 1.959963984540054;
/** Below it one user more or less is a percent of an arm. */
export const USERS_PER_ARM_MIN = 100;
/** Cochran 1954: counts that are expected to be below it make any comparison of two shares unreliable. */
const EXPECTED_COUNT_MIN = 5;
/** Chance alone divides the users so unevenly in fewer than one comparison of a thousand. */
export const MISMATCH_P_MAX = 0.001;

/** By ascending power; see complementaryErrorFunction. */
const ERFC_COEFFICIENTS = [
  -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587,
  -0.82215223, 0.17087277,
];

/** A share and its 95 % confidence interval, 0 to 1; of a difference -1 to 1. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** How many of some users did something. */
export interface Proportion {
  readonly users: number;
  readonly clicked: number;
}

/** Whether the users divide between the arms as they were meant to. */
export interface SampleRatio {
  /** Of the users who came, the variant's, 0 to 1. */
  readonly variantShare: number;
  /** As it was set. */
  readonly plannedVariantShare: number;
  /** With one degree of freedom. */
  readonly chiSquared: number;
  /** How often chance alone divides them as unevenly or more. */
  readonly pValue: number;
  /** `pValue` is below MISMATCH_P_MAX: something else than chance takes users out of an arm. */
  readonly isMismatch: boolean;
}

export type Conclusion =
  | "sample_ratio_mismatch"
  | "too_little_data"
  | "no_difference_shown"
  | "variant_higher"
  | "variant_lower";

export interface Comparison {
  readonly conclusion: Conclusion;
  /** Variant minus control; null where there is too little data, or users are missing from an arm. */
  readonly difference: Estimate | null;
  /** Null where too few users came to say. */
  readonly sampleRatio: SampleRatio | null;
}

/**
 * The share of users who clicked with its score interval (Wilson 1927, "Probable inference, the law of succession, and
 * statistical inference"), which holds for few users and for shares near 0. Null without users.
 */
export function wilsonInterval({ users, clicked }: Proportion): Estimate | null {
  if (users === 0) return null;
  const value = clicked / users;
  const spread = Z * Math.sqrt(Z ** 2 + 4 * clicked * (1 - value));
  const [centre, width] = [2 * clicked + Z ** 2, 2 * (users + Z ** 2)];
  const low = clicked === 0 ? 0 : (centre - spread) / width;
  const high = clicked === users ? 1 : (centre + spread) / width;
  return { value, low, high };
}

/**
 * The difference of two shares, `one` minus `other`, with the interval that their score intervals make (Newcombe 1998,
 * "Interval estimation for the difference between independent proportions", method 10). Null where one has no users.
 */
export function newcombeInterval(one: Proportion, other: Proportion): Estimate | null {
  const [first, second] = [wilsonInterval(one), wilsonInterval(other)];
  if (first === null || second === null) return null;
  const value = first.value - second.value;
  return {
    value,
    low: value - Math.hypot(first.value - first.low, second.high - second.value),
    high: value + Math.hypot(first.high - first.value, second.value - second.low),
  };
}

/**
 * Pearson's chi-squared test (1900) of the users of two arms against the shares that were planned: the check for a sample
 * ratio mismatch (Kohavi, Tang and Xu 2020, "Trustworthy Online Controlled Experiments", chapter 21; Fabijan et al. 2019,
 * "Diagnosing Sample Ratio Mismatch in Online Controlled Experiments"). Null where fewer than 5 users are to be expected in
 * an arm.
 */
export function sampleRatioOf(
  users: Readonly<Record<"control" | "variant", number>>,
  plannedVariantShare: number,
): SampleRatio | null {
  const all = users.control + users.variant;
  const expected = all * plannedVariantShare;
  if (Math.min(expected, all - expected) < EXPECTED_COUNT_MIN) return null;
  const off = users.variant - expected;
  const chiSquared = off ** 2 / expected + off ** 2 / (all - expected);
  const pValue = complementaryErrorFunction(Math.sqrt(chiSquared / 2));
  const isMismatch = pValue < MISMATCH_P_MAX;
  const variantShare = users.variant / all;
  return { variantShare, plannedVariantShare, chiSquared, pValue, isMismatch };
}

/**
 * What users of two arms show about the variant, or that they show nothing: where users are missing from an arm, those who
 * are left are no longer alike, and a difference may come from that.
 */
export function compareArms(
  control: Proportion,
  variant: Proportion,
  plannedVariantShare: number,
): Comparison {
  const users = { control: control.users, variant: variant.users };
  const sampleRatio = sampleRatioOf(users, plannedVariantShare);
  if (sampleRatio?.isMismatch === true)
    return { conclusion: "sample_ratio_mismatch", difference: null, sampleRatio };
  const difference = newcombeInterval(variant, control);
  if (difference === null || !isEnough(control, variant))
    return { conclusion: "too_little_data", difference: null, sampleRatio };
  return { conclusion: conclusionOf(difference), difference, sampleRatio };
}

function conclusionOf({ low, high }: Estimate): Conclusion {
  if (low > 0) return "variant_higher";
  return high < 0 ? "variant_lower" : "no_difference_shown";
}

function isEnough(control: Proportion, variant: Proportion): boolean {
  const fewest = Math.min(control.users, variant.users);
  if (fewest < USERS_PER_ARM_MIN) return false;
  const all = control.users + variant.users;
  const clicked = control.clicked + variant.clicked;
  // The rarer answer in the smaller arm has the lowest count that is expected.
  return (fewest * Math.min(clicked, all - clicked)) / all >= EXPECTED_COUNT_MIN;
}

/**
 * Of what is not negative, to within 1.2e-7 of itself: Chebyshev's approximation of Press et al. 1992, "Numerical Recipes in
 * C", section 6.2.
 */
function complementaryErrorFunction(x: number): number {
  const t = 1 / (1 + x / 2);
  const exponent = ERFC_COEFFICIENTS.reduceRight((sum, coefficient) => sum * t + coefficient, 0);
  return t * Math.exp(exponent - x ** 2);
}

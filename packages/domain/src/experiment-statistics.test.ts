import { describe, expect, it } from "vitest";
import {
  compareArms,
  MISMATCH_P_MAX,
  newcombeInterval,
  sampleRatioOf,
  wilsonInterval,
} from "./experiment-statistics.ts";

const of = (clicked: number, users: number) => ({ clicked, users });

describe("The interval of a share (Wilson 1927)", () => {
  // Newcombe 1998, "Two-sided confidence intervals for the single proportion: comparison of seven methods", table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("of %i of %i is the published one", (clicked, users, low, high) => {
    const estimate = wilsonInterval(of(clicked, users));
    expect(estimate?.value).toBe(clicked / users);
    expect(estimate?.low).toBeCloseTo(low, 4);
    expect(estimate?.high).toBeCloseTo(high, 4);
  });

  it("ends exactly at 0 and at 1, and is none without users", () => {
    expect(wilsonInterval(of(0, 20))?.low).toBe(0);
    expect(wilsonInterval(of(20, 20))?.high).toBe(1);
    expect(wilsonInterval(of(0, 0))).toBeNull();
  });
});

describe("The interval of a difference (Newcombe 1998, method 10)", () => {
  // Newcombe 1998, "Interval estimation for the difference between independent proportions", table II.
  it.each([
    [of(56, 70), of(48, 80), 0.0524, 0.3339],
    [of(9, 10), of(3, 10), 0.1705, 0.809],
    [of(6, 7), of(2, 7), 0.0582, 0.8062],
    [of(5, 56), of(0, 29), -0.0381, 0.1926],
    [of(0, 10), of(0, 20), -0.1611, 0.2775],
    [of(0, 10), of(0, 10), -0.2775, 0.2775],
    [of(10, 10), of(0, 20), 0.6791, 1],
    [of(10, 10), of(0, 10), 0.6075, 1],
  ])("of %o and %o is the published one", (one, other, low, high) => {
    const estimate = newcombeInterval(one, other);
    expect(estimate?.low).toBeCloseTo(low, 4);
    expect(estimate?.high).toBeCloseTo(high, 4);
  });
});

describe("The division of the users (chi-squared with one degree of freedom)", () => {
  // The first is that of Kohavi, Tang and Xu 2020, chapter 21; the others agree with tables of the distribution.
  it.each([
    [821_588, 815_482, 0.5, 22.77, 1.8e-6],
    [600, 400, 0.5, 40, 2.54e-10],
    [469, 531, 0.5, 3.84, 0.05],
    [869, 131, 0.1, 10.68, 0.00108],
    [1_000, 1_000, 0.5, 0, 1],
  ])("of %d and %d users at a share of %d is the known one", (control, variant, ...rest) => {
    const [share, chiSquared, pValue] = rest;
    const ratio = sampleRatioOf({ control, variant }, share);
    expect(ratio?.chiSquared).toBeCloseTo(chiSquared, 2);
    expect((ratio?.pValue ?? 0) / pValue).toBeCloseTo(1, 1);
    expect(ratio).toMatchObject({
      variantShare: variant / (control + variant),
      plannedVariantShare: share,
    });
  });

  it("is a mismatch from the quantile of p = 0.001 on, whichever arm the users are missing from", () => {
    const at = (off: number) => sampleRatioOf({ control: 500 - off, variant: 500 + off }, 0.5);
    // Half of the root of 1,000 times 10.828 is 52.03.
    expect([52, -52].map((off) => at(off)?.isMismatch)).toEqual([false, false]);
    expect([53, -53].map((off) => at(off)?.isMismatch)).toEqual([true, true]);
    expect(at(52)?.pValue).toBeGreaterThan(MISMATCH_P_MAX);
    expect(at(53)?.pValue).toBeLessThan(MISMATCH_P_MAX);
  });

  it("says nothing while fewer than 5 users are to be expected in an arm", () => {
    expect(sampleRatioOf({ control: 9, variant: 0 }, 0.5)).toBeNull();
    expect(sampleRatioOf({ control: 10, variant: 0 }, 0.5)?.isMismatch).toBe(false);
    expect(sampleRatioOf({ control: 499, variant: 0 }, 0.01)).toBeNull();
    expect(sampleRatioOf({ control: 0, variant: 0 }, 0.5)).toBeNull();
  });
});

describe("A comparison of two arms", () => {
  it("names the arm whose users click more once the interval leaves out 0", () => {
    expect(compareArms(of(48, 800), of(90, 800), 0.5).conclusion).toBe("variant_higher");
    expect(compareArms(of(90, 800), of(48, 800), 0.5).conclusion).toBe("variant_lower");
    expect(compareArms(of(60, 800), of(66, 800), 0.5).conclusion).toBe("no_difference_shown");
  });

  it.each([
    ["an arm of fewer than 100 users", of(300, 600), of(99, 99), 0.15],
    ["an arm without users", of(3, 6), of(0, 0), 0.5],
    ["too few who clicked", of(4, 500), of(5, 500), 0.5],
    ["too few who did not", of(496, 500), of(495, 500), 0.5],
    ["too few in a small arm", of(15, 900), of(15, 100), 0.1],
  ])("says nothing of %s", (_what, control, variant, share) => {
    expect(compareArms(control, variant, share)).toMatchObject({
      conclusion: "too_little_data",
      difference: null,
    });
  });

  it.each([
    ["of which one is missing users, however much more they click", of(48, 800), of(90, 600)],
    ["of which one has none", of(20, 200), of(0, 0)],
  ])("says of arms %s that they can't be compared", (_what, control, variant) => {
    expect(compareArms(control, variant, 0.5)).toMatchObject({
      conclusion: "sample_ratio_mismatch",
      difference: null,
      sampleRatio: { isMismatch: true },
    });
    const meant = variant.users / (control.users + variant.users);
    const asMeant = compareArms(control, variant, meant || 0.001).conclusion;
    expect(asMeant).not.toBe("sample_ratio_mismatch");
  });
});

import { describe, expect, it } from "vitest";
import { billingMonth, daysOfMonth, sumOf } from "./usage.ts";

const month = "2028-02";
const used = [
  { day: "2028-02-03", endpoint: "feed", requests: 10, credits: 10 },
  { day: "2028-02-03", endpoint: "content", requests: 3, credits: 0.3 },
  { day: "2028-02-29", endpoint: "push", requests: 1, credits: 0.1 },
] as const;

describe("The days of a month", () => {
  const days = daysOfMonth({ month, days: [...used] });

  it("are all there, in order, in a leap year too", () => {
    expect(days).toHaveLength(29);
    expect(days.at(0)?.day).toBe("2028-02-01");
    expect(days.at(-1)?.day).toBe("2028-02-29");
  });

  it("have what was used on them by endpoint, and nothing elsewhere", () => {
    expect(days[2]?.of).toEqual({
      feed: { requests: 10, credits: 10 },
      content: { requests: 3, credits: 0.3 },
      push: { requests: 0, credits: 0 },
    });
    expect(days[3]?.of.feed).toEqual({ requests: 0, credits: 0 });
  });

  it("add up in tenths of a credit", () => {
    expect([sumOf(days, "credits"), sumOf(days, "requests")]).toEqual([10.4, 14]);
  });
});

describe("The billing month", () => {
  it("begins at midnight in Tokyo", () => {
    expect(billingMonth(Date.parse("2026-10-31T14:59:59Z"))).toBe("2026-10");
    expect(billingMonth(Date.parse("2026-10-31T15:00:00Z"))).toBe("2026-11");
  });

  it("is counted back over the turn of a year", () => {
    expect(billingMonth(Date.parse("2026-02-10T00:00:00Z"), 3)).toBe("2025-11");
  });
});

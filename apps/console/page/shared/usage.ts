import type { Answer } from "./api.ts";

export type Usage = Answer<"adminGetUsage">["data"];
/** The share of a cap at which its tenant is warned. */
export const CAP_WARNING_SHARE = 0.8;
export const ENDPOINTS = ["feed", "content", "push"] as const;
export type Endpoint = (typeof ENDPOINTS)[number];

/** What an endpoint gave and cost on a day. */
export interface DayUsage {
  readonly requests: number;
  readonly credits: number;
}

/** One day of a month, with nothing where there was nothing. */
export interface Day {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly of: Readonly<Record<Endpoint, DayUsage>>;
}

/** Every day of a month (`YYYY-MM`) in order, whether something was used on it or not. */
export function daysOfMonth({ month, days }: Pick<Usage, "month" | "days">): readonly Day[] {
  const [year = 0, monthOfYear = 1] = month.split("-").map(Number);
  const count = new Date(Date.UTC(year, monthOfYear, 0)).getUTCDate();
  return Array.from({ length: count }, (_, index) => {
    const day = `${month}-${String(index + 1).padStart(2, "0")}`;
    const used = (endpoint: Endpoint): DayUsage => {
      const found = days.find((one) => one.day === day && one.endpoint === endpoint);
      return { requests: found?.requests ?? 0, credits: found?.credits ?? 0 };
    };
    return { day, of: { feed: used("feed"), content: used("content"), push: used("push") } };
  });
}

/** The sum of one measure over endpoints and days. */
export function sumOf(days: readonly Day[], measure: keyof DayUsage): number {
  const sum = days.reduce(
    (total, { of }) => total + ENDPOINTS.reduce((each, name) => each + of[name][measure], 0),
    0,
  );
  return Math.round(sum * 10) / 10;
}

/** The billing month (`YYYY-MM`, Japan's time) of an instant, `back` months before. */
export function billingMonth(nowMs: number, back = 0): string {
  const jst = new Date(nowMs + 9 * 3_600_000);
  const first = Date.UTC(jst.getUTCFullYear(), jst.getUTCMonth() - back, 1);
  return new Date(first).toISOString().slice(0, 7);
}

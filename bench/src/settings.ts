export const PARTS = ["feed", "events", "push", "rebuild", "start"] as const;
export type Part = (typeof PARTS)[number];

/** How large everything is. The figures of `quick` say nothing: it is for working on the harness. */
export interface Sizes {
  readonly quick: boolean;
  readonly articles: number;
  readonly users: number;
  readonly clicksPerUser: number;
  readonly warmMs: number;
  readonly bareMs: number;
  readonly recallQueries: number;
  readonly eventsMs: number;
  readonly pushUsers: number;
  readonly pushClicksPerUser: number;
  readonly pushArticles: number;
  readonly rebuildUserEvents: number;
  readonly rebuildDeliveries: number;
}

const TARGET: Sizes = {
  quick: false,
  articles: 50_000,
  users: 10_000,
  clicksPerUser: 8,
  warmMs: 12_000,
  bareMs: 8_000,
  recallQueries: 200,
  eventsMs: 60_000,
  pushUsers: 100_000,
  pushClicksPerUser: 20,
  pushArticles: 5_000,
  rebuildUserEvents: 850_000,
  rebuildDeliveries: 150_000,
};
const QUICK: Sizes = {
  quick: true,
  articles: 4_000,
  users: 400,
  clicksPerUser: 8,
  warmMs: 3_000,
  bareMs: 3_000,
  recallQueries: 50,
  eventsMs: 8_000,
  pushUsers: 5_000,
  pushClicksPerUser: 20,
  pushArticles: 5_000,
  rebuildUserEvents: 40_000,
  rebuildDeliveries: 10_000,
};

export interface Settings {
  readonly parts: ReadonlySet<Part>;
  readonly sizes: Sizes;
}

/** `BENCH_ONLY=feed,start` selects parts, `BENCH_QUICK=1` the small sizes. */
export function settingsFrom(environment: NodeJS.ProcessEnv): Settings {
  const asked = environment["BENCH_ONLY"]?.split(",") ?? PARTS;
  const parts = new Set(PARTS.filter((part) => asked.includes(part)));
  const unknown = asked.filter((name) => !PARTS.some((part) => part === name));
  if (unknown.length > 0) {
    throw new Error(`BENCH_ONLY: ${unknown.join(", ")}; there are ${PARTS.join(", ")}`);
  }
  return { parts, sizes: environment["BENCH_QUICK"] === "1" ? QUICK : TARGET };
}

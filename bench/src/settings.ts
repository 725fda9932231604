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
  /** Sizes of installation whose cost by user is compared. */
  readonly pushCostUsers: readonly number[];
  readonly pushClicksPerUser: number;
  readonly pushArticles: number;
  readonly rebuildUserEvents: number;
  readonly rebuildDeliveries: number;
  readonly pipelineArticles: number;
  readonly pictureRuns: number;
  readonly enginesUserEvents: number;
  readonly enginesDeliveries: number;
  readonly enginesFeeds: number;
  readonly enginesFeedsMs: number;
  readonly enginesProduceMs: number;
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
  pushCostUsers: [10_000, 300_000],
  pushClicksPerUser: 20,
  pushArticles: 5_000,
  rebuildUserEvents: 850_000,
  rebuildDeliveries: 150_000,
  pipelineArticles: 400,
  pictureRuns: 15,
  enginesUserEvents: 400_000,
  enginesDeliveries: 100_000,
  enginesFeeds: 900,
  enginesFeedsMs: 20_000,
  enginesProduceMs: 20_000,
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
  pushCostUsers: [1_000, 3_000],
  pushClicksPerUser: 20,
  pushArticles: 5_000,
  rebuildUserEvents: 40_000,
  rebuildDeliveries: 10_000,
  pipelineArticles: 40,
  pictureRuns: 3,
  enginesUserEvents: 20_000,
  enginesDeliveries: 5_000,
  enginesFeeds: 120,
  enginesFeedsMs: 4_000,
  enginesProduceMs: 4_000,
};

export interface Settings<Part extends string> {
  readonly parts: ReadonlySet<Part>;
  readonly sizes: Sizes;
}

/** `BENCH_ONLY=feed,start` selects of the parts there are, `BENCH_QUICK=1` the small sizes. */
export function settingsFrom<Part extends string>(
  environment: NodeJS.ProcessEnv,
  all: readonly Part[],
): Settings<Part> {
  const asked = environment["BENCH_ONLY"]?.split(",") ?? all;
  const parts = new Set(all.filter((part) => asked.includes(part)));
  const unknown = asked.filter((name) => !all.some((part) => part === name));
  if (unknown.length > 0) {
    throw new Error(`BENCH_ONLY: ${unknown.join(", ")}; there are ${all.join(", ")}`);
  }
  return { parts, sizes: environment["BENCH_QUICK"] === "1" ? QUICK : TARGET };
}

import type { Category } from "./article.ts";
import type { ContentId, SourceId, TenantId } from "./ids.ts";

export const SCENARIO_TYPES = ["feed", "push"] as const;
export type ScenarioType = (typeof SCENARIO_TYPES)[number];

/**
 * Lifts (factor above 1) or buries (below 1) what it matches. A rule moves nothing else: `scoreUnder` says how.
 * There is at most one for each source, category and article.
 */
export type RankingRule =
  | { readonly match: "source"; readonly id: SourceId; readonly factor: number }
  | { readonly match: "category"; readonly id: Category; readonly factor: number }
  | { readonly match: "article"; readonly id: ContentId; readonly factor: number };

/** The share of one source, in place of `caps.source`. */
export interface SourceCap {
  readonly id: SourceId;
  /** 0 to 1, of any `caps.windowItems` items; one item is always within it. */
  readonly share: number;
}

/**
 * How a scenario ranks (architecture section 3). Validated by schemas/scenario.schema.json; absent keys take
 * DEFAULT_SCENARIO_SETTINGS. Weights are relative; shares and caps are 0 to 1.
 */
export interface ScenarioSettings {
  readonly weights: {
    readonly relevance: number;
    readonly freshness: number;
    readonly engagement: number;
    readonly quality: number;
  };
  /** Multiplied onto the score of a followed source / the request's area. */
  readonly boosts: { readonly followedSource: number; readonly area: number };
  readonly freshnessHalfLifeHours: number;
  readonly interestHalfLifeDays: number;
  /** Articles older than this are not recalled; null: no bound. */
  readonly ageHoursMax: number | null;
  readonly caps: {
    readonly source: number;
    readonly category: number;
    readonly windowItems: number;
  };
  /** Feeds only: of each source at most one. */
  readonly sourceCaps: readonly SourceCap[];
  /** Lambda of maximal marginal relevance: 1 is relevance alone. */
  readonly diversityLambda: number;
  readonly explorationShare: number;
  readonly language: { readonly mode: "prefer" | "filter"; readonly preferenceBoost: number };
  readonly sources: {
    readonly include: readonly SourceId[] | null;
    readonly exclude: readonly SourceId[];
  };
  readonly categories: {
    readonly include: readonly Category[] | null;
    readonly exclude: readonly Category[];
  };
  readonly pins: readonly ContentId[];
  readonly rankingRules: readonly RankingRule[];
  /** Push only: leave out what earlier completed jobs sent (spec 8; on by default for push). */
  readonly excludeSent: boolean;
  /** Push only: candidates below it are not delivered. */
  readonly scoreThreshold: number;
}

export interface Scenario {
  readonly tenantId: TenantId;
  readonly name: string;
  readonly type: ScenarioType;
  readonly version: number;
  readonly settings: ScenarioSettings;
}

export const DEFAULT_SCENARIO_SETTINGS: ScenarioSettings = {
  weights: { relevance: 0.55, freshness: 0.25, engagement: 0.12, quality: 0.08 },
  boosts: { followedSource: 1.25, area: 1.3 },
  freshnessHalfLifeHours: 36,
  interestHalfLifeDays: 14,
  ageHoursMax: null,
  // Architecture section 3: in any 20 items a source at most 30 %, a category at most 40 %.
  caps: { source: 0.3, category: 0.4, windowItems: 20 },
  sourceCaps: [],
  diversityLambda: 0.75,
  explorationShare: 0.1,
  // Above what freshness makes of a new article against one of months ago, so that language comes first.
  language: { mode: "prefer", preferenceBoost: 6 },
  sources: { include: null, exclude: [] },
  categories: { include: null, exclude: [] },
  pins: [],
  rankingRules: [],
  excludeSent: true,
  scoreThreshold: 0,
};

/** Settings as a version was saved with them, with the defaults of those that came later. */
export function completeSettings(saved: Partial<ScenarioSettings>): ScenarioSettings {
  return { ...DEFAULT_SCENARIO_SETTINGS, ...saved };
}

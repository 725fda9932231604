import type { AreaId, SourceId } from "../ids.ts";
import type { ScenarioSettings } from "../scenario.ts";
import { decideByNumber, type Candidates, type IndexedArticleForRanking } from "./candidates.ts";
import type { UserInterests } from "./interests.ts";
import { nearnessOf } from "./nearness.ts";
import { bestFirst } from "./order.ts";
import { applyRules } from "./rules.ts";
import { worthOf, type Engagement, type Worth } from "./worth.ts";

/** Everything a score depends on beside the candidate. */
export interface RankingContext {
  readonly settings: ScenarioSettings;
  readonly interests: UserInterests;
  readonly followedSources: ReadonlySet<SourceId>;
  /** Areas of the request or profile; empty: no boost. */
  readonly areaIds: ReadonlySet<AreaId>;
  readonly language: string | null;
  readonly engagement: Engagement;
  readonly nowMs: number;
}

export const SCORE_PARTS = ["relevance", "freshness", "engagement", "quality"] as const;
export const BOOSTS = ["followedSource", "area", "language"] as const;

/** Scored candidates, all but `order` by the candidate's number. */
export interface Ranking {
  /** Numbers of candidates, best first; equal scores by content id. */
  readonly order: Int32Array;
  /** 0 to 1. */
  readonly scores: Float64Array;
  /** Weighted: they sum to the score before boosts. */
  readonly parts: Readonly<Record<(typeof SCORE_PARTS)[number], Float64Array>>;
  /** Factors, 1 where one doesn't apply. */
  readonly boosts: Readonly<Record<(typeof BOOSTS)[number], Float64Array>>;
  /** Number of the interest it is nearest to; -1 where there is none. */
  readonly interests: Int8Array;
}

/**
 * Scores candidates (architecture section 3, step 2).
 *
 * A score is the weighted mean of four parts in [0, 1], times the boosts that apply, over the product of all
 * boosts the scenario knows, so that it stays in [0, 1] and keeps its order; then the scenario's rules apply. Without
 * interests the weight of relevance goes to the other parts.
 *
 * @param worth what `worthOf` says, where that is known already.
 */
export function scoreCandidates(
  candidates: Candidates,
  context: RankingContext,
  worth: Worth = worthOf(candidates, context),
): Ranking {
  const { interests, relevance } = nearnessOf(candidates, context.interests);
  const weights = effectiveWeights(context);
  const parts = {
    relevance: weighted(relevance, weights.relevance),
    freshness: weighted(worth.freshness, weights.freshness),
    engagement: weighted(worth.engagement, weights.engagement),
    quality: weighted(candidates.quality, weights.quality),
  };
  const boosts = boostsOf(candidates, context);
  const boostMax = maxBoost(context);
  const scores = new Float64Array(candidates.count);
  for (let at = 0; at < scores.length; at += 1) {
    const base =
      (parts.relevance[at] as number) +
      (parts.freshness[at] as number) +
      (parts.engagement[at] as number) +
      (parts.quality[at] as number);
    const boost =
      (boosts.followedSource[at] as number) *
      (boosts.area[at] as number) *
      (boosts.language[at] as number);
    scores[at] = Math.min(1, Math.max(0, (base * boost) / boostMax));
  }
  applyRules(scores, candidates, context.settings.rankingRules);
  return { order: bestFirst(scores, byContentId(candidates)), scores, parts, boosts, interests };
}

function weighted(values: Float64Array, weight: number): Float64Array {
  const result = new Float64Array(values.length);
  for (let at = 0; at < values.length; at += 1) result[at] = (values[at] as number) * weight;
  return result;
}

function byContentId({ articles }: Candidates): (left: number, right: number) => number {
  const idOf = (at: number) => (articles[at] as IndexedArticleForRanking).contentId;
  return (left, right) => (idOf(left) < idOf(right) ? -1 : 1);
}

function effectiveWeights({
  settings,
  interests,
}: RankingContext): Readonly<Record<(typeof SCORE_PARTS)[number], number>> {
  const { freshness, engagement, quality } = settings.weights;
  const relevance = interests.liked.length === 0 ? 0 : settings.weights.relevance;
  const sum = relevance + freshness + engagement + quality || 1;
  return {
    relevance: relevance / sum,
    freshness: freshness / sum,
    engagement: engagement / sum,
    quality: quality / sum,
  };
}

function boostsOf(candidates: Candidates, context: RankingContext): Ranking["boosts"] {
  const { boosts, language } = context.settings;
  const article = (at: number) => candidates.articles[at] as IndexedArticleForRanking;
  const none = new Float64Array(candidates.count).fill(1);
  const where = (
    isBoosted: (candidate: number) => boolean,
    numbers: Int32Array,
    factor: number,
  ): Float64Array => {
    const boosted = decideByNumber(numbers, isBoosted);
    const factors = none.slice();
    for (let at = 0; at < factors.length; at += 1) if (boosted[at] === 1) factors[at] = factor;
    return factors;
  };
  return {
    followedSource:
      context.followedSources.size === 0
        ? none
        : where(
            (at) => context.followedSources.has(article(at).sourceId),
            candidates.sources,
            boosts.followedSource,
          ),
    area: context.areaIds.size === 0 ? none : areaBoosts(candidates, context),
    language:
      context.language === null
        ? none
        : where(
            (at) => article(at).language === context.language,
            candidates.languages,
            language.preferenceBoost,
          ),
  };
}

/** The more certain it is that an article is about one of the areas, the more of the boost it gets. */
function areaBoosts(candidates: Candidates, { areaIds, settings }: RankingContext): Float64Array {
  return Float64Array.from(candidates.articles, ({ areas }) => {
    let confidence = 0;
    for (const area of areas) {
      if (areaIds.has(area.areaId)) confidence = Math.max(confidence, area.confidence);
    }
    return 1 + (settings.boosts.area - 1) * confidence;
  });
}

function maxBoost({ settings, followedSources, areaIds, language }: RankingContext): number {
  const followed = followedSources.size > 0 ? Math.max(1, settings.boosts.followedSource) : 1;
  const area = areaIds.size > 0 ? Math.max(1, settings.boosts.area) : 1;
  const spoken = language === null ? 1 : Math.max(1, settings.language.preferenceBoost);
  return followed * area * spoken;
}

import type { AreaId, ContentId, SourceId } from "../ids.ts";
import type { IndexedArticleForRanking, RankingCandidate } from "./candidate.ts";
import type { ScenarioSettings } from "../scenario.ts";
import type { UserInterests } from "./interests.ts";
import { VectorBundle } from "./vector.ts";

const HOUR_MS = 3_600_000;
/** Impressions an article is taken to have had at the average rate before its own are believed. */
const ENGAGEMENT_PRIOR_IMPRESSIONS = 20;
/** How much of its similarity a weak interest loses against the strongest one. */
const WEAK_INTEREST_DISCOUNT = 0.3;
/** Of the candidates' similarities: where relevance begins, and where it is full. */
const BACKGROUND_QUANTILE = 0.25;
const TOP_QUANTILE = 0.997;
/** How strongly nearness to a disliked article counts against relevance. */
const DISLIKE_PENALTY = 0.8;

export interface EngagementCount {
  readonly impressions: number;
  readonly clicks: number;
}

/** Everything a score depends on beside the candidate. */
export interface RankingContext {
  readonly settings: ScenarioSettings;
  readonly interests: UserInterests;
  readonly followedSources: ReadonlySet<SourceId>;
  /** Areas of the request or profile; empty: no boost. */
  readonly areaIds: ReadonlySet<AreaId>;
  readonly language: string | null;
  readonly engagement: ReadonlyMap<ContentId, EngagementCount>;
  readonly nowMs: number;
}

export interface ScoreParts {
  readonly relevance: number;
  readonly freshness: number;
  readonly engagement: number;
  readonly quality: number;
}

export interface Boosts {
  readonly followedSource: number;
  readonly area: number;
  readonly language: number;
}

export interface Scored<Candidate extends RankingCandidate> {
  readonly candidate: Candidate;
  /** 0 to 1. */
  readonly score: number;
  /** Weighted: they sum to the score before boosts. */
  readonly parts: ScoreParts;
  readonly boosts: Boosts;
  /** Index of the interest it is nearest to; -1 where there is none. */
  readonly interest: number;
}

/**
 * Scores candidates, best first; equal scores by content id (architecture section 3, step 2).
 *
 * A score is the weighted mean of four parts in [0, 1], times the boosts that apply, over the product of all
 * boosts the scenario knows, so that it stays in [0, 1] and keeps its order. Without interests the weight of
 * relevance goes to the other parts.
 */
export function scoreCandidates<Candidate extends RankingCandidate>(
  candidates: readonly Candidate[],
  context: RankingContext,
): Scored<Candidate>[] {
  const nearness = nearnessOf(candidates, context.interests);
  const worth = worthOf(
    candidates.map(({ article }) => article),
    context,
  );
  return scoreKnown(candidates, { nearness, worth }, context);
}

/** How near a candidate is to what its reader likes and dislikes. */
export interface Nearness {
  /** Index of the nearest interest; -1 without any. */
  readonly interest: number;
  /** To that interest, less where it is a weak one. */
  readonly similarity: number;
  readonly dislike: number;
}

/** What an article is worth to anybody, 0 to 1 each. */
export type ArticleWorth = Pick<ScoreParts, "freshness" | "engagement">;

/** `scoreCandidates` for candidates whose nearness and worth are known, in their order. */
export function scoreKnown<Candidate extends RankingCandidate>(
  candidates: readonly Candidate[],
  known: { readonly nearness: readonly Nearness[]; readonly worth: readonly ArticleWorth[] },
  context: RankingContext,
): Scored<Candidate>[] {
  const relevanceOf = relevanceScale(known.nearness.map(({ similarity }) => similarity));
  const weights = effectiveWeights(context);
  const boostMax = maxBoost(context);
  const scored = candidates.map((candidate, at) => {
    const near = known.nearness[at] as Nearness;
    const { freshness, engagement } = known.worth[at] as ArticleWorth;
    const parts = {
      relevance: weights.relevance * relevanceOf(near),
      freshness: weights.freshness * freshness,
      engagement: weights.engagement * engagement,
      quality: weights.quality * candidate.article.quality,
    };
    const boosts = boostsOf(candidate.article, context);
    const base = parts.relevance + parts.freshness + parts.engagement + parts.quality;
    const score = (base * boosts.followedSource * boosts.area * boosts.language) / boostMax;
    return {
      candidate,
      score: Math.min(1, Math.max(0, score)),
      parts,
      boosts,
      interest: near.interest,
    };
  });
  return scored.sort(byScore);
}

function nearnessOf(
  candidates: readonly RankingCandidate[],
  { liked, disliked }: UserInterests,
): Nearness[] {
  const likedBundle = new VectorBundle(liked.map(({ vector }) => vector));
  const dislikedBundle = new VectorBundle(disliked);
  const discounts = interestDiscounts(liked);
  return candidates.map(({ vector }) => {
    const products = likedBundle.productsWith(vector);
    const { interest, similarity } = nearestOf((at) => products[at] as number, discounts);
    const dislike = disliked.length === 0 ? 0 : greatest(dislikedBundle.productsWith(vector));
    return { interest, similarity, dislike };
  });
}

/**
 * The nearness of candidates whose inner products are known.
 *
 * @param products for each interest, then for each disliked vector, the products with all candidates.
 */
export function nearnessFrom(
  candidateCount: number,
  products: {
    readonly liked: readonly Float32Array[];
    readonly disliked: readonly Float32Array[];
  },
  { liked }: Pick<UserInterests, "liked">,
): Nearness[] {
  const discounts = interestDiscounts(liked);
  return Array.from({ length: candidateCount }, (_, candidate) => {
    const { interest, similarity } = nearestOf(
      (at) => products.liked[at]?.[candidate] ?? 0,
      discounts,
    );
    let dislike = 0;
    for (const values of products.disliked) dislike = Math.max(dislike, values[candidate] ?? 0);
    return { interest, similarity, dislike };
  });
}

function interestDiscounts(liked: UserInterests["liked"]): readonly number[] {
  return liked.map(({ strength }) => 1 - WEAK_INTEREST_DISCOUNT * (1 - strength));
}

function nearestOf(
  productOf: (interest: number) => number,
  discounts: readonly number[],
): Pick<Nearness, "interest" | "similarity"> {
  let interest = -1;
  let similarity = 0;
  for (let at = 0; at < discounts.length; at += 1) {
    const value = productOf(at) * (discounts[at] as number);
    if (interest !== -1 && value <= similarity) continue;
    interest = at;
    similarity = value;
  }
  return { interest, similarity };
}

function greatest(products: Float64Array): number {
  let value = 0;
  for (const product of products) value = Math.max(value, product);
  return value;
}

/**
 * Similarities to [0, 1] whatever the model: the lower quartile of the candidates is background and counts 0, the
 * best few count 1, so that the first page still tells them apart. Cosines of different models lie in different
 * ranges, so no constant fits all.
 */
function relevanceScale(similarities: readonly number[]): (near: Nearness) => number {
  const sorted = Float64Array.from(similarities).sort();
  const floor = sorted[Math.floor(sorted.length * BACKGROUND_QUANTILE)] ?? 0;
  const top = sorted[Math.floor(sorted.length * TOP_QUANTILE)] ?? 1;
  const range = Math.max(top - floor, 1e-6);
  const scale = (value: number) => Math.min(1, Math.max(0, (value - floor) / range));
  return (near) =>
    near.interest === -1
      ? 0
      : Math.max(
          0,
          scale(near.similarity) - DISLIKE_PENALTY * (near.dislike > 0 ? scale(near.dislike) : 0),
        );
}

function effectiveWeights({ settings, interests }: RankingContext): ScoreParts {
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

/** Freshness and engagement of articles, in their order. */
export function worthOf(
  articles: readonly IndexedArticleForRanking[],
  { settings, engagement, nowMs }: Pick<RankingContext, "settings" | "engagement" | "nowMs">,
): ArticleWorth[] {
  const priorRate = clickThroughRate(engagement.values());
  return articles.map(({ publishedAtMs, contentId }) => {
    const ageHours = Math.max(0, nowMs - publishedAtMs) / HOUR_MS;
    return {
      freshness: 0.5 ** (ageHours / settings.freshnessHalfLifeHours),
      engagement: smoothedEngagement(engagement.get(contentId), priorRate),
    };
  });
}

/**
 * Click-through rate drawn towards the tenant's average while impressions are few (additive smoothing), and
 * mapped so that the average is one half: rate / (rate + average).
 */
export function smoothedEngagement(count: EngagementCount | undefined, priorRate: number): number {
  const clicks = (count?.clicks ?? 0) + priorRate * ENGAGEMENT_PRIOR_IMPRESSIONS;
  const impressions = impressionsOf(count) + ENGAGEMENT_PRIOR_IMPRESSIONS;
  const rate = clicks / impressions;
  return rate / (rate + priorRate);
}

/** What was clicked was seen, whether or not its impressions are reported. */
function impressionsOf(count: EngagementCount | undefined): number {
  return Math.max(count?.impressions ?? 0, count?.clicks ?? 0);
}

/**
 * Average over a tenant's articles, never 0 so that smoothing is defined. Those clicked more often than seen are left
 * out: their impressions are not reported, and a tenant that reports none at all has the usual rate.
 */
function clickThroughRate(counts: Iterable<EngagementCount>): number {
  let clicks = 1;
  let impressions = 20;
  for (const count of counts) {
    if (count.impressions < count.clicks) continue;
    clicks += count.clicks;
    impressions += count.impressions;
  }
  return clicks / impressions;
}

function boostsOf(article: IndexedArticleForRanking, context: RankingContext): Boosts {
  const { boosts, language } = context.settings;
  let areaConfidence = 0;
  if (context.areaIds.size > 0) {
    for (const area of article.areas) {
      if (context.areaIds.has(area.areaId))
        areaConfidence = Math.max(areaConfidence, area.confidence);
    }
  }
  return {
    followedSource: context.followedSources.has(article.sourceId) ? boosts.followedSource : 1,
    area: 1 + (boosts.area - 1) * areaConfidence,
    language: context.language === article.language ? language.preferenceBoost : 1,
  };
}

function maxBoost({ settings, followedSources, areaIds, language }: RankingContext): number {
  const followed = followedSources.size > 0 ? Math.max(1, settings.boosts.followedSource) : 1;
  const area = areaIds.size > 0 ? Math.max(1, settings.boosts.area) : 1;
  const spoken = language === null ? 1 : Math.max(1, settings.language.preferenceBoost);
  return followed * area * spoken;
}

function byScore<Candidate extends RankingCandidate>(
  left: Scored<Candidate>,
  right: Scored<Candidate>,
): number {
  if (left.score !== right.score) return right.score - left.score;
  return left.candidate.article.contentId < right.candidate.article.contentId ? -1 : 1;
}

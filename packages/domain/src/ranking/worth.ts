import type { ContentId } from "../ids.ts";
import type { ScenarioSettings } from "../scenario.ts";
import type { Candidates } from "./candidates.ts";

const HOUR_MS = 3_600_000;
/** Impressions an article is taken to have had at the average rate before its own are believed. */
const ENGAGEMENT_PRIOR_IMPRESSIONS = 20;
/** A tenant's first clicks and impressions, so that its average is never 0 or undefined. */
const FIRST_CLICKS = 1;
const FIRST_IMPRESSIONS = 20;

export interface EngagementCount {
  readonly impressions: number;
  readonly clicks: number;
}

/** How a tenant's articles do. */
export class Engagement {
  /** Smoothed rates of articles asked for before, by their number; NaN: not asked for yet. */
  readonly #known = new WeakMap<object, Float64Array>();
  readonly #counts: ReadonlyMap<ContentId, EngagementCount>;
  readonly #averageRate: number;

  constructor(counts: ReadonlyMap<ContentId, EngagementCount>) {
    this.#counts = counts;
    this.#averageRate = clickThroughRate(counts.values());
  }

  /** Smoothed click-through rates, 0 to 1, by candidate. */
  of({ count, articles, numbering, ids }: Candidates): Float64Array {
    const rates = new Float64Array(count);
    const known = this.#knownOf(numbering, ids);
    for (let at = 0; at < count; at += 1) {
      const id = ids[at] as number;
      if (Number.isNaN(known[id])) {
        const own = this.#counts.get(articles[at]?.contentId as ContentId);
        known[id] = smoothedEngagement(own, this.#averageRate);
      }
      rates[at] = known[id] as number;
    }
    return rates;
  }

  #knownOf(numbering: object, ids: Int32Array): Float64Array {
    let known = this.#known.get(numbering) ?? new Float64Array(0);
    let greatest = 0;
    for (const id of ids) greatest = Math.max(greatest, id);
    if (greatest < known.length) return known;
    const before = known;
    known = new Float64Array(2 * greatest + 1).fill(Number.NaN);
    known.set(before);
    this.#known.set(numbering, known);
    return known;
  }
}

export const NO_ENGAGEMENT = new Engagement(new Map());

/** What articles are worth to anybody, 0 to 1 each, by candidate. */
export interface Worth {
  readonly freshness: Float64Array;
  readonly engagement: Float64Array;
}

/** Freshness halves every `freshnessHalfLifeHours`; engagement is the smoothed click-through rate. */
export function worthOf(
  candidates: Candidates,
  context: {
    readonly settings: ScenarioSettings;
    readonly engagement: Engagement;
    readonly nowMs: number;
  },
): Worth {
  const { count, publishedAtMs } = candidates;
  const decayPerMs = Math.LN2 / (context.settings.freshnessHalfLifeHours * HOUR_MS);
  const freshness = new Float64Array(count);
  for (let at = 0; at < count; at += 1) {
    const ageMs = Math.max(0, context.nowMs - (publishedAtMs[at] as number));
    freshness[at] = Math.exp(-decayPerMs * ageMs);
  }
  return { freshness, engagement: context.engagement.of(candidates) };
}

/**
 * Click-through rate drawn towards the tenant's average while impressions are few (additive smoothing), and
 * mapped so that the average is one half: rate / (rate + average).
 */
export function smoothedEngagement(
  count: EngagementCount | undefined,
  averageRate: number,
): number {
  const clicks = (count?.clicks ?? 0) + averageRate * ENGAGEMENT_PRIOR_IMPRESSIONS;
  const impressions = impressionsOf(count) + ENGAGEMENT_PRIOR_IMPRESSIONS;
  const rate = clicks / impressions;
  return rate / (rate + averageRate);
}

/** What was clicked was seen, whether or not its impressions are reported. */
function impressionsOf(count: EngagementCount | undefined): number {
  return Math.max(count?.impressions ?? 0, count?.clicks ?? 0);
}

/**
 * Average over a tenant's articles. Those clicked more often than seen are left out: their impressions are not
 * reported, and a tenant that reports none at all has the usual rate.
 */
function clickThroughRate(counts: Iterable<EngagementCount>): number {
  let clicks = FIRST_CLICKS;
  let impressions = FIRST_IMPRESSIONS;
  for (const count of counts) {
    if (count.impressions < count.clicks) continue;
    clicks += count.clicks;
    impressions += count.impressions;
  }
  return clicks / impressions;
}

import type { ContentId, TenantId } from "@feed/domain/ids";
import {
  Engagement,
  NO_ENGAGEMENT,
  smoothedEngagement,
  type EngagementCount,
} from "@feed/domain/ranking/worth";
import type { FeedDependencies } from "./dependencies.ts";

/** Popularity may be this old before it is asked for anew, beside the request that noticed. */
const REFRESH_MS = 15_000;
/** Engagement older than this says little about today's readers. */
const WINDOW_MS = 14 * 24 * 3_600_000;
const POPULAR_ITEMS = 200;
const PRIOR_RATE = 0.05;

export interface TenantEngagement {
  readonly rates: Engagement;
  /** Clicked articles, best smoothed click-through rate first. */
  readonly popular: readonly ContentId[];
}

const NOTHING_YET: TenantEngagement = { rates: NO_ENGAGEMENT, popular: [] };

/**
 * Engagement of each tenant's articles, held in memory and refreshed behind requests, so that a feed never waits
 * for the activity store and outlives it (architecture section 2, table).
 */
export class EngagementCache {
  readonly #deps: Pick<FeedDependencies, "activityStore" | "onEngagementStale">;
  readonly #tenants = new Map<TenantId, { value: TenantEngagement; askedAtMs: number }>();

  constructor(deps: Pick<FeedDependencies, "activityStore" | "onEngagementStale">) {
    this.#deps = deps;
  }

  of(tenantId: TenantId, nowMs: number): TenantEngagement {
    const known = this.#tenants.get(tenantId);
    if (known === undefined || nowMs - known.askedAtMs >= REFRESH_MS) {
      const value = known?.value ?? NOTHING_YET;
      this.#tenants.set(tenantId, { value, askedAtMs: nowMs });
      this.#refresh(tenantId, nowMs).catch(this.#deps.onEngagementStale);
      return value;
    }
    return known.value;
  }

  async #refresh(tenantId: TenantId, nowMs: number): Promise<void> {
    const rows = await this.#deps.activityStore.engagement(tenantId, nowMs - WINDOW_MS);
    const counts = new Map(
      rows.map(({ contentId, impressions, clicks }) => [contentId, { impressions, clicks }]),
    );
    this.#tenants.set(tenantId, {
      value: { rates: new Engagement(counts), popular: mostPopular(counts) },
      askedAtMs: nowMs,
    });
  }
}

function mostPopular(counts: ReadonlyMap<ContentId, EngagementCount>): ContentId[] {
  return [...counts]
    .filter(([, count]) => count.clicks > 0)
    .map(([contentId, count]) => ({ contentId, value: smoothedEngagement(count, PRIOR_RATE) }))
    .toSorted((left, right) => right.value - left.value)
    .slice(0, POPULAR_ITEMS)
    .map(({ contentId }) => contentId);
}

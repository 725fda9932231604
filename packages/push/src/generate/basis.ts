import { json } from "node:stream/consumers";
import type { IndexedArticle, RecallFilter } from "@feed/content-index";
import type { ContentId } from "@feed/domain/ids";
import { NO_INTERESTS } from "@feed/domain/ranking/interests";
import type { EngagementCount } from "@feed/domain/ranking/worth";
import { completeSettings, type Scenario } from "@feed/domain/scenario";
import { recallFilter } from "@feed/feed/recall";
import type { ObjectStore } from "@feed/object-store";
import type { PushDependencies } from "../dependencies.ts";

/** Articles a job chooses from; the newest ones. */
const POOL_ARTICLES_MAX = 5_000;
const LEG_ITEMS = 500;
/** Engagement older than this says little about today's readers. */
const ENGAGEMENT_WINDOW_MS = 14 * 24 * 3_600_000;
const MEDIA_TYPE = "application/json; charset=utf-8";

/**
 * What all candidates of a job are made from, fixed with its audience: neither a change of the scenario nor an article
 * that comes later makes one chunk, or one repeat of a chunk, differ from another.
 */
export interface JobBasis {
  readonly scenario: Scenario;
  readonly contentIds: readonly ContentId[];
  readonly engagement: readonly (readonly [contentId: ContentId, count: EngagementCount])[];
}

/** Deliverable articles within the scenario's freshness window at `atMs`, under its source and category rules. */
export async function fixBasis(
  deps: Pick<PushDependencies, "contentIndex" | "activityStore" | "directory">,
  scenario: Scenario,
  atMs: number,
): Promise<JobBasis> {
  const taken = new Map<ContentId, IndexedArticle>();
  const filter = poolFilter(deps, scenario, atMs);
  const named = namedArticles(scenario);
  const take = async (beforeMs: number, leg: "named" | "fresh", limit: number) => {
    const bounded = { ...filter, publishedBeforeMs: beforeMs, contentsExcluded: idsOf(taken) };
    const { articles } = await deps.contentIndex.recall(bounded, [
      leg === "named"
        ? { kind: "among", contentIds: named, limit }
        : { kind: "fresh", language: null, limit },
    ]);
    for (const article of articles) taken.set(article.contentId, article);
    return articles;
  };
  if (named.length > 0) await take(atMs, "named", named.length);
  for (let beforeMs = atMs; taken.size < POOL_ARTICLES_MAX;) {
    const limit = Math.min(LEG_ITEMS, POOL_ARTICLES_MAX - taken.size);
    const oldest = (await take(beforeMs, "fresh", limit)).at(-1);
    if (oldest === undefined) break;
    beforeMs = oldest.publishedAtMs;
  }
  const withheld = deps.directory.withheldContents(scenario.tenantId);
  const sinceMs = atMs - ENGAGEMENT_WINDOW_MS;
  const known = await deps.activityStore.engagement(scenario.tenantId, sinceMs);
  return {
    scenario,
    contentIds: [...taken.keys()].filter((contentId) => !withheld.has(contentId)),
    engagement: known.flatMap(({ contentId, impressions, clicks }) =>
      taken.has(contentId) ? [[contentId, { impressions, clicks }] as const] : [],
    ),
  };
}

/** Articles that are pinned or lifted, however old they are. */
function namedArticles({ settings }: Scenario): readonly ContentId[] {
  const lifted = settings.rankingRules.flatMap((rule) =>
    rule.match === "article" && rule.factor > 1 ? rule.id : [],
  );
  return [...new Set([...settings.pins, ...lifted])];
}

function idsOf(taken: ReadonlyMap<ContentId, unknown>): ReadonlySet<ContentId> {
  return new Set(taken.keys());
}

/** What a job of the scenario may deliver to anybody; where it filters by language, that is each user's own. */
export function poolFilter(
  { directory }: Pick<PushDependencies, "directory">,
  scenario: Scenario,
  atMs: number,
): RecallFilter {
  const filter = recallFilter({
    scenario,
    user: undefined,
    undeliverable: directory.undeliverableSources(scenario.tenantId),
    interests: NO_INTERESTS,
    language: null,
    areaIds: [],
    popular: [],
    seed: 0,
    nowMs: atMs,
  });
  return { ...filter, language: null };
}

export async function putBasis(
  store: Pick<ObjectStore, "put">,
  key: string,
  basis: JobBasis,
): Promise<void> {
  await store.put(key, Buffer.from(JSON.stringify(basis)), MEDIA_TYPE);
}

/** Undefined where there is none. */
export async function getBasis(
  store: Pick<ObjectStore, "get">,
  key: string,
): Promise<JobBasis | undefined> {
  const found = await store.get(key);
  if (found === undefined) return undefined;
  const basis = (await json(found.body)) as JobBasis;
  const { scenario } = basis;
  return { ...basis, scenario: { ...scenario, settings: completeSettings(scenario.settings) } };
}

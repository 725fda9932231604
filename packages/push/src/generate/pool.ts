import type { Candidate, IndexedArticle, RecallLeg } from "@feed/content-index";
import { VectorSearch } from "@feed/content-index/vector-search";
import type { AreaId, ContentId, SourceId } from "@feed/domain/ids";
import { NO_INTERESTS } from "@feed/domain/ranking/interests";
import {
  scoreKnown,
  worthOf,
  type ArticleWorth,
  type EngagementCount,
} from "@feed/domain/ranking/score";
import type { Scenario } from "@feed/domain/scenario";
import { recallFilter } from "@feed/feed/recall";
import type { PushDependencies } from "../dependencies.ts";

/** Articles a job chooses from; the newest ones. */
const POOL_ARTICLES_MAX = 5_000;
const LEG_ITEMS = 500;
/** Engagement older than this says little about today's readers. */
const ENGAGEMENT_WINDOW_MS = 14 * 24 * 3_600_000;

const NEAR_NOTHING = { interest: -1, similarity: 0, dislike: 0 };

/** What a job's candidates are chosen from, the same for all of its users. Rows are numbered from 0. */
export interface Pool {
  readonly articles: readonly IndexedArticle[];
  readonly vectors: readonly Float32Array[];
  readonly search: VectorSearch;
  readonly rowOf: ReadonlyMap<ContentId, number>;
  /** Rows of a source and of an area, newest first. */
  readonly rowsOfSource: ReadonlyMap<SourceId, readonly number[]>;
  readonly rowsOfArea: ReadonlyMap<AreaId, readonly number[]>;
  readonly worth: readonly ArticleWorth[];
  /** Rows by what they are worth to anybody: fresh, engaging, well made. Best first. */
  readonly generic: readonly number[];
  readonly pins: readonly number[];
  readonly engagement: ReadonlyMap<ContentId, EngagementCount>;
}

type PoolDependencies = Pick<
  PushDependencies,
  "contentIndex" | "activityStore" | "directory" | "embedder"
>;

/** Deliverable articles within the scenario's freshness window at `atMs`, under its source and category rules. */
export async function buildPool(
  deps: PoolDependencies,
  scenario: Scenario,
  atMs: number,
): Promise<Pool> {
  const found = await recallPool(deps, scenario, atMs);
  const articles = found.map(({ article }) => article);
  const vectors = found.map(({ vector }) => vector);
  const rowOf = new Map(articles.map(({ contentId }, row) => [contentId, row]));
  const known = await deps.activityStore.engagement(scenario.tenantId, atMs - ENGAGEMENT_WINDOW_MS);
  const engagement = new Map(
    known.filter(({ contentId }) => rowOf.has(contentId)).map((one) => [one.contentId, one]),
  );
  const context = {
    settings: scenario.settings,
    interests: NO_INTERESTS,
    followedSources: new Set<SourceId>(),
    areaIds: new Set<AreaId>(),
    language: null,
    engagement,
    nowMs: atMs,
  };
  const worth = worthOf(articles, context);
  const nearness = articles.map(() => NEAR_NOTHING);
  const generic = scoreKnown(found, { nearness, worth }, context);
  return {
    articles,
    vectors,
    search: new VectorSearch(deps.embedder.dimensions, vectors),
    rowOf,
    worth,
    rowsOfSource: rowsBy(articles, ({ sourceId }) => [sourceId]),
    rowsOfArea: rowsBy(articles, ({ areas }) => areas.map(({ areaId }) => areaId)),
    generic: generic.flatMap(({ candidate }) => rowOf.get(candidate.article.contentId) ?? []),
    pins: scenario.settings.pins.flatMap((contentId) => rowOf.get(contentId) ?? []),
    engagement,
  };
}

/** The newest articles that pass the filter, and the pins among those that do. */
async function recallPool(
  { contentIndex, directory }: PoolDependencies,
  scenario: Scenario,
  atMs: number,
): Promise<readonly Candidate[]> {
  const filter = {
    ...recallFilter({
      scenario,
      user: undefined,
      undeliverable: directory.undeliverableSources(scenario.tenantId),
      interests: NO_INTERESTS,
      language: null,
      areaIds: [],
      popular: [],
      seed: 0,
      nowMs: atMs,
    }),
    // Where it filters by language, it is each user's own.
    language: null,
  };
  const found = new Map<ContentId, Candidate>();
  const { pins } = scenario.settings;
  const take = async (publishedBeforeMs: number, legs: readonly RecallLeg[]) => {
    const contentsExcluded = new Set(found.keys());
    const more = await contentIndex.recall(
      { ...filter, publishedBeforeMs, contentsExcluded },
      legs,
    );
    for (const candidate of more) found.set(candidate.article.contentId, candidate);
    return more;
  };
  if (pins.length > 0) await take(atMs, [{ kind: "among", contentIds: pins, limit: pins.length }]);
  for (let beforeMs = atMs; found.size < POOL_ARTICLES_MAX;) {
    const limit = Math.min(LEG_ITEMS, POOL_ARTICLES_MAX - found.size);
    const oldest = (await take(beforeMs, [{ kind: "fresh", language: null, limit }])).at(-1);
    if (oldest === undefined) break;
    beforeMs = oldest.article.publishedAtMs;
  }
  return [...found.values()];
}

function rowsBy<Key>(
  articles: readonly IndexedArticle[],
  keysOf: (article: IndexedArticle) => readonly Key[],
): ReadonlyMap<Key, readonly number[]> {
  const rows = new Map<Key, number[]>();
  articles.forEach((article, row) => {
    for (const key of keysOf(article)) {
      const known = rows.get(key);
      if (known === undefined) rows.set(key, [row]);
      else known.push(row);
    }
  });
  for (const list of rows.values()) {
    list.sort((left, right) => publishedAt(articles, right) - publishedAt(articles, left));
  }
  return rows;
}

function publishedAt(articles: readonly IndexedArticle[], row: number): number {
  return articles[row]?.publishedAtMs ?? 0;
}

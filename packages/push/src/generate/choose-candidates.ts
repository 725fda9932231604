import type { IndexedArticle } from "@feed/content-index";
import type { AreaId, ContentId, SourceId } from "@feed/domain/ids";
import { diversify } from "@feed/domain/ranking/diversify";
import type { UserInterests } from "@feed/domain/ranking/interests";
import { nearnessFrom, scoreKnown, type Scored } from "@feed/domain/ranking/score";
import type { ScenarioSettings } from "@feed/domain/scenario";
import type { Pool } from "./pool.ts";

/** Rows scored for a user: what is nearest to each interest, and enough of the rest to tell near from far. */
const NEAREST_ROWS = 24;
const GENERIC_ROWS = 48;
const FOLLOWED_ROWS = 8;
const AREA_ROWS = 16;
/** Of them, the best that the few are taken from. */
const MIXED_ROWS = 32;
/** In the few articles of one user: no source twice and no category three times, where others are good enough. */
const CAPS: ScenarioSettings["caps"] = { source: 0.34, category: 0.67, windowItems: 3 };

/** One user as choosing sees them. */
export interface Recipient {
  readonly interests: UserInterests;
  readonly followedSources: readonly SourceId[];
  readonly blockedSources: readonly SourceId[];
  readonly areaIds: readonly AreaId[];
  readonly language: string | null;
  /** Read, and sent in earlier jobs where the scenario leaves those out. */
  readonly excluded: Iterable<ContentId>;
}

interface PoolCandidate {
  readonly row: number;
  readonly article: IndexedArticle;
  readonly vector: Float32Array;
}

export interface ChosenArticle {
  readonly row: number;
  /** 0 to 1. */
  readonly score: number;
}

/**
 * Up to `count` articles of the pool for one user, best score first (spec 2.9): scored like a feed, none below the
 * scenario's threshold, none of what is excluded, and not all of one kind.
 */
export function chooseCandidates(
  pool: Pool,
  settings: ScenarioSettings,
  recipient: Recipient,
  { count, nowMs }: { readonly count: number; readonly nowMs: number },
): readonly ChosenArticle[] {
  const allowed = allowedRows(pool, settings, recipient);
  const scored = score(pool, rowsToScore(pool, recipient, allowed), settings, recipient, nowMs);
  const good = scored.filter((one) => one.score >= settings.scoreThreshold);
  return mixed(good, settings, count);
}

function score(
  pool: Pool,
  rows: readonly number[],
  settings: ScenarioSettings,
  recipient: Recipient,
  nowMs: number,
): readonly Scored<PoolCandidate>[] {
  const { interests } = recipient;
  const candidates = rows.map((row): PoolCandidate => {
    return { row, article: at(pool.articles, row), vector: at(pool.vectors, row) };
  });
  const liked = interests.liked.map(({ vector }) => vector);
  const products = {
    liked: pool.search.products(liked, rows),
    disliked: pool.search.products(interests.disliked, rows),
  };
  const nearness = nearnessFrom(rows.length, products, interests);
  const worth = rows.map((row) => at(pool.worth, row));
  return scoreKnown(
    candidates,
    { nearness, worth },
    {
      settings,
      interests,
      followedSources: new Set(recipient.followedSources),
      areaIds: new Set(recipient.areaIds),
      language: recipient.language,
      engagement: pool.engagement,
      nowMs,
    },
  );
}

function at<Value>(values: readonly Value[], row: number): Value {
  const value = values[row];
  if (value === undefined) throw new Error(`the pool has no row ${row}`);
  return value;
}

function mixed(
  scored: readonly Scored<PoolCandidate>[],
  settings: ScenarioSettings,
  count: number,
): readonly ChosenArticle[] {
  const pins = new Set(settings.pins);
  const best = scored.filter(
    ({ candidate }, place) => place < MIXED_ROWS || pins.has(candidate.article.contentId),
  );
  return diversify(best, {
    settings: { ...settings, caps: CAPS, explorationShare: 0 },
    itemsMax: count,
    isPinned: ({ article }) => pins.has(article.contentId),
    isExploration: () => false,
  })
    .map(({ scored: { candidate, score } }) => ({ row: candidate.row, score }))
    .toSorted((left, right) => right.score - left.score);
}

/** One byte a row: 0 where the user must not get it. */
function allowedRows(pool: Pool, settings: ScenarioSettings, recipient: Recipient): Uint8Array {
  const allowed = new Uint8Array(pool.articles.length).fill(1);
  const { language } = recipient;
  if (settings.language.mode === "filter" && language !== null) {
    pool.articles.forEach((article, row) => {
      if (article.language !== language) allowed[row] = 0;
    });
  }
  for (const contentId of recipient.excluded) {
    const row = pool.rowOf.get(contentId);
    if (row !== undefined) allowed[row] = 0;
  }
  for (const sourceId of recipient.blockedSources) {
    for (const row of pool.rowsOfSource.get(sourceId) ?? []) allowed[row] = 0;
  }
  return allowed;
}

function rowsToScore(pool: Pool, recipient: Recipient, allowed: Uint8Array): readonly number[] {
  const rows = new Set<number>();
  const add = (list: readonly number[], most: number): void => {
    let left = most;
    for (const row of list) {
      if (left === 0) return;
      if (allowed[row] !== 1) continue;
      rows.add(row);
      left -= 1;
    }
  };
  const vectors = recipient.interests.liked.map(({ vector }) => vector);
  for (const near of pool.search.nearest(vectors, NEAREST_ROWS, allowed)) add(near, NEAREST_ROWS);
  add(pool.generic, GENERIC_ROWS);
  for (const id of recipient.followedSources) add(pool.rowsOfSource.get(id) ?? [], FOLLOWED_ROWS);
  for (const id of recipient.areaIds) add(pool.rowsOfArea.get(id) ?? [], AREA_ROWS);
  add(pool.pins, pool.pins.length);
  return [...rows];
}

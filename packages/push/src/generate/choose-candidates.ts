import type { IndexedArticle } from "@feed/content-index";
import type { AreaId, ContentId, SourceId } from "@feed/domain/ids";
import { diversify, type Placed } from "@feed/domain/ranking/diversify";
import type { Candidates } from "@feed/domain/ranking/candidates";
import { gather } from "@feed/domain/ranking/candidates-from";
import type { UserInterests } from "@feed/domain/ranking/interests";
import { scoreCandidates, type Ranking } from "@feed/domain/ranking/score";
import type { ScenarioSettings } from "@feed/domain/scenario";
import { explain } from "@feed/feed/explain";
import type { Explanation } from "@feed/feed";
import type { Pool } from "./pool.ts";

/** Rows scored for a user: what is nearest to each interest, and enough of the rest to tell near from far. */
const NEAREST_ROWS = 24;
const GENERIC_ROWS = 48;
const FOLLOWED_ROWS = 8;
const AREA_ROWS = 16;
/** Of them, the best that the few are taken from. */
const MIXED_ROWS = 32;
/** In a mask of rows: allowed, and among those to score. */
const TAKEN = 2;
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

export interface ChosenArticle {
  readonly row: number;
  /** 0 to 1. */
  readonly score: number;
}

export interface ExplainedArticle extends ChosenArticle {
  readonly explanation: Explanation;
}

interface Choosing {
  readonly count: number;
  readonly nowMs: number;
}

/**
 * Up to `count` articles of the pool for one user, best score first (spec 2.9): scored like a feed, none below the
 * scenario's threshold, none of what is excluded, and not all of one kind.
 */
export function chooseCandidates(
  pool: Pool,
  settings: ScenarioSettings,
  recipient: Recipient,
  choosing: Choosing,
): readonly ChosenArticle[] {
  const { rows, ranking, placed } = choose(pool, settings, recipient, choosing);
  return placed.map(({ at }) => chosenAt(at, rows, ranking));
}

/** The same articles, and why each was chosen: what a feed says of an item, but for how it was found. */
export function explainCandidates(
  pool: Pool,
  settings: ScenarioSettings,
  recipient: Recipient,
  choosing: Choosing,
): readonly ExplainedArticle[] {
  const { rows, candidates, ranking, placed } = choose(pool, settings, recipient, choosing);
  const rules = settings.rankingRules;
  return placed.map((place) => ({
    ...chosenAt(place.at, rows, ranking),
    explanation: explain(place, { candidates, ranking, legs: [], because: new Map(), rules }),
  }));
}

function chosenAt(at: number, rows: Int32Array, { scores }: Ranking): ChosenArticle {
  return { row: rows[at] as number, score: scores[at] as number };
}

function choose(
  pool: Pool,
  settings: ScenarioSettings,
  recipient: Recipient,
  { count, nowMs }: Choosing,
) {
  const allowed = allowedRows(pool, settings, recipient);
  const rows = rowsToScore(pool, recipient, allowed);
  const candidates = gather({ of: pool.candidates, numbers: rows });
  const ranking = scoreCandidates(
    candidates,
    {
      settings,
      interests: recipient.interests,
      followedSources: new Set(recipient.followedSources),
      areaIds: new Set(recipient.areaIds),
      language: recipient.language,
      engagement: pool.engagement,
      nowMs,
    },
    {
      freshness: taken(pool.worth.freshness, rows),
      engagement: taken(pool.worth.engagement, rows),
    },
  );
  return { rows, candidates, ranking, placed: mixed(candidates, ranking, settings, count) };
}

function taken(values: Float64Array, rows: Int32Array): Float64Array {
  const some = new Float64Array(rows.length);
  for (let at = 0; at < some.length; at += 1) some[at] = values[rows[at] as number] as number;
  return some;
}

/** The few that are good enough and not all of one kind, best score first. */
function mixed(
  candidates: Candidates<IndexedArticle>,
  { order, scores }: Ranking,
  settings: ScenarioSettings,
  count: number,
): readonly Placed[] {
  const best = bestRows(candidates, { order, scores }, settings);
  return diversify(
    candidates,
    { order: best, scores },
    {
      settings: { ...settings, caps: CAPS, sourceCaps: [], explorationShare: 0 },
      itemsMax: count,
      isExploration: () => false,
    },
  ).toSorted((left, right) => (scores[right.at] as number) - (scores[left.at] as number));
}

/** The best that are good enough, and what is pinned of the rest of these. */
function bestRows(
  { articles }: Candidates<IndexedArticle>,
  { order, scores }: Pick<Ranking, "order" | "scores">,
  { pins, scoreThreshold }: ScenarioSettings,
): Int32Array {
  const tooLow = order.findIndex((at) => (scores[at] as number) < scoreThreshold);
  const good = tooLow === -1 ? order : order.subarray(0, tooLow);
  if (pins.length === 0) return good.subarray(0, MIXED_ROWS);
  const pinned = new Set(pins);
  return good.filter(
    (at, place) => place < MIXED_ROWS || pinned.has(articles[at]?.contentId as ContentId),
  );
}

/** One byte a row: 0 where the user must not get it, else 1. */
function allowedRows(pool: Pool, settings: ScenarioSettings, recipient: Recipient): Uint8Array {
  const allowed = new Uint8Array(pool.candidates.articles.length).fill(1);
  const { language } = recipient;
  if (settings.language.mode === "filter" && language !== null) {
    pool.candidates.articles.forEach((article, row) => {
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

function rowsToScore(pool: Pool, recipient: Recipient, allowed: Uint8Array): Int32Array {
  const vectors = recipient.interests.liked.map(({ vector }) => vector);
  const nearest = pool.search.nearest(vectors, NEAREST_ROWS, allowed);
  const rows: number[] = [];
  const add = (list: ArrayLike<number>, most: number): void => {
    let left = most;
    for (let at = 0; at < list.length && left > 0; at += 1) {
      const row = list[at] as number;
      if (allowed[row] === 0) continue;
      left -= 1;
      if (allowed[row] === TAKEN) continue;
      allowed[row] = TAKEN;
      rows.push(row);
    }
  };
  for (const near of nearest) add(near, NEAREST_ROWS);
  add(pool.generic, GENERIC_ROWS);
  for (const id of recipient.followedSources) add(pool.rowsOfSource.get(id) ?? [], FOLLOWED_ROWS);
  for (const id of recipient.areaIds) add(pool.rowsOfArea.get(id) ?? [], AREA_ROWS);
  add(pool.pins, pool.pins.length);
  return Int32Array.from(rows);
}

import type { AreaId } from "@feed/domain/ids";
import { FEED_WALK_ITEMS_MAX } from "@feed/domain/limits";
import { diversify } from "@feed/domain/ranking/diversify";
import {
  buildInterests,
  INTEREST_MARKS_USED_MAX,
  NO_INTERESTS,
  type UserInterests,
} from "@feed/domain/ranking/interests";
import type { Candidates } from "@feed/domain/ranking/candidates";
import { gather } from "@feed/domain/ranking/candidates-from";
import { scoreCandidates } from "@feed/domain/ranking/score";
import type { IndexedArticle } from "@feed/content-index";
import type { FeedDependencies } from "./dependencies.ts";
import type { TenantEngagement } from "./engagement.ts";
import { explain, nearestMembers } from "./explain.ts";
import { hash32 } from "./hashing.ts";
import type { RankedItems } from "./ranked-list.ts";
import { readerLanguage } from "./reader-language.ts";
import type { RegisteredReader } from "./reader.ts";
import { recallFilter, recallLegs } from "./recall.ts";
import { numbersWhere, recallBalanced } from "./recall-balanced.ts";
import type { FeedRequest } from "./service.ts";
import type { StatedInterests } from "./stated-interests.ts";

const DAY_MS = 24 * 3_600_000;
/** A stated interest counts as this much of a click, so that clicks soon speak louder than words. */
const STATED_INTEREST_WEIGHT = 0.5;
const SCORE_DIGITS = 1e4;

export interface RankInput {
  readonly request: FeedRequest;
  readonly user: RegisteredReader | undefined;
  readonly areaIds: readonly AreaId[];
  readonly engagement: TenantEngagement;
  /** `hash32` of what the walk has shown already, which is left out. */
  readonly shown: ReadonlySet<number>;
}

export interface RankedFeed extends RankedItems {
  /** Of the items, in their order. */
  readonly articles: readonly IndexedArticle[];
}

export interface RankDependencies extends Pick<FeedDependencies, "contentIndex" | "directory"> {
  readonly statedInterests: StatedInterests;
}

/** Recall, score, diversify (architecture section 3, steps 1 to 3): at most FEED_WALK_ITEMS_MAX items. */
export async function rankFeed(deps: RankDependencies, input: RankInput): Promise<RankedFeed> {
  const { request, user } = input;
  const { settings } = request.scenario;
  const interests = await interestsOf(deps, request, user);
  const language = await readerLanguage(deps.contentIndex, user, settings.language.mode);
  const legs = recallLegs({ ...recallInput(deps, input), interests, language });
  const filter = recallFilter({ ...recallInput(deps, input), interests, language });
  const found = await recallBalanced(deps.contentIndex, filter, legs, settings);
  const candidates = withoutShown(found, input.shown);
  const ranking = scoreCandidates(candidates, {
    settings,
    interests,
    followedSources: new Set(user?.state.followedSources),
    areaIds: new Set(input.areaIds),
    language,
    engagement: input.engagement.rates,
    nowMs: request.nowMs,
  });
  const explorationLeg = legs.findIndex(({ name }) => name === "exploration");
  const placed = diversify(candidates, ranking, {
    settings,
    itemsMax: FEED_WALK_ITEMS_MAX,
    isExploration: (at) => isExploration(candidates, at, explorationLeg, language),
  });
  const articles = placed.map(({ at }) => candidates.articles[at] as IndexedArticle);
  const because = request.explain
    ? await nearestMembers(deps.contentIndex, interests, { candidates, ranking, placed })
    : undefined;
  return {
    contentIds: articles.map(({ contentId }) => contentId),
    scores: placed.map(({ at }) => rounded(ranking.scores[at] as number)),
    ...(because && {
      explanations: placed.map((place) =>
        explain(place, { candidates, ranking, legs, because, rules: settings.rankingRules }),
      ),
    }),
    articles,
  };
}

function withoutShown(
  found: Candidates<IndexedArticle>,
  shown: ReadonlySet<number>,
): Candidates<IndexedArticle> {
  if (shown.size === 0) return found;
  const numbers = numbersWhere(
    found.count,
    (at) => !shown.has(hash32(found.articles[at]?.contentId ?? "")),
  );
  return gather({ of: found, numbers });
}

function rounded(score: number): number {
  return Math.round(score * SCORE_DIGITS) / SCORE_DIGITS;
}

function recallInput(deps: RankDependencies, { request, user, areaIds, engagement }: RankInput) {
  return {
    scenario: request.scenario,
    user,
    undeliverable: deps.directory.undeliverableSources(request.tenant.tenantId),
    areaIds,
    popular: engagement.popular,
    // The same sample all day for one reader: paging back and forth shows the same articles.
    seed: hash32(
      `${user?.key.subjectId ?? request.tenant.tenantId}:${Math.floor(request.nowMs / DAY_MS)}`,
    ),
    nowMs: request.nowMs,
  };
}

async function interestsOf(
  deps: RankDependencies,
  request: FeedRequest,
  user: RegisteredReader | undefined,
): Promise<UserInterests> {
  if (user === undefined) return NO_INTERESTS;
  const { interests: marks, properties } = user.state;
  const stated = properties.interests ?? [];
  if (marks.length === 0 && stated.length === 0) return NO_INTERESTS;
  const latest = marks.slice(-INTEREST_MARKS_USED_MAX);
  const vectors = await deps.contentIndex.vectors(latest.map(({ contentId }) => contentId));
  return buildInterests(latest, vectors, {
    nowMs: request.nowMs,
    halfLifeDays: request.scenario.settings.interestHalfLifeDays,
    stated: stated.length === 0 ? [] : await deps.statedInterests.vectorsOf(stated),
    statedWeight: STATED_INTEREST_WEIGHT,
  });
}

/** Exploring leads to new topics and sources, not to languages the reader doesn't read. */
function isExploration(
  { legs, articles }: Candidates<IndexedArticle>,
  at: number,
  explorationLeg: number,
  language: string | null,
): boolean {
  if (explorationLeg === -1 || legs[at] !== 1 << explorationLeg) return false;
  return language === null || articles[at]?.language === language;
}

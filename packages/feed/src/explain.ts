import type { ContentId } from "@feed/domain/ids";
import { foundBy, type Candidates } from "@feed/domain/ranking/candidates";
import type { Placed } from "@feed/domain/ranking/diversify";
import type { UserInterests } from "@feed/domain/ranking/interests";
import { rulesFor } from "@feed/domain/ranking/rules";
import type { Ranking } from "@feed/domain/ranking/score";
import { dot } from "@feed/domain/ranking/vector";
import type { ScenarioSettings } from "@feed/domain/scenario";
import type { ContentIndex, IndexedArticle } from "@feed/content-index";
import type { NamedLeg } from "./recall.ts";
import type { Explanation } from "./service.ts";

const DIGITS = 1e4;
/** `articles` and `vectors` take at most this many ids in one call. */
const MEMBERS_MAX = 1_000;

/** Candidates, their scores, and the places they got. */
export interface RankedCandidates {
  readonly candidates: Candidates<IndexedArticle>;
  readonly ranking: Ranking;
  readonly placed: readonly Placed[];
}

export type BecauseOf = ReadonlyMap<ContentId, NonNullable<Explanation["because_of"]>>;

/** For each placed article that an interest found: the article behind that interest it is nearest to. */
export async function nearestMembers(
  contentIndex: Pick<ContentIndex, "articles" | "vectors">,
  interests: UserInterests,
  { candidates, ranking, placed }: RankedCandidates,
): Promise<BecauseOf> {
  const members = interests.liked.flatMap((interest) => interest.members).slice(0, MEMBERS_MAX);
  const vectors = await contentIndex.vectors(members);
  const titles = new Map(
    (await contentIndex.articles(members)).map(({ contentId, title }) => [contentId, title]),
  );
  const because = new Map<ContentId, { content_id: string; title: string }>();
  for (const { at } of placed) {
    const interest = interests.liked[ranking.interests[at] as number];
    const nearest = nearestOf(candidates.vector(at), interest?.members ?? [], vectors);
    const title = nearest === undefined ? undefined : titles.get(nearest);
    if (nearest !== undefined && title !== undefined) {
      because.set(contentIdOf(candidates, at), { content_id: nearest, title });
    }
  }
  return because;
}

function nearestOf(
  vector: Float32Array,
  members: readonly ContentId[],
  vectors: ReadonlyMap<ContentId, Float32Array>,
): ContentId | undefined {
  let nearest: ContentId | undefined;
  let best = Number.NEGATIVE_INFINITY;
  for (const member of members) {
    const other = vectors.get(member);
    const value = other === undefined ? Number.NEGATIVE_INFINITY : dot(vector, other);
    if (value > best) {
      best = value;
      nearest = member;
    }
  }
  return nearest;
}

/** Why an article stands where it stands, in the words of the API. */
export function explain(
  { at, moved, rule }: Placed,
  {
    candidates,
    ranking: { parts, boosts },
    legs,
    because,
    rules,
  }: Pick<RankedCandidates, "candidates" | "ranking"> & {
    readonly legs: readonly NamedLeg[];
    readonly because: BecauseOf;
    readonly rules: ScenarioSettings["rankingRules"];
  },
): Explanation {
  const names = legs.flatMap(({ name }, leg) => (foundBy(candidates, at, leg) ? name : []));
  const found = new Set(names);
  const applied = rulesFor(rules, candidates.articles[at] as IndexedArticle);
  const becauseOf = found.has("interest") ? because.get(contentIdOf(candidates, at)) : undefined;
  return {
    parts: {
      relevance: rounded(parts.relevance[at]),
      freshness: rounded(parts.freshness[at]),
      engagement: rounded(parts.engagement[at]),
      quality: rounded(parts.quality[at]),
    },
    boosts: {
      followed_source: rounded(boosts.followedSource[at]),
      area: rounded(boosts.area[at]),
      language: rounded(boosts.language[at]),
    },
    found_by: [...found],
    ...(becauseOf === undefined ? {} : { because_of: becauseOf }),
    ...(applied.length === 0 ? {} : { ranking_rules: applied }),
    moved,
    ...(rule === undefined ? {} : { rule }),
  };
}

function contentIdOf({ articles }: Candidates<IndexedArticle>, at: number): ContentId {
  return (articles[at] as IndexedArticle).contentId;
}

function rounded(value: number | undefined): number {
  return Math.round((value ?? 0) * DIGITS) / DIGITS;
}

import type { ContentId } from "@feed/domain/ids";
import type { Placed } from "@feed/domain/ranking/diversify";
import type { UserInterests } from "@feed/domain/ranking/interests";
import { dot } from "@feed/domain/ranking/vector";
import type { Candidate, ContentIndex } from "@feed/content-index";
import type { NamedLeg } from "./recall.ts";
import type { Explanation } from "./service.ts";

const DIGITS = 1e4;
/** `articles` and `vectors` take at most this many ids in one call. */
const MEMBERS_MAX = 1_000;

export type BecauseOf = ReadonlyMap<ContentId, NonNullable<Explanation["because_of"]>>;

/** For each placed article that an interest found: the article behind that interest it is nearest to. */
export async function nearestMembers(
  contentIndex: Pick<ContentIndex, "articles" | "vectors">,
  interests: UserInterests,
  placed: readonly Placed<Candidate>[],
): Promise<BecauseOf> {
  const members = interests.liked.flatMap((interest) => interest.members).slice(0, MEMBERS_MAX);
  const vectors = await contentIndex.vectors(members);
  const titles = new Map(
    (await contentIndex.articles(members)).map(({ contentId, title }) => [contentId, title]),
  );
  const because = new Map<ContentId, { content_id: string; title: string }>();
  for (const { scored } of placed) {
    const interest = interests.liked[scored.interest];
    const nearest = nearestOf(scored.candidate.vector, interest?.members ?? [], vectors);
    const title = nearest === undefined ? undefined : titles.get(nearest);
    if (nearest !== undefined && title !== undefined) {
      because.set(scored.candidate.article.contentId, { content_id: nearest, title });
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
  place: Placed<Candidate>,
  legs: readonly NamedLeg[],
  because: BecauseOf,
): Explanation {
  const { candidate, parts, boosts } = place.scored;
  const foundBy = new Set(candidate.legs.flatMap((leg) => legs[leg]?.name ?? []));
  const becauseOf = foundBy.has("interest") ? because.get(candidate.article.contentId) : undefined;
  return {
    parts: {
      relevance: rounded(parts.relevance),
      freshness: rounded(parts.freshness),
      engagement: rounded(parts.engagement),
      quality: rounded(parts.quality),
    },
    boosts: {
      followed_source: rounded(boosts.followedSource),
      area: rounded(boosts.area),
      language: rounded(boosts.language),
    },
    found_by: [...foundBy],
    ...(becauseOf === undefined ? {} : { because_of: becauseOf }),
    moved: place.moved,
    ...(place.rule === undefined ? {} : { rule: place.rule }),
  };
}

function rounded(value: number): number {
  return Math.round(value * DIGITS) / DIGITS;
}

import type { Client, estypes } from "@elastic/elasticsearch";
import type { Candidate } from "@feed/domain/ranking/candidates-from";
import { ContentIndexUnavailable } from "../port.ts";
import type { IndexedArticle, RecallFilter, RecallLeg } from "../port.ts";
import { searchOf } from "./queries.ts";

export interface Hit {
  readonly contentId: string;
  readonly version: number;
}

export interface HeldArticle {
  readonly version: number;
  readonly article: IndexedArticle;
  readonly vector: Float32Array;
}

/** What each leg finds, best first, in one request. */
export async function findLegs(
  client: Client,
  index: string,
  filter: RecallFilter,
  legs: readonly RecallLeg[],
): Promise<readonly (readonly Hit[])[]> {
  // An empty list of ids is no search: Elasticsearch takes no size of 0 from msearch for sorting by it.
  const asked = legs.filter((leg) => leg.kind !== "among" || leg.contentIds.length > 0);
  if (asked.length === 0) return legs.map(() => []);
  const searches = asked.flatMap((leg) => [{}, searchOf(filter, leg)]);
  const { responses } = await client.msearch({ index, searches });
  const answers = responses.values();
  return legs.map((leg) => {
    if (leg.kind === "among" && leg.contentIds.length === 0) return [];
    const hits = hitsOf(answers.next().value);
    return leg.kind === "among" ? inOrder(hits, leg.contentIds, leg.limit) : hits;
  });
}

/** Union of the legs in order of first leg and rank. */
export function unite(
  found: readonly (readonly Hit[])[],
  articles: ReadonlyMap<string, HeldArticle>,
): readonly Candidate<IndexedArticle>[] {
  const legsOf = new Map<string, number[]>();
  found.forEach((hits, leg) => {
    for (const { contentId } of hits) {
      const legs = legsOf.get(contentId);
      if (legs === undefined) legsOf.set(contentId, [leg]);
      else legs.push(leg);
    }
  });
  return [...legsOf].flatMap(([contentId, legs]) => {
    const held = articles.get(contentId);
    return held === undefined ? [] : [{ article: held.article, vector: held.vector, legs }];
  });
}

function hitsOf(answer: estypes.MsearchResponseItem<unknown> | undefined): Hit[] {
  if (answer === undefined || "error" in answer) {
    const reason = answer === undefined ? "no answer" : (answer.error.reason ?? answer.error.type);
    throw new ContentIndexUnavailable(`can't search: ${reason}`);
  }
  if (answer._shards.failed > 0 || answer.timed_out)
    throw new ContentIndexUnavailable("can't search: a part of the index did not answer");
  return answer.hits.hits.map(({ _id = "", _version = 0 }) => ({
    contentId: _id,
    version: _version,
  }));
}

function inOrder(hits: readonly Hit[], contentIds: readonly string[], limit: number): Hit[] {
  const found = new Map(hits.map((hit) => [hit.contentId, hit]));
  return [...new Set(contentIds)].flatMap((id) => found.get(id) ?? []).slice(0, limit);
}

import { LEG_CANDIDATES_MAX, type IndexedArticle, type RecallLeg } from "@feed/content-index";
import { VectorSearch } from "@feed/content-index/vector-search";
import type { AreaId, ContentId, SourceId } from "@feed/domain/ids";
import { NO_INTERESTS } from "@feed/domain/ranking/interests";
import type { Candidates } from "@feed/domain/ranking/candidates";
import { gather } from "@feed/domain/ranking/candidates-from";
import { scoreCandidates } from "@feed/domain/ranking/score";
import { Engagement, worthOf, type Worth } from "@feed/domain/ranking/worth";
import type { PushDependencies } from "../dependencies.ts";
import { poolFilter, type JobBasis } from "./basis.ts";

/** What a job's candidates are chosen from, the same for all of its users. Rows are numbered from 0. */
export interface Pool {
  readonly candidates: Candidates<IndexedArticle>;
  readonly search: VectorSearch;
  readonly rowOf: ReadonlyMap<ContentId, number>;
  /** Rows of a source and of an area, newest first. */
  readonly rowsOfSource: ReadonlyMap<SourceId, readonly number[]>;
  readonly rowsOfArea: ReadonlyMap<AreaId, readonly number[]>;
  readonly worth: Worth;
  /** Rows by what they are worth to anybody: fresh, engaging, well made. Best first. */
  readonly generic: Int32Array;
  readonly pins: readonly number[];
  readonly engagement: Engagement;
}

/** The pool of a basis, at the time that everything of the job is scored at. */
export async function buildPool(
  deps: Pick<PushDependencies, "contentIndex" | "directory" | "embedder">,
  basis: JobBasis,
  atMs: number,
): Promise<Pool> {
  const { scenario } = basis;
  const found = await recallPool(deps, basis, atMs);
  const { articles } = found;
  const vectors = articles.map((_, row) => found.vector(row));
  const search = new VectorSearch(deps.embedder.dimensions, vectors);
  const rowOf = new Map(articles.map(({ contentId }, row) => [contentId, row]));
  const engagement = new Engagement(new Map(basis.engagement));
  const context = {
    settings: scenario.settings,
    interests: NO_INTERESTS,
    followedSources: new Set<SourceId>(),
    areaIds: new Set<AreaId>(),
    language: null,
    engagement,
    nowMs: atMs,
  };
  const worth = worthOf(found, context);
  return {
    candidates: {
      ...found,
      vector: (row) => vectors[row] as Float32Array,
      products: (query, rows = Int32Array.from(articles.keys())) => search.products(query, rows),
    },
    search,
    rowOf,
    worth,
    rowsOfSource: rowsBy(articles, ({ sourceId }) => [sourceId]),
    rowsOfArea: rowsBy(articles, ({ areas }) => areas.map(({ areaId }) => areaId)),
    generic: scoreCandidates(found, context, worth).order,
    pins: scenario.settings.pins.flatMap((contentId) => rowOf.get(contentId) ?? []),
    engagement,
  };
}

/** The articles of the basis that may still be delivered, in its order. */
async function recallPool(
  deps: Pick<PushDependencies, "contentIndex" | "directory">,
  { scenario, contentIds }: JobBasis,
  atMs: number,
): Promise<Candidates<IndexedArticle>> {
  const filter = poolFilter(deps, scenario, atMs);
  const legs: RecallLeg[] = [];
  for (let from = 0; from < contentIds.length; from += LEG_CANDIDATES_MAX) {
    const among = contentIds.slice(from, from + LEG_CANDIDATES_MAX);
    legs.push({ kind: "among", contentIds: among, limit: among.length });
  }
  const found = await deps.contentIndex.recall(filter, legs);
  const places = new Map(contentIds.map((contentId, place) => [contentId, place]));
  const placeAt = (row: number) => places.get(found.articles[row]?.contentId as ContentId) ?? 0;
  const inOrder = [...found.articles.keys()].sort((left, right) => placeAt(left) - placeAt(right));
  return gather({ of: found, numbers: Int32Array.from(inOrder) });
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

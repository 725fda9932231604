import type { ContentId } from "@feed/domain/ids";
import type { ContentIndex, RecallFilter } from "@feed/content-index";
import { ARTICLE_IDS_MAX } from "@feed/content-index";
import { openContentIndex, openEmbedder } from "@feed/engines";
import { contentIdOf } from "../articles/compose.ts";
import { EMBEDDER } from "../installation/prepare.ts";
import { randomFrom } from "../random.ts";
import type { Random } from "../random.ts";
import { atLeast } from "../results.ts";
import type { Result } from "../results.ts";
import type { Sizes } from "../settings.ts";

const TOP = 100;
const GOAL = 0.99;
/** An interest is made from a few clicks. */
const CLICKS_PER_INTEREST = 3;
/** Sums of float32 in another order differ by less. */
const ROUNDING = 1e-6;

/** Share of the exact nearest 100 that the index's first pass and rerank find, over interests as feeds make them. */
export async function measureRecall(dataDirectory: string, sizes: Sizes): Promise<Result> {
  const config = { dataDirectory, embedder: EMBEDDER };
  await using embedder = await openEmbedder(config);
  await using index = await openContentIndex(config, embedder, { writer: false });
  const vectors = await vectorsOf(index, sizes.articles);
  const random = randomFrom(3);
  let found = 0;
  for (let query = 0; query < sizes.recallQueries; query += 1) {
    const vector = interestFrom(vectors, random);
    const leg = { kind: "nearest", vector, limit: TOP } as const;
    const candidates = await index.recall(everything(Date.now()), [leg]);
    const least = scoreOfRank(vectors, vector, TOP) - ROUNDING;
    found += candidates.products(vector).filter((product) => product >= least).length;
  }
  const value = found / (sizes.recallQueries * TOP);
  return atLeast({ name: "feed-recall-at-100", value, unit: "share" }, GOAL);
}

async function vectorsOf(index: ContentIndex, count: number): Promise<readonly Float32Array[]> {
  const ids: ContentId[] = Array.from({ length: count }, (_, at) => contentIdOf(at));
  const vectors: Float32Array[] = [];
  for (let from = 0; from < count; from += ARTICLE_IDS_MAX) {
    vectors.push(...(await index.vectors(ids.slice(from, from + ARTICLE_IDS_MAX))).values());
  }
  if (vectors.length !== count)
    throw new Error(`${vectors.length} of ${count} articles are indexed`);
  return vectors;
}

function interestFrom(vectors: readonly Float32Array[], random: Random): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (let click = 0; click < CLICKS_PER_INTEREST; click += 1) {
    const vector = random.pick(vectors);
    for (let at = 0; at < sum.length; at += 1) sum[at]! += vector[at]!;
  }
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
}

function scoreOfRank(vectors: readonly Float32Array[], query: Float32Array, rank: number): number {
  const scores = Float64Array.from(vectors, (vector) => dot(vector, query)).sort();
  return scores[scores.length - rank] ?? -1;
}

function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at += 1) sum += left[at]! * right[at]!;
  return sum;
}

function everything(nowMs: number): RecallFilter {
  return {
    sourcesIncluded: null,
    sourcesExcluded: new Set(),
    categoriesIncluded: null,
    categoriesExcluded: new Set(),
    contentsExcluded: new Set(),
    language: null,
    publishedAfterMs: null,
    publishedBeforeMs: nowMs,
  };
}

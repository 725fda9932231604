import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@elastic/elasticsearch";
import { CATEGORIES } from "@feed/domain/article";
import { asId } from "@feed/domain/ids";
import type { AreaId, SourceId } from "@feed/domain/ids";
import {
  articleOf,
  CONFORMANCE_MODEL,
  filterOf,
  HOUR_MS,
  NOW_MS,
  put,
} from "../src/conformance/articles.ts";
import { openElasticsearchContentIndex, parseElasticsearchUrl } from "../src/elasticsearch.ts";
import { openEmbeddedContentIndex } from "../src/embedded.ts";
import type { EmbeddedContentIndexOptions } from "../src/embedded.ts";
import type { ContentIndex, RecallLeg } from "../src/port.ts";

/**
 * Fills an index with made-up articles and prints what filling, opening, memory and recalls cost: the embedded one, or
 * with CONTENT_INDEX=elasticsearch+http://… one in a cluster.
 */
const ARTICLES = 50_000;
const DIMENSIONS = 256;
const TOPICS = 200;
const BATCH = 500;
const ROUNDS = 1_000;
const CLUSTER_ROUNDS = 200;
const SENTENCE = "駅前の広場が新しくなり、朝から多くの人が訪れた。";

let state = 1;
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}
const normal = (): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const topics = Array.from({ length: TOPICS }, () =>
  Float32Array.from({ length: DIMENSIONS }, normal),
);

/** A unit vector near one of the topics. */
function vectorNearTopic(): Float32Array {
  const topic = topics[Math.floor(random() * TOPICS)] ?? new Float32Array(DIMENSIONS);
  const vector = topic.map((value) => value / 2 + normal());
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

async function fill(index: ContentIndex): Promise<void> {
  for (let begin = 0; begin < ARTICLES; begin += BATCH) {
    const articles = Array.from({ length: BATCH }, (_, i) => {
      const n = begin + i;
      const areas = [`prefecture-${n % 47}`, `city-${n % 900}`].map((id) => asId<AreaId>(id));
      return articleOf(`${Math.floor(random() * 1e12).toString(36)}-${n}`, {
        sourceId: asId<SourceId>(`source-${n % 100}`),
        category: CATEGORIES[n % CATEGORIES.length] ?? "other",
        language: n % 3 === 0 ? "en" : "ja",
        areas: n % 2 === 0 ? [] : areas.map((areaId) => ({ areaId, confidence: 1 })),
        summary: SENTENCE.repeat(8).slice(0, 200),
        excerpt: SENTENCE.repeat(16).slice(0, 400),
        bodyHtml: SENTENCE.repeat(80),
        bodyMarkdown: SENTENCE.repeat(80),
        publishedAtMs: NOW_MS - Math.floor(random() * 30 * 24 * HOUR_MS),
        vector: vectorNearTopic(),
      });
    });
    await index.apply(
      articles.map((article, i) => put(article, begin + i)),
      new Map(),
    );
  }
}

async function recallTimes(index: ContentIndex, rounds = ROUNDS): Promise<readonly number[]> {
  const ids = <Id extends SourceId | AreaId>(...values: string[]): Id[] =>
    values.map((value) => asId(value) as Id);
  const fresh: RecallLeg = { kind: "fresh", language: "ja", limit: 150 };
  const popular = await index.recall(filterOf(), [{ ...fresh, language: null, limit: 500 }]);
  const popularIds = popular.articles.map(({ contentId }) => contentId);
  const filter = filterOf({
    sourcesIncluded: new Set(Array.from({ length: 80 }, (_, i) => asId<SourceId>(`source-${i}`))),
    sourcesExcluded: new Set(ids<SourceId>("source-3")),
    contentsExcluded: new Set(popularIds.slice(0, 300)),
  });
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const nearest = [0, 1, 2, 3].map((): RecallLeg => {
      return { kind: "nearest", vector: vectorNearTopic(), limit: 150 };
    });
    const legs: readonly RecallLeg[] = [
      ...nearest,
      fresh,
      { kind: "areas", areaIds: ids("prefecture-3", "city-5"), limit: 100 },
      { kind: "sources", sourceIds: ids("source-1", "source-2", "source-4"), limit: 100 },
      { kind: "among", contentIds: popularIds.slice(200, 400), limit: 200 },
      { kind: "sample", seed: round, publishedAfterMs: NOW_MS - 168 * HOUR_MS, limit: 50 },
    ];
    const begun = performance.now();
    await index.recall(filter, legs);
    times.push(performance.now() - begun);
  }
  return times.slice(rounds / 5).sort((a, b) => a - b);
}

function print(name: string, value: number, unit: string): void {
  process.stdout.write(`${name.padEnd(24)} ${value.toFixed(2)} ${unit}\n`);
}

async function measureFill(directory: string): Promise<void> {
  await using index = await openEmbeddedContentIndex(optionsOf(directory));
  const begun = performance.now();
  await fill(index);
  const perSecond = (1_000 * ARTICLES) / (performance.now() - begun);
  print("apply", perSecond, "articles/s, making them included");
}

async function measureRecall(directory: string): Promise<void> {
  const begun = performance.now();
  await using index = await openEmbeddedContentIndex(optionsOf(directory));
  print("open", performance.now() - begun, "ms");
  const times = await recallTimes(index);
  printShares("recall", times);
  print("resident memory", process.memoryUsage.rss() / 1e6, "MB");
}

function optionsOf(directory: string): EmbeddedContentIndexOptions {
  return { directory, model: CONFORMANCE_MODEL, dimensions: DIMENSIONS };
}

/** One nearest leg alone, and the whole recall, from one caller and from 16 at once. */
async function measureCluster(url: string): Promise<void> {
  const settings = { ...parseElasticsearchUrl(url), prefix: `bench-${randomUUID()}-` };
  const dimensions = DIMENSIONS;
  await using index = await openElasticsearchContentIndex({
    ...settings,
    model: CONFORMANCE_MODEL,
    dimensions,
  });
  const begun = performance.now();
  await fill(index);
  print("apply", (1_000 * ARTICLES) / (performance.now() - begun), "articles/s");
  const filter = filterOf();
  const alone: number[] = [];
  for (let round = 0; round < CLUSTER_ROUNDS; round += 1) {
    const leg: RecallLeg = { kind: "nearest", vector: vectorNearTopic(), limit: 150 };
    const from = performance.now();
    await index.recall(filter, [leg]);
    alone.push(performance.now() - from);
  }
  printShares(
    "one nearest leg",
    alone.sort((a, b) => a - b),
  );
  printShares("recall", await recallTimes(index, CLUSTER_ROUNDS));
  const from = performance.now();
  await Promise.all(Array.from({ length: 16 }, () => recallTimes(index, CLUSTER_ROUNDS / 4)));
  print("recalls, 16 at once", (1_000 * 4 * CLUSTER_ROUNDS) / (performance.now() - from), "/s");
  const client = new Client({ node: settings.node });
  await client.indices.delete({ index: `${settings.prefix}*` });
  await client.close();
}

function printShares(name: string, times: readonly number[]): void {
  for (const share of [0.5, 0.95, 0.99]) {
    print(`${name} p${share * 100}`, times[Math.floor(share * times.length)] ?? 0, "ms");
  }
}

const filled = process.argv[2];
const cluster = process.env["CONTENT_INDEX"];
if (cluster !== undefined) {
  await measureCluster(cluster);
} else if (filled === undefined) {
  const directory = await mkdtemp(join(tmpdir(), "content-index-bench-"));
  await measureFill(directory);
  // In a process of its own, so that memory is that of an index opened, not of one filled.
  spawnSync(process.execPath, [import.meta.filename, directory], { stdio: "inherit" });
  await rm(directory, { recursive: true, force: true });
} else {
  await measureRecall(filled);
}

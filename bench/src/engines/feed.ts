import { setTimeout as delay } from "node:timers/promises";
import { Client } from "@elastic/elasticsearch";
import { openEmbeddedContentIndex } from "@feed/content-index/embedded";
import { parseElasticsearchUrl } from "@feed/content-index/elasticsearch";
import { searchOf } from "@feed/content-index/elasticsearch/queries";
import { installationPaths, openEmbedder } from "@feed/engines";
import { textOfArticle } from "@feed/embedder/text";
import { waitFor } from "@feed/test-kit";
import type { FeedctlProcess } from "@feed/test-kit/service-process";
import { composeArticle, contentIdOf } from "../articles/compose.ts";
import { userIdOf } from "../installation/append-activity.ts";
import { EMBEDDER } from "../installation/prepare.ts";
import { drive } from "../load/drive.ts";
import { summarise } from "../load/latencies.ts";
import { requestWriter } from "../load/requests.ts";
import { note, step } from "../progress.ts";
import { randomFrom } from "../random.ts";
import { atMostTimes, format } from "../results.ts";
import type { Result } from "../results.ts";
import type { Sizes } from "../settings.ts";
import { portOf } from "./installation.ts";
import type { EnginesInstallation } from "./installation.ts";

const TIMES_MAX = 2;
/** Feeds and searches take turns, so that what else the machine does meets both. */
const ROUNDS = 3;
/** Nearest articles that a feed asks for, and read ones that it leaves out. */
const NEAREST = 150;
const READ = 8;
const COPY_TIMEOUT_MS = 600_000;
/** An API node looks four times a second whether its copy has everything. */
const COPY_NOTICED_MS = 1_000;

/** A first feed of each reader beside one bare filtered vector search, a caller at a time. */
export async function measureFeedOnEngines(
  installation: EnginesInstallation,
  api: FeedctlProcess,
  sizes: Sizes,
): Promise<readonly Result[]> {
  await step("the API node's copy of the index", () => copyIsComplete(installation));
  const { node, auth, prefix } = parseElasticsearchUrl(installation.engines.contentIndex);
  const client = new Client({ node, ...(auth && { auth }) });
  const search = await searchesOf(client, `${prefix}articles-served`, sizes);
  const users = Math.min(sizes.users, sizes.enginesFeeds);
  const perRound = Math.floor(users / ROUNDS);
  const feeds: number[] = [];
  const searches: number[] = [];
  await timesOf(perRound, search);
  await step(`${format(users)} feeds, and as many searches`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      feeds.push(...(await feedsOf(installation, api, round * perRound, perRound)));
      searches.push(...(await timesOf(perRound, search)));
    }
  });
  await client.close();
  const feed = summarise(feeds);
  const bare = summarise(searches);
  note(
    `feed p50 ${format(feed.p50Ms)} ms, p95 ${format(feed.p95Ms)} ms; ` +
      `search p50 ${format(bare.p50Ms)} ms, p95 ${format(bare.p95Ms)} ms`,
  );
  const figure = { name: "engines-feed-p50", value: feed.p50Ms, unit: "ms" };
  return [atMostTimes(figure, bare.p50Ms, TIMES_MAX)];
}

/** Looks into the files of the copy, which processes of one machine share. */
async function copyIsComplete({ dataDirectory, watch }: EnginesInstallation): Promise<void> {
  await using embedder = await openEmbedder({ dataDirectory, embedder: EMBEDDER });
  const directory = installationPaths(dataDirectory).contentIndexCopy;
  const { model, dimensions } = embedder;
  const options = { directory, model, dimensions, writer: false, loadsWhenAsked: true };
  await using copy = await openEmbeddedContentIndex(options);
  const ends = await watch.ends("contents");
  const isComplete = async () => {
    const positions = await copy.positions();
    return ends.every((end, partition) => (positions.get(partition) ?? 0) >= end);
  };
  await waitFor(isComplete, { timeoutMs: COPY_TIMEOUT_MS });
  await delay(COPY_NOTICED_MS);
}

async function feedsOf(
  { apiKey }: EnginesInstallation,
  api: FeedctlProcess,
  from: number,
  count: number,
): Promise<readonly number[]> {
  const writer = requestWriter(apiKey);
  const { failed, firstFailure, latenciesMs } = await drive({
    port: portOf(api),
    connections: 1,
    expectedStatus: 200,
    next: (index) => (index < count ? { request: writer.feed(userIdOf(from + index)) } : undefined),
  });
  if (failed > 0) throw new Error(`feeds failed: ${firstFailure}`);
  return latenciesMs;
}

/** The search that a feed of one interest needs, as the service's own index would ask it: ids, nothing else. */
async function searchesOf(
  client: Client,
  index: string,
  { articles }: Sizes,
): Promise<() => Promise<void>> {
  const random = randomFrom(6);
  const nowMs = Date.now();
  await using embedder = await openEmbedder({ dataDirectory: "", embedder: EMBEDDER });
  const texts = Array.from({ length: ROUNDS * NEAREST }, () => {
    const { title, summary, bodyMarkdown } = composeArticle(random.integer(articles), nowMs);
    const text = textOfArticle({ title, summary, body: bodyMarkdown });
    return { text, role: "passage" } as const;
  });
  const vectors: Float32Array[] = [];
  for (const text of texts) vectors.push(...(await embedder.embed([text])));
  return async () => {
    const read = Array.from({ length: READ }, () => contentIdOf(random.integer(articles)));
    const filter = {
      sourcesIncluded: null,
      sourcesExcluded: new Set<never>(),
      categoriesIncluded: null,
      categoriesExcluded: new Set<never>(),
      contentsExcluded: new Set(read),
      language: null,
      publishedAfterMs: null,
      publishedBeforeMs: nowMs,
    };
    const leg = { kind: "nearest", vector: random.pick(vectors), limit: NEAREST } as const;
    const { hits } = await client.search({ index, ...searchOf(filter, leg) });
    if (hits.hits.length !== NEAREST) throw new Error(`${hits.hits.length} articles were found`);
  };
}

async function timesOf(count: number, work: () => Promise<void>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const startMs = performance.now();
    await work();
    times.push(performance.now() - startMs);
  }
  return times;
}

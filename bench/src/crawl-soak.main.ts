import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { runCrawler } from "@feed/crawler";
import { asId } from "@feed/domain/ids";
import type { SourceId } from "@feed/domain/ids";
import type { Source } from "@feed/domain/source";
import { openIngestParts } from "@feed/feedctl/ingest-parts";
import { createLogger } from "@feed/runtime";
import { temporaryDirectory } from "@feed/test-kit";
import { RETRY_AFTER_SECONDS } from "./crawl-soak/misbehaviour.ts";
import type { SitesData, SoakSite } from "./crawl-soak/sites.worker.ts";

/**
 * `npm run soak`: 500 sites on loopback, 50 of which misbehave in ten ways, crawled for three minutes. What
 * is asserted comes from the sites' own logs. Exit code 1 where one of them has something to complain about.
 */
const SITES: SitesData = { good: 450, bad: 50, articlesPerSite: 2 };
const RUN_MS = 180_000;
const INTERVAL_MS = 30_000;
const PAUSE_MS = 1_000;
/** Timers fire early, and the sites' clock is another thread's. */
const PAUSE_TOLERANCE_MS = 25;
const SOURCES_AT_ONCE = 128;
/** Redirects of one crawl included. */
const REQUESTS_OF_BAD_SITE_MAX = 40;
const LOOK_MS = 250;

const worker = new Worker(new URL("crawl-soak/sites.worker.ts", import.meta.url), {
  workerData: SITES,
});
const [opened] = (await once(worker, "message")) as [readonly SoakSite[]];
const sources = opened.map(({ origin }, index): Source => ({
  sourceId: asId<SourceId>(`site-${index}`),
  name: `Site ${index}`,
  url: origin,
  feedUrl: `${origin}/feed`,
  titleRewriteAllowed: false,
  colour: "#336699",
  crawlIntervalMs: INTERVAL_MS,
  paused: false,
}));
const goodIds = new Set(
  sources
    .filter((_, index) => opened[index]?.misbehaviour === undefined)
    .map((one) => one.sourceId),
);

await using directory = await temporaryDirectory();
const log = createLogger({ service: "soak", level: "silent" });
const parts = await openIngestParts({ dataDirectory: directory.path, embedder: "hashed:256" }, log);
const published = new Map<SourceId, number>();
const completeAtMs: number[] = [];
let residentBytesMax = 0;
const startedAtMs = performance.now();
const crawler = await runCrawler({
  ...parts,
  directory: { sources: () => sources, change: () => Promise.resolve() },
  userAgent: "ContentFeedBot/0.1",
  ownOrigins: new Map(
    opened.map(({ origin }) => [origin, { requestsAtOnce: 1, delayMs: PAUSE_MS }]),
  ),
  sourcesAtOnce: SOURCES_AT_ONCE,
  onEvent: (event) => {
    if (event.kind !== "article-published") return;
    const count = (published.get(event.sourceId) ?? 0) + 1;
    published.set(event.sourceId, count);
    if (count === SITES.articlesPerSite && goodIds.has(event.sourceId))
      completeAtMs.push(performance.now() - startedAtMs);
  },
});
const watch = setInterval(() => {
  residentBytesMax = Math.max(residentBytesMax, process.memoryUsage.rss());
}, LOOK_MS);
await new Promise((resolve) => setTimeout(resolve, RUN_MS));
clearInterval(watch);
worker.postMessage("log");
const [sites] = (await once(worker, "message")) as [readonly SoakSite[]];
await crawler[Symbol.asyncDispose]();
await parts[Symbol.asyncDispose]();
await worker.terminate();

const seconds = (atMs: number | undefined): string =>
  atMs === undefined ? "-" : `${(atMs / 1_000).toFixed(1)} s`;
const inOrder = completeAtMs.toSorted((a, b) => a - b);
const articles = [...published.values()].reduce((sum, count) => sum + count, 0);
const requests = sites.flatMap((site) => site.requests);
const figures = {
  "well-behaved sites complete": `${inOrder.length} of ${goodIds.size}`,
  "complete after, median": seconds(inOrder[Math.floor(inOrder.length / 2)]),
  "complete after, last": seconds(inOrder.at(-1)),
  "articles published": String(articles),
  requests: String(requests.length),
  "of them answered 304": String(requests.filter(({ status }) => status === 304).length),
  "most requests at once to a site": String(Math.max(...sites.map(mostAtOnce))),
  "shortest pause between requests to a site": seconds(Math.min(...sites.map(shortestPauseMs))),
  "most requests to a misbehaving site": String(
    Math.max(...sites.map((site) => (site.misbehaviour === undefined ? 0 : site.requests.length))),
  ),
  "resident memory at most": `${Math.round(residentBytesMax / 2 ** 20)} MiB, the sites included`,
};
for (const [name, figure] of Object.entries(figures)) console.log(`${name.padEnd(44)}${figure}`);
const complaints = [
  ...(inOrder.length === goodIds.size ? [] : ["a well-behaved site is incomplete"]),
  ...sites.flatMap(complaintsOf),
];
for (const complaint of complaints) console.error(complaint);
process.exit(complaints.length === 0 ? 0 : 1);

function mostAtOnce({ requests: seen }: SoakSite): number {
  return Math.max(
    0,
    ...seen.map(
      ({ startMs }) => seen.filter((one) => one.startMs <= startMs && one.endMs > startMs).length,
    ),
  );
}

function shortestPauseMs({ requests: seen }: SoakSite): number {
  const pauses = seen.slice(1).map(({ startMs }, at) => startMs - (seen[at]?.endMs ?? 0));
  return Math.min(Infinity, ...pauses);
}

function complaintsOf(site: SoakSite): readonly string[] {
  const { origin, misbehaviour, requests: seen } = site;
  const name = `${origin} (${misbehaviour ?? "well-behaved"})`;
  const quietMs = RETRY_AFTER_SECONDS * 1_000;
  const asked = seen.filter(({ status }) => status === 429);
  const disturbed = asked.some(({ endMs }) =>
    seen.some(({ startMs }) => startMs > endMs && startMs < endMs + quietMs - PAUSE_TOLERANCE_MS),
  );
  const said: readonly (readonly [boolean, string])[] = [
    [mostAtOnce(site) > 1, "was asked more than once at a time"],
    [shortestPauseMs(site) < PAUSE_MS - PAUSE_TOLERANCE_MS, "was asked again without a pause"],
    [disturbed, "was asked again before its Retry-After"],
    [
      misbehaviour !== undefined && seen.length > REQUESTS_OF_BAD_SITE_MAX,
      `was asked ${seen.length} times though it misbehaves`,
    ],
    [seen.length === 0, "was never asked"],
  ];
  return said.flatMap(([isSo, what]) => (isSo ? [`${name} ${what}`] : []));
}

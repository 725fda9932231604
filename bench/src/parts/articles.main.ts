import { openIngestParts } from "@feed/feedctl/ingest-parts";
import { openIngest } from "@feed/crawler/ingest/ingest";
import { canonicalUrlOf, contentIdOf } from "@feed/crawler/identity";
import { readPage } from "@feed/crawler/pages/read-page";
import { asId } from "@feed/domain/ids";
import type { SourceId } from "@feed/domain/ids";
import { createLogger } from "@feed/runtime";
import { temporaryDirectory } from "@feed/test-kit";
import { composePage } from "../articles/pages.ts";
import { EMBEDDER } from "../installation/prepare.ts";
import { summarise } from "../load/latencies.ts";

/** What `measureArticles` reads. */
export interface ArticlesReport {
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** By the processor time of the whole process. */
  readonly perCoreSecond: number;
}

/** Untimed before: code is compiled, and the analysers' tables are built. */
const WARM_UP = 20;
const SOURCE_ID = asId<SourceId>("bench");

/** From the bytes of a page until its article is durable in the log, one after the other, without pictures. */
const count = Number(process.argv[2]);
await using directory = await temporaryDirectory();
const log = createLogger({ service: "bench", level: "silent" });
await using parts = await openIngestParts(
  { dataDirectory: directory.path, embedder: EMBEDDER },
  log,
);
const ingest = await openIngest(parts, () => Promise.resolve(new Map()));
const { signal } = new AbortController();
const pages = Array.from({ length: WARM_UP + count }, (_, index) => composePage(index));
const tookMs: number[] = [];
let before = process.cpuUsage();
for (const [index, page] of pages.entries()) {
  if (index === WARM_UP) before = process.cpuUsage();
  const startMs = performance.now();
  await takeIn(page);
  if (index >= WARM_UP) tookMs.push(performance.now() - startMs);
}
const { user, system } = process.cpuUsage(before);
const { p50Ms, p95Ms } = summarise(tookMs);
const report: ArticlesReport = { p50Ms, p95Ms, perCoreSecond: (count * 1e6) / (user + system) };
process.stdout.write(JSON.stringify(report));

async function takeIn({ url, title, bytes }: (typeof pages)[number]): Promise<void> {
  const { contentHtml } = await readPage(bytes, "text/html; charset=utf-8", url);
  if (contentHtml === undefined) throw new Error(`no article was found at ${url}`);
  const canonicalUrl = canonicalUrlOf(url);
  const outcome = await ingest.take(
    {
      contentId: contentIdOf(SOURCE_ID, canonicalUrl),
      sourceId: SOURCE_ID,
      url,
      canonicalUrl,
      title,
      html: contentHtml,
      baseUrl: url,
      leadPictureUrls: [],
      labels: [],
    },
    signal,
  );
  if (outcome !== "published") throw new Error(`${url} was ${outcome}`);
}

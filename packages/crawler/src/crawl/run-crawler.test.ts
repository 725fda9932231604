import { asId } from "@feed/domain/ids";
import type { SourceId } from "@feed/domain/ids";
import type { Source } from "@feed/domain/source";
import { startDemoPublishers } from "@feed/demo-publishers/site";
import { LogUnavailable } from "@feed/event-log";
import { buildSource, waitFor } from "@feed/test-kit";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serveSite } from "@feed/test-kit/http-site";
import type { HttpSite } from "@feed/test-kit/http-site";
import { openInstallation } from "../installation.fixture.ts";
import type { Installation } from "../installation.fixture.ts";
import type { CrawlerEvent } from "./open-crawler.ts";
import { runCrawler } from "./run-crawler.ts";
import type { RunCrawlerOptions, RunningCrawler } from "./run-crawler.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 9);

let site: HttpSite;
let installation: Installation;
let sources: Source[];
let events: CrawlerEvent[];

beforeEach(async () => {
  site = await serveSite();
  installation = await openInstallation(NOW_MS);
  sources = [];
  events = [];
});
afterEach(async () => {
  await installation[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** Time stands still unless the test moves it; the crawler's looks at the clock come as fast as they can. */
function run(parts: Partial<RunCrawlerOptions> = {}): Promise<RunningCrawler> {
  return runCrawler({
    ...installation.deps,
    directory: {
      sources: () => sources,
      change: (facts) => {
        for (const fact of facts)
          if (fact.type === "source.saved")
            sources = [
              ...sources.filter((one) => one.sourceId !== fact.source.sourceId),
              fact.source,
            ];
        return Promise.resolve();
      },
    },
    userAgent: "ContentFeedBot/1.0",
    ownOrigins: new Map([[site.origin, { requestsAtOnce: 4, delayMs: 0 }]]),
    sourcesAtOnce: 8,
    onEvent: (event) => events.push(event),
    sleep: async (_, signal) => {
      await setImmediate();
      signal.throwIfAborted();
    },
    ...parts,
  });
}

function addSource(name: string, parts: Partial<Source> = {}): void {
  const feed = { version: "https://jsonfeed.org/version/1.1", title: name, items: [] };
  site.on(`/${name}`, { body: JSON.stringify(feed) });
  const sourceId = asId<SourceId>(name);
  const feedUrl = `${site.origin}/${name}`;
  sources.push(buildSource({ sourceId, feedUrl, crawlIntervalMs: 60_000, ...parts }));
}

const crawlsOf = (name: string): number =>
  events.filter((event) => event.kind === "source-crawled" && event.report.sourceId === name)
    .length;

describe("the crawler", () => {
  it("crawls every source when it is due, and not before", async () => {
    addSource("often", { crawlIntervalMs: 60_000 });
    addSource("rarely", { crawlIntervalMs: 600_000 });
    await using _crawler = await run();
    await waitFor(() => crawlsOf("often") === 1 && crawlsOf("rarely") === 1);
    for (const crawls of [2, 3, 4]) {
      installation.clock.advance(60_000);
      await waitFor(() => crawlsOf("often") === crawls);
    }
    expect(crawlsOf("rarely")).toBe(1);
  });

  it("takes up a new source, leaves a paused one and comes back to a resumed one", async () => {
    addSource("paused", { paused: true });
    await using _crawler = await run();
    addSource("new");
    await waitFor(() => crawlsOf("new") === 1);
    expect(crawlsOf("paused")).toBe(0);
    sources = sources.map((source) => ({ ...source, paused: false }));
    await waitFor(() => crawlsOf("paused") === 1);
  });

  it("crawls a source at once when its feed has moved", async () => {
    addSource("old");
    await using _crawler = await run();
    await waitFor(() => crawlsOf("old") === 1);
    sources = [{ ...sources[0]!, feedUrl: `${site.origin}/moved` }];
    await waitFor(() => crawlsOf("old") === 2);
    expect(site.asked).toContain("/moved");
  });

  it("goes on with the others while one hangs, and stops while it hangs", async () => {
    addSource("hanging");
    addSource("good");
    site.on("/hanging", () => undefined);
    const crawler = await run();
    await waitFor(() => crawlsOf("good") === 1);
    await crawler[Symbol.asyncDispose]();
    await expect(crawler.failed).resolves.toBeUndefined();
    expect(crawlsOf("hanging")).toBe(0);
  });

  it("pauses while the log is away, blames no source, and publishes when it is back", async () => {
    addSource("good");
    const entry = { id: "1", url: `${site.origin}/1`, title: "T", image: `${site.origin}/1.png` };
    const items = [{ ...entry, content_html: `<p>${"A sentence of it. ".repeat(60)}</p>` }];
    const feed = { version: "https://jsonfeed.org/version/1.1", title: "good", items };
    site.on("/good", { body: JSON.stringify(feed) });
    let appends = 0;
    const { eventLog } = installation.deps;
    await using _crawler = await run({
      eventLog: {
        read: (...of) => eventLog.read(...of),
        endOffsets: (topic) => eventLog.endOffsets(topic),
        append: (records) => {
          appends += 1;
          return appends <= 6
            ? Promise.reject(new LogUnavailable("away"))
            : eventLog.append(records);
        },
      },
    });
    await waitFor(() => {
      installation.clock.advance(100);
      return crawlsOf("good") > 0;
    });
    expect(await installation.articles()).toHaveLength(1);
    const state = installation.deps.state.source(asId<SourceId>("good"));
    expect(state).toMatchObject({ failuresInRow: 0 });
    expect(events.some(({ kind }) => kind === "article-published")).toBe(true);
  });

  it("fills an installation from the demo publishers: four formats, two languages, pictures", async () => {
    await using demo = await startDemoPublishers({ nowMs: NOW_MS });
    const formats = ["shuto-machikado", "lantern-stack", "salt-and-ember", "quire-review"];
    for (const slug of [...formats, "touchline-weekly"]) {
      const { feedUrl } = demo.publishers.find((publisher) => publisher.slug === slug)!;
      sources.push(buildSource({ sourceId: asId<SourceId>(slug), feedUrl }));
    }
    await using _crawler = await run({
      ownOrigins: new Map([[demo.baseUrl, { requestsAtOnce: 4, delayMs: 0 }]]),
    });
    await waitFor(() => sources.every(({ sourceId }) => crawlsOf(sourceId) === 1), {
      timeoutMs: 150_000,
    });
    const articles = await installation.articles();
    expect(articles.length).toBeGreaterThanOrEqual(100);
    expect(
      events.filter((event) => event.kind === "source-crawled" && event.report.failed > 0),
    ).toEqual([]);
    for (const slug of formats)
      expect(articles.some(({ sourceId }) => sourceId === slug)).toBe(true);
    const shift = articles.filter(({ sourceId }) => sourceId === "shuto-machikado");
    expect(shift.every(({ language }) => language === "ja")).toBe(true);
    expect(shift.map(({ title }) => title).join()).not.toContain("\ufffd");
    expect(articles.filter(({ areas }) => areas.length > 0).length).toBeGreaterThan(10);
    const pictured = articles.filter(({ thumbnail }) => thumbnail !== undefined);
    expect(pictured.length / articles.length).toBeGreaterThan(0.8);
    for (const { canonicalUrl, bodyHtml, summary } of articles) {
      expect(canonicalUrl).not.toContain("?");
      expect(bodyHtml.length).toBeGreaterThan(500);
      expect(summary).not.toBe("");
    }
    const groups = new Set(articles.map(({ duplicateGroup }) => duplicateGroup));
    expect(groups.size).toBeGreaterThan(articles.length * 0.8);
  });
});

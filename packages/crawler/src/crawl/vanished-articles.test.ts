import { setImmediate } from "node:timers/promises";
import type { Source } from "@feed/domain/source";
import { buildSource, waitFor } from "@feed/test-kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serveSite } from "@feed/test-kit/http-site";
import type { HttpSite } from "@feed/test-kit/http-site";
import { openInstallation } from "../installation.fixture.ts";
import type { Installation } from "../installation.fixture.ts";
import { publisherAt, SENTENCES } from "./publisher.fixture.ts";
import type { TestPublisher } from "./publisher.fixture.ts";
import { runCrawler } from "./run-crawler.ts";
import type { RunningCrawler } from "./run-crawler.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 9);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** An article of seven hours is looked at again after as many. */
const RECHECK_MS = 8 * HOUR_MS;
const UNDER_A_MINUTE_MS = 59_000;

let site: HttpSite;
let installation: Installation;
let publisher: TestPublisher;
let sources: Source[];
let crawler: RunningCrawler;

beforeEach(async () => {
  site = await serveSite();
  publisher = publisherAt(site);
  installation = await openInstallation(NOW_MS);
  sources = [buildSource({ feedUrl: `${site.origin}/feed`, crawlIntervalMs: 5 * MINUTE_MS })];
  for (const id of ["a", "bb", "ccc"]) publisher.servePage(id);
  publisher.serveFeed([{ id: "ccc" }, { id: "bb" }, { id: "a" }]);
  crawler = await runCrawler({
    ...installation.deps,
    directory: { sources: () => sources, change: () => Promise.resolve() },
    userAgent: "ContentFeedBot/1.0",
    ownOrigins: new Map([[site.origin, { requestsAtOnce: 4, delayMs: 0 }]]),
    sourcesAtOnce: 4,
    onEvent: () => undefined,
    sleep: async (_, signal) => {
      await setImmediate();
      signal.throwIfAborted();
    },
  });
  await atRest();
});
afterEach(async () => {
  await crawler[Symbol.asyncDispose]();
  await installation[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const titles = async () => (await installation.articles()).map(({ title }) => title).toSorted();
const asked = (path: string): number => site.asked.filter((each) => each === path).length;
const looksAhead = () => installation.deps.state.looksDue(Infinity, 1).length;

/** The crawler has ended and noted all that the clock makes due: it begins nothing before time goes on. */
const atRest = () => {
  const { clock, deps } = installation;
  return waitFor(() => {
    const { nextDueMs = 0 } = deps.state.source(sources[0]!.sourceId) ?? {};
    return nextDueMs > clock.nowMs() && deps.state.looksDue(clock.nowMs(), 1).length === 0;
  });
};

/** Time goes on at once, and stands while the crawler is at work: what is in progress reads the clock again at its end. */
async function pass(byMs: number): Promise<void> {
  installation.clock.advance(byMs);
  await atRest();
}

describe("an article that vanishes", () => {
  it("is withdrawn within a minute of the first look that finds nothing there (404)", async () => {
    site.on("/bb", { status: 404 });
    await pass(RECHECK_MS);
    expect(asked("/bb")).toBe(2);
    expect(await titles()).toContain("Title bb");
    await pass(UNDER_A_MINUTE_MS);
    expect(await titles()).not.toContain("Title bb");
    expect(asked("/bb")).toBe(3);
  });

  it("is not withdrawn when the second look finds it", async () => {
    site.on("/bb", { status: 404 });
    await pass(RECHECK_MS);
    expect(asked("/bb")).toBe(2);
    publisher.servePage("bb");
    await pass(UNDER_A_MINUTE_MS);
    expect(asked("/bb")).toBe(3);
    expect(looksAhead()).toBe(0);
    // And the next time it is missing is a first time again.
    site.on("/bb", { status: 404 });
    await pass(2 * RECHECK_MS);
    expect(asked("/bb")).toBe(4);
    expect(looksAhead()).toBe(1);
    expect(await titles()).toContain("Title bb");
  });

  it.each([
    ["at once where its page is gone for good (410)", 410, 0],
    ["within a minute where it is not found (404)", 404, UNDER_A_MINUTE_MS],
  ])("from its feed too is withdrawn %s", async (_what, status, afterMs) => {
    site.on("/bb", { status });
    publisher.serveFeed([{ id: "ccc" }, { id: "a" }]);
    await pass(5 * MINUTE_MS);
    expect(asked("/bb")).toBe(2);
    await pass(afterMs);
    expect(await titles()).toEqual(["Title a", "Title ccc"]);
  });

  it("after it has fallen off the end of its feed is withdrawn when a later look finds it gone", async () => {
    publisher.serveFeed([{ id: "ccc" }, { id: "bb" }]);
    await pass(5 * MINUTE_MS);
    expect(asked("/a")).toBe(1);
    site.on("/a", { status: 404 });
    await pass(DAY_MS);
    expect(asked("/a")).toBe(2);
    await pass(UNDER_A_MINUTE_MS);
    expect(await titles()).not.toContain("Title a");
  });
});

describe("an article that has left its feed", () => {
  it("and is still there stays, is asked for conditionally, and for a month", async () => {
    publisher.serveFeed([{ id: "ccc" }, { id: "bb" }]);
    await pass(5 * MINUTE_MS);
    for (let day = 0; day < 40; day += 1) await pass(DAY_MS);
    expect(await titles()).toContain("Title a");
    // After 1 day, then at one and a half times its age each.
    expect(asked("/a")).toBeGreaterThanOrEqual(7);
    expect(asked("/a")).toBeLessThanOrEqual(10);
  });

  it("for another address, with another id, title and no date of its own, stays one article", async () => {
    site.on("/bb", { status: 301, headers: { location: "/moved" } });
    publisher.servePage("moved", `${SENTENCES}And more.`);
    publisher.serveFeed([
      { id: "ccc" },
      { id: "moved", title: "Under another title" },
      { id: "a" },
    ]);
    const before = await installation.articles();
    await pass(5 * MINUTE_MS);
    expect(await titles()).toContain("Under another title");
    const after = await installation.articles();
    const ids = (articles: typeof after) => articles.map(({ contentId }) => contentId).toSorted();
    expect(ids(after)).toEqual(ids(before));
  });
});

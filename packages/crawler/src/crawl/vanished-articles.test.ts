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
const WITHIN = { timeoutMs: 30_000 };
const LOOKS_MAX = 100;

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
  await waitFor(async () => (await titles()).length === 3, WITHIN);
  await polled(1);
});
afterEach(async () => {
  await crawler[Symbol.asyncDispose]();
  await installation[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const titles = async () => (await installation.articles()).map(({ title }) => title).toSorted();
const asked = (path: string): number => site.asked.filter((each) => each === path).length;
const polled = (count: number) =>
  waitFor(() => {
    const crawl = installation.deps.state.source(sources[0]!.sourceId);
    return (crawl?.outcomes.length ?? 0) >= count;
  }, WITHIN);

/** No look is due any more. */
const looked = () => {
  const { clock, deps } = installation;
  return waitFor(() => deps.state.looksDue(clock.nowMs(), 1).length === 0, WITHIN);
};

/** Time goes on to the next look at a page, and stands while the crawler is at work, until it is so; how long that took. */
async function minutesUntil(path: string, isSo: () => Promise<boolean>): Promise<number> {
  const { clock, deps } = installation;
  const startMs = clock.nowMs();
  await waitFor(async () => {
    if (await isSo()) return true;
    const looks = deps.state.looksDue(Infinity, LOOKS_MAX);
    const next = looks.find(({ link }) => link === `${site.origin}${path}`);
    if (next !== undefined && next.dueMs > clock.nowMs()) clock.set(next.dueMs);
    return false;
  }, WITHIN);
  return (clock.nowMs() - startMs) / MINUTE_MS;
}
const isGone = async (title: string) => !(await titles()).includes(title);

describe("an article that vanishes", () => {
  it("is withdrawn within a minute of the first look that finds nothing there (404)", async () => {
    site.on("/bb", { status: 404 });
    installation.clock.advance(RECHECK_MS);
    await waitFor(() => asked("/bb") === 2, WITHIN);
    expect(await titles()).toContain("Title bb");
    expect(await minutesUntil("/bb", () => isGone("Title bb"))).toBeLessThan(1);
    expect(asked("/bb")).toBe(3);
  });

  it("is not withdrawn when the second look finds it", async () => {
    site.on("/bb", { status: 404 });
    installation.clock.advance(RECHECK_MS);
    await waitFor(() => asked("/bb") === 2, WITHIN);
    publisher.servePage("bb");
    await minutesUntil("/bb", () => Promise.resolve(asked("/bb") === 3));
    await waitFor(() => installation.deps.state.looksDue(Infinity, 1).length === 0, WITHIN);
    // And the next time it is missing is a first time again.
    site.on("/bb", { status: 404 });
    installation.clock.advance(2 * RECHECK_MS);
    await waitFor(() => asked("/bb") === 4, WITHIN);
    await waitFor(() => installation.deps.state.looksDue(Infinity, 1).length === 1, WITHIN);
    expect(await titles()).toContain("Title bb");
  });

  it.each([
    ["at once where its page is gone for good (410)", 410],
    ["within a minute where it is not found (404)", 404],
  ])("from its feed too is withdrawn %s", async (_what, status) => {
    site.on("/bb", { status });
    publisher.serveFeed([{ id: "ccc" }, { id: "a" }]);
    installation.clock.advance(5 * MINUTE_MS);
    await waitFor(() => asked("/bb") === 2, WITHIN);
    expect(await minutesUntil("/bb", () => isGone("Title bb"))).toBeLessThan(1);
    expect(await titles()).toEqual(["Title a", "Title ccc"]);
  });

  it("after it has fallen off the end of its feed is withdrawn when a later look finds it gone", async () => {
    publisher.serveFeed([{ id: "ccc" }, { id: "bb" }]);
    installation.clock.advance(5 * MINUTE_MS);
    await polled(2);
    expect(asked("/a")).toBe(1);
    site.on("/a", { status: 404 });
    installation.clock.advance(DAY_MS);
    await waitFor(() => asked("/a") === 2, WITHIN);
    expect(await minutesUntil("/a", () => isGone("Title a"))).toBeLessThan(1);
  });
});

describe("an article that has left its feed", () => {
  it("and is still there stays, is asked for conditionally, and for a month", async () => {
    publisher.serveFeed([{ id: "ccc" }, { id: "bb" }]);
    installation.clock.advance(5 * MINUTE_MS);
    await polled(2);
    let looks = 1;
    for (let day = 0; day < 40; day += 1) {
      installation.clock.advance(DAY_MS);
      await polled(3 + day);
      await looked();
      looks = asked("/a");
    }
    expect(await titles()).toContain("Title a");
    // After 1 day, then at one and a half times its age each.
    expect(looks).toBeGreaterThanOrEqual(7);
    expect(looks).toBeLessThanOrEqual(10);
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
    installation.clock.advance(5 * MINUTE_MS);
    await waitFor(async () => (await titles()).includes("Under another title"), WITHIN);
    const after = await installation.articles();
    const ids = (articles: typeof after) => articles.map(({ contentId }) => contentId).toSorted();
    expect(ids(after)).toEqual(ids(before));
  });
});

import { setImmediate } from "node:timers/promises";
import { openLmdbSubscriptions, runCrawler } from "@feed/crawler";
import type { RunningCrawler } from "@feed/crawler";
import { openInstallation as openIngest } from "@feed/crawler/installation.fixture";
import type { Installation as Ingest } from "@feed/crawler/installation.fixture";
import { healthOf } from "@feed/crawler/sources/health";
import type { Subscriptions } from "@feed/crawler/websub/subscriptions";
import type { Source } from "@feed/domain/source";
import { LogUnavailable } from "@feed/event-log";
import { createLogger } from "@feed/runtime";
import { buildSource, waitFor } from "@feed/test-kit";
import { serveSite } from "@feed/test-kit/http-site";
import type { HttpSite } from "@feed/test-kit/http-site";
import { startTestHub } from "@feed/test-kit/websub-hub";
import type { HubPush, TestHub } from "@feed/test-kit/websub-hub";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openInstallation as openApi } from "./testing/installation.ts";
import type { Installation as Api } from "./testing/installation.ts";
import { websubMount } from "./websub.mount.ts";

/**
 * Goal: a source whose feed names a hub, from discovery to unsubscription (W3C Recommendation WebSub).
 * Method: the crawler, the API's callback, a publisher and a hub, each over HTTP on loopback, on a clock of the test.
 */
const NOW_MS = Date.UTC(2026, 10, 21, 9);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const TEXT = "The harbour was rebuilt in nine months. The first ferry left on Monday. ".repeat(12);

let ingest: Ingest;
let subscriptions: Subscriptions;
let api: Api;
let hub: TestHub;
let site: HttpSite;
let sources: Source[];
let crawler: RunningCrawler;
/** How often the crawler has looked at everything. */
let looks = 0;

beforeAll(async () => {
  const log = createLogger({ service: "test", level: "silent" });
  const nowMs = () => ingest.clock.nowMs();
  api = await openApi({
    change: (deps) => ({
      ...deps,
      mounts: [(...of) => websubMount({ subscriptions, clock: { nowMs }, log })(...of)],
    }),
  });
});
afterAll(() => api[Symbol.asyncDispose]());

beforeEach(async () => {
  [site, hub] = [await serveSite(), await startTestHub()];
  ingest = await openIngest(NOW_MS);
  subscriptions = openLmdbSubscriptions(ingest.path);
  const feedUrl = `${site.origin}/feed`;
  sources = [buildSource({ feedUrl, crawlIntervalMs: 5 * MINUTE_MS, crawlIntervalMsMax: HOUR_MS })];
  site.on("/1.png", { status: 404 });
  serveFeed([], `<${hub.url}>; rel="hub", <${feedUrl}>; rel="self"`);
});
afterEach(async () => {
  await crawler[Symbol.asyncDispose]();
  for (const part of [subscriptions, ingest, hub, site]) await part[Symbol.asyncDispose]();
});

/** A feed carries its articles whole, so that no page is asked for. */
function feedOf(titles: readonly string[]): string {
  const items = titles.map((title) => ({
    id: title,
    url: `${site.origin}/${title}`,
    title,
    content_html: `<p>${TEXT} ${title}</p>`,
    image: `${site.origin}/1.png`,
    date_published: new Date(ingest.clock.nowMs()).toISOString(),
  }));
  return JSON.stringify({ version: "https://jsonfeed.org/version/1.1", title: "P", items });
}

function serveFeed(titles: readonly string[], link?: string): void {
  const headers = link === undefined ? {} : { link };
  site.on("/feed", { headers, body: feedOf(titles) });
}

async function start(parts: Partial<Parameters<typeof runCrawler>[0]> = {}): Promise<void> {
  crawler = await runCrawler({
    ...ingest.deps,
    directory: { sources: () => sources, change: () => Promise.resolve() },
    userAgent: "ContentFeedBot/1.0",
    ownOrigins: new Map(
      [site.origin, new URL(hub.url).origin].map((origin) => [
        origin,
        { requestsAtOnce: 4, delayMs: 0 },
      ]),
    ),
    sourcesAtOnce: 4,
    onEvent: () => undefined,
    websub: { subscriptions, callbackBase: api.baseUrl },
    sleep: async (_, signal) => {
      looks += 1;
      await setImmediate();
      signal.throwIfAborted();
    },
    ...parts,
  });
}

const topic = (): string => `${site.origin}/feed`;
const health = () => {
  const [source = buildSource()] = sources;
  const crawl = ingest.deps.state.source(source.sourceId);
  const { subscription } = subscriptions.ofSource(source.sourceId) ?? {};
  return healthOf(source, { crawl, subscription }, ingest.clock.nowMs());
};
const polls = (): number => site.asked.filter((path) => path === "/feed").length;
const titles = async () => (await ingest.articles()).map(({ title }) => title).toSorted();
const push = (titlesPushed: readonly string[], parts: Partial<HubPush> = {}) =>
  hub.push(topic(), { body: feedOf(titlesPushed), ...parts });
/** The crawler has looked at everything again since: once from the beginning to the end. */
async function looked(): Promise<void> {
  const before = looks;
  await waitFor(() => looks >= before + 2);
}
async function subscribe(): Promise<void> {
  await start();
  await waitFor(() => hub.subscribed.size === 1);
}

describe("a feed that names a hub", () => {
  it("is subscribed to with a secret, for a lease, at a callback nobody can guess", async () => {
    hub.behave({ leaseSeconds: 7_200 });
    await subscribe();
    const [request] = hub.requests;
    expect(hub.requests).toHaveLength(1);
    expect(request).toMatchObject({
      mode: "subscribe",
      topic: topic(),
      leaseSeconds: "864000",
      contentType: "application/x-www-form-urlencoded",
    });
    expect(request?.secret?.length).toBeGreaterThan(40);
    expect(request?.secret?.length).toBeLessThan(200);
    expect(request?.callback).toMatch(/\/websub\/[\w-]{22}\.[\w-]{32}$/);
    expect(health().hub).toMatchObject({
      url: hub.url,
      status: "active",
      leaseUntilMs: NOW_MS + 2 * HOUR_MS,
    });
  });

  it("is polled once an hour while the hub pushes", async () => {
    await subscribe();
    expect(health()).toMatchObject({ intervalMs: HOUR_MS, nextDueMs: NOW_MS + HOUR_MS });
    ingest.clock.advance(HOUR_MS - 1);
    await looked();
    expect(polls()).toBe(1);
    ingest.clock.advance(1);
    await waitFor(() => health().lastSuccessMs === NOW_MS + HOUR_MS);
    expect(polls()).toBe(2);
  });

  it("is not subscribed to without a public address, which its health says", async () => {
    await start({ websub: { subscriptions } });
    await waitFor(() => health().hub?.status === "wanted");
    await looked();
    expect(hub.requests).toEqual([]);
    expect(health().intervalMs).toBe(5 * MINUTE_MS);
  });

  it("and has moved to another hub is subscribed to there, and not any more here", async () => {
    await subscribe();
    await using other = await startTestHub();
    serveFeed([], `<${other.url}>; rel=hub`);
    await crawler[Symbol.asyncDispose]();
    const origins = [site.origin, hub.url, other.url].map((url) => new URL(url).origin);
    const politeness = { requestsAtOnce: 4, delayMs: 0 };
    await start({ ownOrigins: new Map(origins.map((origin) => [origin, politeness])) });
    ingest.clock.advance(HOUR_MS);
    await waitFor(() => hub.subscribed.size === 0 && other.subscribed.size === 1);
    await waitFor(() => subscriptions.all().length === 1);
    expect(other.requests[0]?.secret).not.toBe(hub.requests[0]?.secret);
  });
});

describe("what a hub pushes", () => {
  it("is taken in without a poll, whichever of the four digests signs it", async () => {
    await subscribe();
    const methods = ["sha1", "sha256", "sha384", "sha512"] as const;
    for (const method of methods) expect(await push([`By ${method}`], { method })).toBe(202);
    await waitFor(async () => (await titles()).length === methods.length);
    expect(polls()).toBe(1);
    expect(health().hub?.lastPushMs).toBe(NOW_MS);
    await waitFor(() => health().lagMs === 0);
  });

  it.each([
    ["another's", `sha256=${"ab".repeat(32)}`],
    ["too short", "sha256=abcd"],
    ["by a method nobody knows", "md5=d41d8cd98f00b204e9800998ecf8427e"],
    ["missing", null],
  ])("is answered alike and ignored whose signature is %s", async (_what, signature) => {
    await subscribe();
    expect(await push(["Forged"], { signature })).toBe(202);
    expect(health().hub).toMatchObject({ forgedPushMs: NOW_MS });
    expect(health().hub).not.toHaveProperty("lastPushMs");
    expect(await push(["Genuine"])).toBe(202);
    await waitFor(async () => (await titles()).includes("Genuine"));
    expect(await titles()).toEqual(["Genuine"]);
  });

  it("that is no feed is a sign to fetch it", async () => {
    await subscribe();
    serveFeed(["Ferry"], `<${hub.url}>; rel=hub, <${topic()}>; rel=self`);
    expect(await push([], { body: "something changed", contentType: "text/plain" })).toBe(202);
    await waitFor(async () => (await titles()).includes("Ferry"));
    expect(polls()).toBe(2);
  });

  it("waits while our own parts are away, up to twenty times, then the hub has to come again", async () => {
    await subscribe();
    await crawler[Symbol.asyncDispose]();
    const { eventLog } = ingest.deps;
    let isAway = true;
    const away = () => Promise.reject(new LogUnavailable("away"));
    await start({
      eventLog: {
        read: (...of) => eventLog.read(...of),
        endOffsets: (name) => eventLog.endOffsets(name),
        append: (records) => (isAway ? away() : eventLog.append(records)),
      },
    });
    const statuses: number[] = [];
    for (let at = 0; at < 21; at += 1) statuses.push(await push([`Article ${at}`]));
    expect(new Set(statuses.slice(0, 20))).toEqual(new Set([202]));
    expect(statuses[20]).toBe(503);
    isAway = false;
    await waitFor(async () => {
      ingest.clock.advance(1_000);
      return (await titles()).length === 20;
    });
  });
});

describe("a hub that asks what nobody wanted is answered 404", () => {
  it("whatever it is that it asks", async () => {
    await subscribe();
    const callback = hub.requests[0]?.callback ?? "";
    const question = { "hub.topic": topic(), "hub.challenge": "c", "hub.lease_seconds": "9" };
    for (const parameters of [
      { "hub.mode": "subscribe", "hub.topic": "https://other.example/" },
      { "hub.mode": "denied", "hub.topic": "https://other.example/" },
      { "hub.mode": "unsubscribe" },
      { "hub.mode": "subscribe" },
      { "hub.mode": "publish" },
    ])
      expect((await hub.ask(callback, { ...question, ...parameters })).status).toBe(404);
    expect(health().hub).toMatchObject({ status: "active", leaseUntilMs: NOW_MS + 10 * DAY_MS });
  });

  it("and so is whoever guesses a callback", async () => {
    await subscribe();
    for (const id of ["", "x", `${"a".repeat(22)}.${"b".repeat(32)}`]) {
      const callback = `${api.baseUrl}/websub/${id}`;
      expect((await hub.ask(callback, { "hub.mode": "subscribe" })).status).toBe(404);
      expect((await fetch(callback, { method: "POST", body: "x" })).status).toBe(410);
    }
    expect((await fetch(`${api.baseUrl}/websub/x`, { method: "PUT" })).status).toBe(405);
  });
});

describe("a subscription", () => {
  it("is renewed before its lease ends, with the same callback and secret", async () => {
    hub.behave({ leaseSeconds: 4_000 });
    await subscribe();
    ingest.clock.advance(2_999_000);
    await looked();
    expect(hub.requests).toHaveLength(1);
    ingest.clock.advance(1_000);
    await waitFor(() => health().hub?.leaseUntilMs === NOW_MS + 7_000_000);
    expect(hub.requests[1]).toEqual(hub.requests[0]);
  });

  it("whose lease ran out gives way to polling at the source's own pace, and is tried again", async () => {
    hub.behave({ leaseSeconds: 4_000 });
    await subscribe();
    hub.behave({ status: 500 });
    ingest.clock.advance(3_999_000);
    // The poll of each hour under a hub is due by then too.
    const isPolled = () => health().lastSuccessMs === ingest.clock.nowMs();
    await waitFor(() => health().hub?.problem !== undefined && isPolled());
    const before = polls();
    ingest.clock.advance(1_000);
    expect(health()).toMatchObject({ intervalMs: 5 * MINUTE_MS });
    expect(health().hub).toMatchObject({
      status: "failed",
      problem: "The host answered with status 500.",
    });
    ingest.clock.advance(5 * MINUTE_MS);
    await waitFor(() => polls() === before + 1);
    hub.behave({});
    await waitFor(() => {
      ingest.clock.advance(MINUTE_MS);
      return health().hub?.status === "active";
    });
    expect(health().hub).not.toHaveProperty("problem");
  });

  it.each([
    ["refuses", { status: 403 }, "failed", "The host refuses the crawler (403)."],
    [
      "never verifies",
      { verifies: false },
      "asked",
      "The hub has not verified it: can it reach PUBLIC_URL?",
    ],
  ] as const)(
    "that a hub %s is asked for again, later each time",
    async (_what, behaviour, status, problem) => {
      hub.behave(behaviour);
      await start();
      await waitFor(() => hub.requests.length === 1);
      ingest.clock.advance(5 * MINUTE_MS - 1);
      await looked();
      expect(hub.requests).toHaveLength(1);
      ingest.clock.advance(1);
      await waitFor(() => hub.requests.length === 2);
      await waitFor(() => health().hub?.status === status);
      expect(health().hub).toMatchObject({ problem, nextAskMs: NOW_MS + 15 * MINUTE_MS });
      expect(health().intervalMs).toBe(5 * MINUTE_MS);
    },
  );

  it("that a hub denies is over; its health says why, and it is tried again the next day", async () => {
    await subscribe();
    expect(await hub.deny(hub.requests[0]!, "not\nyou")).toBe(200);
    expect(health()).toMatchObject({
      intervalMs: 5 * MINUTE_MS,
      hub: { status: "denied", problem: 'The hub denied it: "not you"' },
    });
    ingest.clock.advance(DAY_MS);
    await waitFor(() => health().hub?.status === "active");
  });

  it("is sent on by a hub that names another (307)", async () => {
    await using other = await startTestHub();
    const politeness = { requestsAtOnce: 4, delayMs: 0 };
    const origins = [site.origin, hub.url, other.url].map((url) => new URL(url).origin);
    hub.behave({ status: 307, headers: { location: other.url } });
    await start({ ownOrigins: new Map(origins.map((origin) => [origin, politeness])) });
    await waitFor(() => other.subscribed.size === 1);
    expect(other.requests[0]).toEqual(hub.requests[0]);
  });

  it("is asked of no hub at a private address", async () => {
    const politeness = { requestsAtOnce: 4, delayMs: 0 };
    await start({ ownOrigins: new Map([[site.origin, politeness]]) });
    await waitFor(() => health().hub?.status === "failed");
    expect(health().hub?.problem).toBe("The address is not on the public internet.");
    expect(hub.requests).toEqual([]);
  });

  it.each([
    ["removed", () => void (sources = [])],
    ["paused", () => void (sources = sources.map((source) => ({ ...source, paused: true })))],
  ])("is taken back when its source is %s", async (_what, change) => {
    await subscribe();
    const request = hub.requests[0]!;
    change();
    await waitFor(() => hub.subscribed.size === 0);
    await waitFor(() => subscriptions.all().length === 0);
    expect(hub.requests[1]).toMatchObject({ mode: "unsubscribe", callback: request.callback });
    const late = await fetch(request.callback, { method: "POST", body: feedOf(["Late"]) });
    expect(late.status).toBe(410);
  });
});

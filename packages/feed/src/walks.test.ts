import { buildTenant } from "@feed/test-kit";
import { asId } from "@feed/domain/ids";
import { FEED_SNAPSHOT_TTL_MS } from "@feed/domain/limits";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FeedItem, FeedRequest } from "./index.ts";
import {
  contentId,
  HOUR_MS,
  openInstallation,
  userId,
  type Installation,
} from "./testing/installation.fixture.ts";

const WORDS = "river stone garden winter market engine letter window bridge island".split(" ");
const ARTICLES = 700;
const PAGES_MAX = 600;

let installation: Installation;
const reader = userId("walker");

beforeAll(async () => {
  installation = await openInstallation();
  await installation.saveTenant();
  await installation.saveSources(...Array.from({ length: 10 }, (_, at) => `source-${at}`));
  const articles = [];
  for (let at = 0; at < ARTICLES; at += 1) articles.push(await article(`a-${at}`, at));
  await installation.publish(...articles);
  await installation.tell(reader, { did: "click", content: contentId("a-12") });
});
afterAll(() => installation[Symbol.asyncDispose]());

const article = (id: string, at: number) =>
  installation.articleOf({
    contentId: contentId(id),
    sourceId: asId(`source-${at % 10}`),
    category: (["sports", "food", "science", "culture", "world"] as const)[at % 5] ?? "other",
    title: `${WORDS[at % 10]} ${WORDS[Math.floor(at / 10) % 10]} ${at}`,
    summary: `${WORDS[at % 7]} ${WORDS[at % 3]}`,
    publishedAtMs: installation.clock.nowMs() - (at + 1) * 60_000,
  });
const ids = (items: readonly FeedItem[]) => items.map(({ content: { id } }) => id as string);
const answer = (parts: Partial<FeedRequest>) =>
  installation.service.feed(installation.request(parts));
const page = async (parts: Partial<FeedRequest> = {}) => {
  const given = await answer(parts);
  if (given.kind !== "page") throw new Error(`answered ${given.kind}`);
  return given;
};

/** All pages from a cursor on; `between` happens before each page. */
async function walk(
  parts: Partial<FeedRequest>,
  between: (pages: number) => Promise<Partial<FeedRequest>> = async () => ({}),
): Promise<string[]> {
  const seen: string[] = [];
  let cursor = parts.cursor;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const changes = await between(pages);
    const { items, nextCursor } = await page({ ...parts, ...(cursor && { cursor }), ...changes });
    seen.push(...ids(items));
    if (nextCursor === null) return seen;
    cursor = nextCursor;
  }
  throw new Error("the walk has no end");
}

describe("Cursors (spec 2.4, 4.1; decisions, Feed)", () => {
  it.each([
    ["anonymous", {}],
    ["personal", { userId: reader }],
  ])("walk a feed without repeats to 500 items, and end with null: %s", async (_, parts) => {
    const seen = await walk({ ...parts, limit: 100 });
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeLessThanOrEqual(500);
    expect(seen.length).toBeGreaterThan(450);
  });

  it("give the same items whatever the page size, which may change between pages", async () => {
    const whole = await walk({ userId: reader, limit: 100 });
    const sizes = [1, 7, 30, 100, 3];
    const uneven = await walk({ userId: reader }, async (pages) => ({
      limit: sizes[pages % sizes.length] ?? 20,
    }));
    expect(uneven).toEqual(whole);
  });

  it("are stable while new articles arrive: none twice and none lost", async () => {
    const expected = await walk({ userId: reader, limit: 25 });
    const { items, nextCursor } = await page({ userId: reader, limit: 25 });
    const rest = await walk(
      { userId: reader, limit: 25, cursor: nextCursor as string },
      async (pages) => {
        await installation.publish(await article(`new-${pages}`, 3));
        return {};
      },
    );
    expect([...ids(items), ...rest]).toEqual(expected);
    for (let at = 0; at < 30; at += 1) await installation.withdraw(contentId(`new-${at}`));
  });

  it("lead on without repeats after the snapshot has expired", async () => {
    const first = await page({ userId: reader, limit: 60 });
    installation.clock.advance(FEED_SNAPSHOT_TTL_MS + 1);
    await installation.publish(await article("after-expiry", 3));
    const rest = await walk({ userId: reader, limit: 60, cursor: first.nextCursor as string });
    const seen = [...ids(first.items), ...rest];
    expect(new Set(seen).size).toBe(seen.length);
    expect(rest).toContain("after-expiry");
    expect(seen.length).toBeLessThanOrEqual(500);
    expect(seen.length).toBeGreaterThan(450);
  });

  it("survive an expired snapshot on every page", async () => {
    const seen = await walk({ limit: 50 }, async () => {
      installation.clock.advance(FEED_SNAPSHOT_TTL_MS + 1);
      return {};
    });
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(500);
  });

  it("are null where the page holds everything that is left", async () => {
    const scenario = installation.request().scenario;
    const sources = { include: [asId<never>("source-4")], exclude: [] };
    const settings = { ...scenario.settings, sources };
    const only = { scenario: { ...scenario, name: "one-source", settings } };
    expect((await page({ ...only, limit: 70 })).nextCursor).toBeNull();
    const first = await page({ ...only, limit: 69 });
    expect(first.nextCursor).not.toBeNull();
    const last = await page({ ...only, limit: 69, cursor: first.nextCursor as string });
    expect([last.items.length, last.nextCursor]).toEqual([1, null]);
  });

  it.each<[string, (request: FeedRequest) => Partial<FeedRequest>]>([
    ["tenant", () => ({ tenant: buildTenant({ tenantId: asId("tenant-2") }) })],
    ["scenario", ({ scenario }) => ({ scenario: { ...scenario, name: "other" } })],
    ["user", () => ({ userId: userId("somebody-else") })],
    ["area_names", () => ({ areaNames: ["渋谷区"] })],
    ["area_level", () => ({ areaLevel: "city" })],
    ["explain", () => ({ explain: true })],
    [
      "letter",
      ({ cursor = "" }) => ({ cursor: `${cursor.startsWith("A") ? "B" : "A"}${cursor.slice(1)}` }),
    ],
    ["length", ({ cursor = "" }) => ({ cursor: cursor.slice(0, -4) })],
    ["nature", () => ({ cursor: "not a cursor" })],
  ])("are invalid with another %s, and cost nothing then", async (_, change) => {
    const { nextCursor } = await page({ userId: reader });
    const request = installation.request({ userId: reader, cursor: nextCursor as string });
    const usedTenths = await installation.usedTenths();
    expect(await answer({ ...request, ...change(request) })).toEqual({ kind: "invalid-cursor" });
    expect(await installation.usedTenths()).toBe(usedTenths);
    expect((await answer(request)).kind).toBe("page");
  });

  it("keep their length within what a URL carries, on the last page of a walk too", async () => {
    let longest = 0;
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const given = await page({ limit: 100, ...(cursor && { cursor }) });
      cursor = given.nextCursor;
      longest = Math.max(longest, cursor?.length ?? 0);
    }
    expect(longest).toBeLessThan(3_000);
  });
});

describe("Reuse of ranked lists (architecture section 3)", () => {
  it("shows a new article within seconds and a changed scenario at once", async () => {
    const before = await page({ limit: 100 });
    await installation.publish(await article("fresh-news", 1));
    installation.clock.advance(10_000);
    const after = await page({ limit: 100 });
    expect(ids(before.items)).not.toContain("fresh-news");
    expect(ids(after.items)).toContain("fresh-news");
    const { scenario } = installation.request();
    const categories = { include: ["sports" as const], exclude: [] };
    const changed = { ...scenario, version: 2, settings: { ...scenario.settings, categories } };
    expect(ids((await page({ scenario: changed, limit: 100 })).items)).not.toContain("fresh-news");
  });

  it("answers the same again while nothing is new, and anew when time has passed", async () => {
    installation.clock.advance(HOUR_MS);
    const first = await page({ userId: reader });
    const second = await page({ userId: reader });
    expect(ids(second.items)).toEqual(ids(first.items));
    expect(second.items.map((item) => item.score)).toEqual(first.items.map((item) => item.score));
    installation.clock.advance(60 * HOUR_MS);
    const later = await page({ userId: reader });
    expect(later.items[0]?.score).toBeLessThan(first.items[0]?.score ?? 0);
  });

  it("is no longer for a user who has clicked", async () => {
    const { items } = await page({ userId: reader });
    await installation.tell(reader, {
      did: "click",
      content: items[0]?.content.id ?? contentId("none"),
    });
    expect(ids((await page({ userId: reader })).items)).not.toContain(items[0]?.content.id);
  });
});

import { asId } from "@feed/domain/ids";
import { buildScenario, buildTenant } from "@feed/test-kit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { FeedItem, FeedRequest } from "./index.ts";
import {
  contentId,
  settingsOf,
  TENANT,
  userId,
  type Installation,
} from "./testing/installation.fixture.ts";
import {
  ARTICLES_PER_TOPIC,
  click,
  ids,
  openWithTopics,
  pageOf,
  topicCount,
  topicOf,
} from "./testing/topics.fixture.ts";

let installation: Installation;
let users = 0;
let user = userId("nobody");

const page = async (parts: Partial<FeedRequest> = {}) =>
  pageOf(await installation.service.feed(installation.request(parts)));
let scenarioVersion = 1;
const scenario = (parts: Parameters<typeof settingsOf>[0]) => {
  scenarioVersion += 1;
  return buildScenario({ tenantId: TENANT, version: scenarioVersion, settings: settingsOf(parts) });
};

beforeAll(async () => {
  installation = await openWithTopics();
});
afterAll(() => installation[Symbol.asyncDispose]());
beforeEach(() => {
  users += 1;
  user = userId(`user-${users}`);
});

describe("What ranks higher (spec 2.5, 4.1 rule 2; architecture section 3)", () => {
  const share = (items: readonly FeedItem[], source: string) =>
    items.filter((item) => item.content.source.source_id === source).length;

  it("ranks a followed source higher, and no longer once unfollowed", async () => {
    await installation.tell(user, { properties: {} });
    const before = share((await page({ userId: user })).items, "source-7");
    await installation.tell(user, { wants: "follow", source: "source-7" });
    const followed = await page({ userId: user, limit: 40 });
    expect(share(followed.items.slice(0, 20), "source-7")).toBeGreaterThan(before);
    await installation.tell(user, { wants: "unfollow", source: "source-7" });
    expect(share((await page({ userId: user })).items, "source-7")).toBe(before);
  });

  it("prefers the user's language, and filters by it only where the scenario says so", async () => {
    await installation.tell(user, { properties: { language: "ja-JP" } });
    const languages = async (parts: Partial<FeedRequest>) => {
      const { items } = await page({ userId: user, limit: 100, ...parts });
      const articles = await installation.deps.contentIndex.articles(
        items.map(({ content: { id } }) => id),
      );
      return articles.map(({ language }) => language);
    };
    const preferred = await languages({});
    expect(preferred.slice(0, 20).filter((language) => language === "ja").length).toBeGreaterThan(
      12,
    );
    expect(preferred).toContain("en");
    const filtered = await languages({
      scenario: scenario({ language: { mode: "filter", preferenceBoost: 1 } }),
    });
    expect(new Set(filtered)).toEqual(new Set(["ja"]));
  });

  it("prefers no language for a user who clicks in another one than the profile's", async () => {
    await installation.tell(user, { properties: { language: "ja" } });
    const english = [0, 8, 16, 24].map((at) => click(`${topicOf(at)}-${at}`));
    await installation.tell(user, ...english);
    const { items } = await page({ userId: user, explain: true });
    expect(new Set(items.map(({ explanation }) => explanation?.boosts["language"]))).toEqual(
      new Set([1]),
    );
  });

  it("takes the language from clicks where the profile names none", async () => {
    const japanese = [4, 12, 20, 28].map((at) => click(`${topicOf(at)}-${at}`));
    await installation.tell(user, ...japanese);
    const { items } = await page({ userId: user, explain: true });
    expect(items.some(({ explanation }) => (explanation?.boosts["language"] ?? 1) > 1)).toBe(true);
  });

  it("keeps the scenario's rules: sources, categories, age, pins", async () => {
    const all = (
      await page({
        limit: 100,
        scenario: scenario({ sources: { include: [asId("source-3")], exclude: [] } }),
      })
    ).items;
    expect(new Set(all.map(({ content: { source } }) => source.source_id))).toEqual(
      new Set(["source-3"]),
    );
    const food = (
      await page({
        limit: 100,
        scenario: scenario({ categories: { include: ["food"], exclude: [] } }),
      })
    ).items;
    expect(topicCount(food, "cooking")).toBe(ARTICLES_PER_TOPIC);
    expect(food).toHaveLength(ARTICLES_PER_TOPIC);
    const young = (await page({ limit: 100, scenario: scenario({ ageHoursMax: 12.5 }) })).items;
    expect(young).toHaveLength(12);
    const pinned = (await page({ scenario: scenario({ pins: [contentId("film-119")] }) })).items;
    expect(pinned[0]?.content.id).toBe("film-119");
  });

  it("gives scores in [0, 1] that descend except where an item was moved, and explains each", async () => {
    await installation.tell(user, click("space-2"), click("space-6"), {
      wants: "follow",
      source: "source-1",
    });
    const { items } = await page({ userId: user, limit: 60, explain: true });
    items.forEach(({ score, explanation }, at) => {
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
      const before = items[at - 1];
      const isInOrder = before === undefined || before.score >= score;
      const moves = [explanation?.moved, before?.explanation?.moved];
      expect(isInOrder || moves.some((places) => places !== 0)).toBe(true);
      expect(explanation?.found_by.length).toBeGreaterThan(0);
      expect(Object.keys(explanation?.parts ?? {})).toHaveLength(4);
    });
    const space = items.find(({ explanation }) => explanation?.because_of !== undefined);
    expect(space?.explanation?.because_of?.content_id).toMatch(/^space-[26]$/);
    const followed = items.find(({ content: { source } }) => source.source_id === "source-1");
    expect(followed?.explanation?.boosts["followed_source"]).toBeGreaterThan(1);
    expect((await page({ userId: user })).items[0]).not.toHaveProperty("explanation");
  });

  it("keeps tenants apart: another tenant's user of the same id is unregistered there", async () => {
    await installation.tell(user, click("space-2"), click("space-6"));
    const tenant = buildTenant({ tenantId: asId("tenant-2"), slug: "two" });
    await installation.changeDirectory({ type: "tenant.saved", tenant });
    const other = { tenant, scenario: buildScenario({ tenantId: tenant.tenantId }) };
    expect(ids((await page({ ...other, userId: user })).items)).toEqual(
      ids((await page(other)).items),
    );
  });
});

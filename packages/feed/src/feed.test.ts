import { asId } from "@feed/domain/ids";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { FeedAnswer, FeedItem, FeedRequest } from "./index.ts";
import {
  contentId,
  HOUR_MS,
  openInstallation,
  settingsOf,
  TENANT,
  userId,
  type Installation,
} from "./testing/installation.fixture.ts";
import { buildScenario, buildTenant } from "@feed/test-kit";

const TOPICS = {
  baseball: "home run pitcher baseball stadium inning championship",
  cooking: "recipe oven butter flour dessert kitchen chef",
  space: "rocket orbit satellite astronaut launch moon mission",
  film: "director cinema premiere actor screenplay movie festival",
} as const;
type TopicName = keyof typeof TOPICS;
const TOPIC_NAMES = Object.keys(TOPICS) as TopicName[];
const CATEGORIES = {
  baseball: "sports",
  cooking: "food",
  space: "science",
  film: "culture",
} as const;
const ARTICLES_PER_TOPIC = 40;

let installation: Installation;
let users = 0;
let user = userId("nobody");

/** 160 articles of four topics and eight sources, one every hour; every second one is Japanese. */
async function publishTopics(to: Installation): Promise<void> {
  const articles = [];
  for (let at = 0; at < ARTICLES_PER_TOPIC * TOPIC_NAMES.length; at += 1) {
    const topic = TOPIC_NAMES[at % TOPIC_NAMES.length] as TopicName;
    articles.push(
      await to.articleOf({
        contentId: contentId(`${topic}-${at}`),
        sourceId: asId(`source-${Math.floor(at / 4) % 8}`),
        title: `${TOPICS[topic]
          .split(" ")
          .slice(at % 3, (at % 3) + 4)
          .join(" ")} ${at}`,
        summary: TOPICS[topic],
        category: CATEGORIES[topic],
        language: Math.floor(at / 4) % 2 === 0 ? "en" : "ja",
        publishedAtMs: to.clock.nowMs() - (at + 1) * HOUR_MS,
        ...(at % 5 === 0 ? { author: "A. Author" } : {}),
        duplicateGroup: `${topic}-${at}`,
      }),
    );
  }
  await to.publish(...articles);
}

const page = async (parts: Partial<FeedRequest> = {}) => pageOf(await answer(parts));
const answer = (parts: Partial<FeedRequest> = {}) =>
  installation.service.feed(installation.request(parts));
const pageOf = (given: FeedAnswer) => {
  if (given.kind !== "page") throw new Error(`answered ${given.kind}`);
  return given;
};
const ids = (items: readonly FeedItem[]) => items.map(({ id }) => id as string);
const topicCount = (items: readonly FeedItem[], topic: TopicName) =>
  items.filter(({ id }) => id.startsWith(topic)).length;
const click = (content: string) => ({ did: "click", content: contentId(content) }) as const;
let scenarioVersion = 1;
const scenario = (parts: Parameters<typeof settingsOf>[0]) => {
  scenarioVersion += 1;
  return buildScenario({ tenantId: TENANT, version: scenarioVersion, settings: settingsOf(parts) });
};

beforeAll(async () => {
  installation = await openInstallation();
  await installation.saveTenant();
  await installation.saveSources(...Array.from({ length: 8 }, (_, at) => `source-${at}`));
  await publishTopics(installation);
});
afterAll(() => installation[Symbol.asyncDispose]());
beforeEach(() => {
  users += 1;
  user = userId(`user-${users}`);
});

describe("Who gets which feed (spec 4.1 rule 1, 1)", () => {
  it("gives the generic feed to an anonymous reader and to an unregistered user, and creates nobody", async () => {
    const anonymous = await page();
    const unregistered = await page({ userId: user });
    expect(ids(unregistered.items)).toEqual(ids(anonymous.items));
    expect(anonymous.items).toHaveLength(20);
    const subjectId = installation.deps.keyring.pseudonyms.subjectOfUser(TENANT, user, 0);
    expect(await installation.deps.readState.users([{ tenantId: TENANT, subjectId }])).toEqual([
      undefined,
    ]);
  });

  it("changes the very next feed after a click", async () => {
    const before = await page();
    await installation.tell(user, click("space-2"), click("space-6"));
    const after = await page({ userId: user });
    expect(topicCount(after.items, "space")).toBeGreaterThan(topicCount(before.items, "space"));
    expect(after.items[0]?.id).toMatch(/^space/);
    await installation.tell(user, click("film-3"), click("film-7"), click("film-11"));
    const next = await page({ userId: user });
    expect(topicCount(next.items, "film")).toBeGreaterThan(topicCount(after.items, "film"));
  });

  it("follows interests stated in words until there are clicks (spec 2.5)", async () => {
    await installation.tell(user, { properties: { interests: ["rocket moon mission"] } });
    const stated = await page({ userId: user });
    expect(stated.items[0]?.id).toMatch(/^space/);
    const clicks = [1, 5, 9, 13, 17].map((at) => click(`cooking-${at}`));
    await installation.tell(user, ...clicks);
    const clicked = await page({ userId: user });
    expect(topicCount(clicked.items, "cooking")).toBeGreaterThan(
      topicCount(stated.items, "cooking"),
    );
  });

  it("forgets the interests of a deleted user, also in a walk begun before", async () => {
    await installation.tell(user, click("space-2"), click("space-6"));
    const first = await page({ userId: user, limit: 5 });
    await installation.tell(user, { deleted: true });
    const rest = await page({ userId: user, limit: 20, cursor: first.nextCursor as string });
    const generic = ids((await page({ limit: 40 })).items).filter(
      (id) => !ids(first.items).includes(id),
    );
    expect(ids(rest.items).slice(0, 5)).toEqual(generic.slice(0, 5));
  });
});

describe("What never appears (spec 1, 2.5, 6.1 rule 3; decisions, Feed)", () => {
  const everything = async (parts: Partial<FeedRequest>): Promise<string[]> => {
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const next = await page({ limit: 50, ...parts, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...ids(next.items));
      cursor = next.nextCursor;
    }
    return seen;
  };

  it.each(["click", "dislike"] as const)(
    "leaves out what the user has reacted to: %s",
    async (did) => {
      const reacted = ["space-2", "film-3"];
      await installation.tell(user, ...reacted.map((id) => ({ did, content: contentId(id) })));
      const seen = await everything({ userId: user });
      expect(seen).toHaveLength(158);
      for (const id of reacted) expect(seen).not.toContain(id);
    },
  );

  it("keeps what was only shown or liked", async () => {
    await installation.tell(user, { did: "impression", content: contentId("space-2") });
    await installation.tell(user, { did: "like", content: contentId("film-3") });
    const seen = await everything({ userId: user });
    expect(seen).toEqual(expect.arrayContaining(["space-2", "film-3"]));
  });

  it("moves away from what was disliked", async () => {
    await installation.tell(user, click("space-2"), click("film-3"));
    const before = await page({ userId: user });
    await installation.tell(
      user,
      ...["film-7", "film-11", "film-15"].map((id) => ({
        did: "dislike" as const,
        content: contentId(id),
      })),
    );
    const after = await page({ userId: user });
    expect(topicCount(after.items, "film")).toBeLessThan(topicCount(before.items, "film"));
  });

  it("excludes a blocked source completely, and shows it again once unblocked", async () => {
    await installation.tell(user, { properties: {} }, { wants: "block", source: "source-1" });
    expect(await everything({ userId: user })).toHaveLength(140);
    await installation.tell(user, { wants: "unblock", source: "source-1" });
    expect(await everything({ userId: user })).toHaveLength(160);
  });

  it("skips in page 2 of an older walk what was clicked, blocked, withdrawn or unlicensed since", async () => {
    await installation.tell(user, { properties: {} });
    const first = await page({ userId: user, limit: 10 });
    const cursor = first.nextCursor as string;
    const before = (await page({ userId: user, limit: 100, cursor })).items;
    const [clicked, withdrawn] = before as [FeedItem, FeedItem];
    const others = before.filter(({ id }) => id !== clicked.id && id !== withdrawn.id);
    const [blocked, unlicensed] = [...new Set(others.map(({ source }) => source.source_id))] as [
      string,
      string,
    ];
    const licence = { tenantId: TENANT, sourceId: asId<never>(unlicensed) };
    const original = (await installation.deps.contentIndex.articles([withdrawn.id]))[0];
    await installation.tell(user, click(clicked.id), { wants: "block", source: blocked });
    await installation.withdraw(withdrawn.id);
    await installation.changeDirectory({
      type: "licence.set",
      licence: { ...licence, licence: "none" },
    });
    const after = (await page({ userId: user, limit: 100, cursor })).items;
    const left = others.filter(({ source }) => ![blocked, unlicensed].includes(source.source_id));
    expect(left.length).toBeGreaterThan(20);
    expect(ids(after).slice(0, left.length)).toEqual(ids(left));
    await installation.changeDirectory({
      type: "licence.set",
      licence: { ...licence, licence: "body" },
    });
    if (original !== undefined) await installation.publish(await installation.articleOf(original));
  });

  it("never delivers a source the tenant has no licence for, nor an article dated in the future", async () => {
    const licence = { tenantId: TENANT, sourceId: asId<never>("source-2") };
    await installation.changeDirectory({
      type: "licence.set",
      licence: { ...licence, licence: "none" },
    });
    const future = {
      contentId: contentId("future"),
      publishedAtMs: installation.clock.nowMs() + HOUR_MS,
    };
    await installation.publish(
      await installation.articleOf({ ...future, sourceId: asId("source-0") }),
    );
    const seen = await everything({});
    expect(seen).toHaveLength(140);
    expect(seen).not.toContain("future");
    await installation.changeDirectory({
      type: "licence.set",
      licence: { ...licence, licence: "link" },
    });
    expect(await everything({})).toHaveLength(160);
    await installation.changeDirectory({
      type: "licence.set",
      licence: { ...licence, licence: "body" },
    });
    await installation.withdraw(contentId("future"));
  });

  it("shows a story that several sources tell once", async () => {
    const told = ["retold-1", "retold-2"].map((id) => ({
      contentId: contentId(id),
      duplicateGroup: "retold",
    }));
    for (const [at, parts] of told.entries()) {
      await installation.publish(
        await installation.articleOf({ ...parts, sourceId: asId(`source-${at}`) }),
      );
    }
    const seen = await everything({});
    expect(seen.filter((id) => id.startsWith("retold"))).toHaveLength(1);
    for (const { contentId: id } of told) await installation.withdraw(id);
  });
});

describe("What ranks higher (spec 2.5, 4.1 rule 2; architecture section 3)", () => {
  const share = (items: readonly FeedItem[], source: string) =>
    items.filter((item) => item.source.source_id === source).length;

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
      const articles = await installation.deps.contentIndex.articles(items.map(({ id }) => id));
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
    const english = [0, 8, 16, 24].map((at) => click(`${TOPIC_NAMES[at % 4]}-${at}`));
    await installation.tell(user, ...english);
    const { items } = await page({ userId: user, explain: true });
    expect(new Set(items.map(({ explanation }) => explanation?.boosts["language"]))).toEqual(
      new Set([1]),
    );
  });

  it("takes the language from clicks where the profile names none", async () => {
    const japanese = [4, 12, 20, 28].map((at) => click(`${TOPIC_NAMES[at % 4]}-${at}`));
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
    expect(new Set(all.map(({ source }) => source.source_id))).toEqual(new Set(["source-3"]));
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
    expect(pinned[0]?.id).toBe("film-119");
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
      if (before !== undefined && before.score < score) {
        expect([explanation?.moved, before.explanation?.moved]).not.toEqual([0, 0]);
      }
      expect(explanation?.found_by.length).toBeGreaterThan(0);
      expect(Object.keys(explanation?.parts ?? {})).toHaveLength(4);
    });
    const space = items.find(({ explanation }) => explanation?.because_of !== undefined);
    expect(space?.explanation?.because_of?.content_id).toMatch(/^space-[26]$/);
    const followed = items.find(({ source }) => source.source_id === "source-1");
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

import { asId } from "@feed/domain/ids";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { FeedItem, FeedRequest } from "./index.ts";
import {
  contentId,
  HOUR_MS,
  TENANT,
  userId,
  type Installation,
} from "./testing/installation.fixture.ts";
import { click, ids, openWithTopics, pageOf, topicCount } from "./testing/topics.fixture.ts";

let installation: Installation;
let users = 0;
let user = userId("nobody");

const page = async (parts: Partial<FeedRequest> = {}) =>
  pageOf(await installation.service.feed(installation.request(parts)));

beforeAll(async () => {
  installation = await openWithTopics();
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
    expect(after.items[0]?.content.id).toMatch(/^space/);
    await installation.tell(user, click("film-3"), click("film-7"), click("film-11"));
    const next = await page({ userId: user });
    expect(topicCount(next.items, "film")).toBeGreaterThan(topicCount(after.items, "film"));
  });

  it("follows interests stated in words until there are clicks (spec 2.5)", async () => {
    await installation.tell(user, { properties: { interests: ["rocket moon mission"] } });
    const stated = await page({ userId: user });
    expect(stated.items[0]?.content.id).toMatch(/^space/);
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
    const others = before.filter(
      ({ content: { id } }) => id !== clicked.content.id && id !== withdrawn.content.id,
    );
    const [blocked, unlicensed] = [
      ...new Set(others.map(({ content: { source } }) => source.source_id)),
    ] as [string, string];
    const licence = { tenantId: TENANT, sourceId: asId<never>(unlicensed) };
    const original = (await installation.deps.contentIndex.articles([withdrawn.content.id]))[0];
    await installation.tell(user, click(clicked.content.id), { wants: "block", source: blocked });
    await installation.withdraw(withdrawn.content.id);
    await installation.changeDirectory({
      type: "licence.set",
      licence: { ...licence, licence: "none" },
    });
    const after = (await page({ userId: user, limit: 100, cursor })).items;
    const left = others.filter(
      ({ content: { source } }) => ![blocked, unlicensed].includes(source.source_id),
    );
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

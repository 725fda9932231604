import { join } from "node:path";
import { ContentIndexUnavailable } from "@feed/content-index";
import { asId } from "@feed/domain/ids";
import { FEED_SNAPSHOT_TTL_MS } from "@feed/domain/limits";
import { LogRejected } from "@feed/event-log";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import { ReadStateClosed } from "@feed/read-state";
import { temporaryDirectory } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import type { FeedRequest } from "./index.ts";
import {
  contentId,
  HOUR_MS,
  openInstallation,
  userId,
  type Installation,
  type InstallationOptions,
} from "./testing/installation.fixture.ts";

const ARTICLES = 40;
const reader = userId("reader");

async function opened(options: InstallationOptions = {}): Promise<Installation> {
  const installation = await openInstallation(options);
  await installation.saveTenant();
  await installation.saveSources("source-0", "source-1", "source-2", "source-3");
  for (let at = 0; at < ARTICLES; at += 1) {
    await installation.publish(
      await installation.articleOf({
        contentId: contentId(`a-${at}`),
        sourceId: asId(`source-${at % 4}`),
        category: (["food", "sports", "culture"] as const)[at % 3] ?? "other",
        publishedAtMs: installation.clock.nowMs() - (at + 1) * HOUR_MS,
      }),
    );
  }
  await installation.tell(reader, { did: "click", content: contentId("a-5") });
  return installation;
}
const feed = (installation: Installation, parts: Partial<FeedRequest> = {}) =>
  installation.service.feed(installation.request(parts));
const content = (installation: Installation, id: string) => {
  const { tenant, requestId, nowMs } = installation.request();
  const body = { includeBody: false, bodyFormat: "markdown" } as const;
  return installation.service.content({
    tenant,
    requestId,
    nowMs,
    contentId: contentId(id),
    ...body,
  });
};
const pageOf = (answer: Awaited<ReturnType<typeof feed>>) => {
  if (answer.kind !== "page") throw new Error(answer.kind);
  return answer;
};

describe("Credits (spec 8; decisions, Credits and limits)", () => {
  it("cost 1.0 for a feed and 0.1 for a content, recorded before the answer is given", async () => {
    await using installation = await opened();
    const page = pageOf(await feed(installation, { userId: reader, requestId: "r-1", limit: 3 }));
    const found = await content(installation, "a-1");
    expect([page.creditsTenths, found]).toMatchObject([10, { creditsTenths: 1 }]);
    expect(await installation.usedTenths()).toBe(11);
    const deliveries = await installation.deliveries();
    expect(deliveries).toHaveLength(2);
    const recorded = deliveries.find(({ type }) => type === "feed.delivered");
    const { pseudonyms } = installation.deps.keyring;
    expect(recorded).toMatchObject({
      requestId: "r-1",
      scenario: "main",
      subjectId: pseudonyms.subjectOfUser(asId("tenant-1"), reader, 0),
      creditsTenths: 10,
      items: page.items.map(({ content: { id }, score }, position) => ({
        contentId: id,
        position,
        score: expect.closeTo(score, 3),
      })),
    });
    expect(JSON.stringify(deliveries)).not.toContain("reader");
  });

  it("record a delivery to an anonymous reader without a subject", async () => {
    await using installation = await opened();
    await feed(installation);
    const [delivery] = await installation.deliveries();
    expect(delivery).not.toHaveProperty("subjectId");
  });

  it("run out at the cap: nothing is served, recorded or charged any more", async () => {
    await using installation = await opened();
    await installation.setCap(20);
    expect((await feed(installation)).kind).toBe("page");
    expect((await feed(installation)).kind).toBe("page");
    const refused = { kind: "usage-limit-exceeded", capTenths: 20 };
    expect(await feed(installation)).toEqual(refused);
    expect(await content(installation, "a-1")).toEqual(refused);
    expect(await installation.usedTenths()).toBe(20);
    expect(await installation.deliveries()).toHaveLength(2);
    await installation.setCap(null);
    expect((await feed(installation)).kind).toBe("page");
  });

  it("hold a cap when many requests come at once", async () => {
    await using installation = await opened();
    await installation.setCap(50);
    const answers = await Promise.all(Array.from({ length: 20 }, () => feed(installation)));
    expect(answers.filter(({ kind }) => kind === "page")).toHaveLength(5);
  });

  it("are given back for every answer but a 200", async () => {
    await using installation = await opened();
    expect((await feed(installation, { areaNames: ["渋谷"] })).kind).toBe("ambiguous-area");
    expect((await content(installation, "unknown")).kind).toBe("not-found");
    await installation.deps.contentIndex[Symbol.asyncDispose]();
    await expect(feed(installation)).rejects.toThrow(ContentIndexUnavailable);
    await expect(content(installation, "a-1")).rejects.toThrow(ContentIndexUnavailable);
    expect(await installation.usedTenths()).toBe(0);
    expect(await installation.deliveries()).toEqual([]);
  });

  it("are given back where the log takes the record for a bug", async () => {
    const tooLong = new Uint8Array(9 * 1024 * 1024);
    await using installation = await opened({
      change: (deps) => ({ ...deps, codec: { encode: () => tooLong } }),
    });
    await expect(feed(installation)).rejects.toThrow(LogRejected);
    await expect(content(installation, "a-1")).rejects.toThrow(LogRejected);
    expect(await installation.usedTenths()).toBe(0);
  });
});

describe("What is served when something is away (architecture section 2)", () => {
  it("serves free and unrecorded while the log is away", async () => {
    await using directory = await temporaryDirectory();
    const away = await openEmbeddedEventLog({ directory: join(directory.path, "log") });
    await away[Symbol.asyncDispose]();
    await using installation = await opened({ change: (deps) => ({ ...deps, eventLog: away }) });
    const page = pageOf(await feed(installation, { userId: reader }));
    const found = await content(installation, "a-1");
    expect([page.items.length, page.creditsTenths]).toEqual([20, 0]);
    expect(found).toMatchObject({ kind: "found", creditsTenths: 0 });
    expect(await installation.usedTenths()).toBe(0);
    expect(installation.unrecorded).toHaveLength(2);
  });

  it("serves anonymous feeds and contents while the read state is away, and no personal one", async () => {
    await using installation = await opened();
    const first = pageOf(await feed(installation, { limit: 10 }));
    await installation.deps.readState[Symbol.asyncDispose]();
    const again = pageOf(await feed(installation, { limit: 10 }));
    expect(again.creditsTenths).toBe(10);
    expect((await content(installation, "a-1")).kind).toBe("found");
    const next = pageOf(
      await feed(installation, { limit: 100, cursor: first.nextCursor as string }),
    );
    const seen = [...first.items, ...next.items].map(({ content: { id } }) => id);
    expect(new Set(seen).size).toBe(ARTICLES);
    await expect(feed(installation, { userId: reader })).rejects.toThrow(ReadStateClosed);
  });

  it("serves pages of live lists while the content index is away, and skips what was read since", async () => {
    await using installation = await opened();
    const first = pageOf(await feed(installation, { userId: reader, limit: 5 }));
    const cursor = first.nextCursor as string;
    const expected = pageOf(await feed(installation, { userId: reader, limit: 5, cursor }));
    const [read, ...others] = expected.items.map(({ content: { id } }) => id);
    await installation.deps.contentIndex[Symbol.asyncDispose]();
    await installation.tell(reader, { did: "click", content: read ?? contentId("none") });
    const next = pageOf(await feed(installation, { userId: reader, limit: 4, cursor }));
    expect(next.items.map(({ content: { id } }) => id)).toEqual(others);
    expect((await feed(installation, { userId: reader })).kind).toBe("page");
    installation.clock.advance(FEED_SNAPSHOT_TTL_MS);
    await expect(feed(installation, { userId: reader })).rejects.toThrow(ContentIndexUnavailable);
  });

  it("goes on with the popularity it knew while the activity store is away", async () => {
    let stale = 0;
    await using installation = await opened({
      change: (deps) => ({
        ...deps,
        activityStore: { engagement: () => Promise.reject(new Error("away")) },
        onEngagementStale: () => (stale += 1),
      }),
    });
    expect((await feed(installation)).kind).toBe("page");
    await expect.poll(() => stale).toBe(1);
  });

  it("serves a reader who states interests while the embedder is away", async () => {
    await using installation = await opened();
    await installation.tell(reader, { properties: { interests: ["never met"] } });
    await installation.deps.embedder[Symbol.asyncDispose]();
    expect(pageOf(await feed(installation, { userId: reader })).items).toHaveLength(20);
  });
});

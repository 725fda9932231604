import { join } from "node:path";
import { openClickHouseActivityStore } from "@feed/activity-store/clickhouse";
import { startEmbeddedClickHouse } from "@feed/activity-store/embedded";
import { openEmbeddedContentIndex } from "@feed/content-index/embedded";
import type { Article } from "@feed/domain/article";
import { asId } from "@feed/domain/ids";
import type { ContentId, TenantId } from "@feed/domain/ids";
import { TOPICS } from "@feed/domain/topics";
import { createFactCodec } from "@feed/event-codec";
import { readSchemaFolder, registryOf } from "@feed/event-codec/bundled";
import {
  buildArticle,
  buildBehaviourRecorded as event,
  temporaryDirectory,
  waitFor,
} from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { projectionLag } from "./lag.ts";
import { runProjector } from "./projector.ts";
import {
  appendUserFacts,
  clock,
  codec,
  log,
  openInstallation,
  partitionOf,
  recordOf,
} from "./testing/installation.ts";

const TENANT = asId<TenantId>("tenant-1");
const DIMENSIONS = 4;
const surroundings = { codec, clock, log };

function published(id: string, parts: Partial<Article> = {}) {
  const contentId = asId<ContentId>(id);
  const article = buildArticle({ contentId, ...parts });
  return recordOf("contents", 5 % TOPICS.contents.partitions, {
    type: "article.published",
    article,
  });
}

describe("the projector of articles", () => {
  it("puts what is published, withdraws what is gone, embeds anew what another model embedded, buries alone what the index refuses", async () => {
    await using directory = await temporaryDirectory();
    await using installation = await openInstallation(directory.path);
    const { eventLog, personalData } = installation;
    const indexOptions = { directory: join(directory.path, "index"), model: "test-4" };
    await using contentIndex = await openEmbeddedContentIndex({
      ...indexOptions,
      dimensions: DIMENSIONS,
    });
    const foreign = { model: "other-4", vector: new Float32Array([1, 0, 0, 0]) };
    const ids = ["a", "b", "c", "d", "e"];
    const notUnit = { model: "test-4", vector: new Float32Array([2, 0, 0, 0]) };
    const embeddings = new Map([
      ["b", { embedding: foreign }],
      ["c", { embedding: notUnit }],
    ]);
    const records = ids.map((id) => published(id, embeddings.get(id) ?? {}));
    const madeAnew = new Float32Array([0, 0, 1, 0]);
    const embedder = {
      model: "test-4",
      embed: async (texts: readonly unknown[]) => texts.map(() => madeAnew),
    };
    const { contentId, sourceId } = buildArticle({ contentId: asId<ContentId>("e") });
    const fact = { contentId, sourceId, reason: "gone", withdrawnAtMs: clock.nowMs() } as const;
    const withdrawn = recordOf("contents", 5, { type: "article.withdrawn", ...fact });
    await eventLog.append([...records, withdrawn]);
    await using _projector = await runProjector({
      ...surroundings,
      eventLog,
      personalData,
      contentIndex: { index: contentIndex, embedder },
    });
    const isDone = async () =>
      (await projectionLag(eventLog, "contents", await contentIndex.positions())) === 0;
    await waitFor(isDone);
    const found = await contentIndex.articles(ids.map((id) => asId<ContentId>(id)));
    expect(found.map((article) => article.contentId)).toEqual(["a", "b", "d"]);
    const vectors = await contentIndex.vectors([asId<ContentId>("b")]);
    expect(vectors.get(asId<ContentId>("b"))).toEqual(madeAnew);
    const letters = (await eventLog.read("dead-letters", 0, 0, 10)).records;
    expect(letters.map(({ value }) => value && codec.decode(value))).toMatchObject([
      { stage: "content-index", sourceTopic: "contents", sourceOffset: 2 },
    ]);
  });
});

/** Deliveries as they were written at first. */
function codecOfBefore() {
  const folder = readSchemaFolder();
  const entries = folder.entries.filter(({ file }) => file !== "feed-delivered.v2.avsc");
  return createFactCodec(registryOf({ ...folder, entries }));
}

describe("the projector of activity", () => {
  it("keeps every topic in the activity store, and leaves dead letters to the read state", async () => {
    await using directory = await temporaryDirectory();
    await using installation = await openInstallation(directory.path);
    const { eventLog, personalData, readState } = installation;
    await using engine = await startEmbeddedClickHouse({
      directory: join(directory.path, "activity"),
      onExit: () => undefined,
    });
    await using activityStore = await openClickHouseActivityStore(engine.endpoint);
    const served = { tenantId: TENANT, servedAtMs: clock.nowMs(), creditsTenths: 10 };
    const delivered = { type: "feed.delivered", scenario: "main", items: [], ...served } as const;
    const experiment = { experimentId: "exp-1", arm: "variant" } as const;
    const inArm = { subjectId: event().subjectId, experiment };
    // As the releases wrote it that knew no experiments.
    const old = { ...delivered, subjectId: event().subjectId, requestId: "request-0" };
    const partition = partitionOf(event());
    const unreadable = {
      topic: "users",
      key: "k",
      value: new Uint8Array([9]),
      timestampMs: 1,
    } as const;
    await eventLog.append([
      recordOf("deliveries", 3, { ...delivered, ...inArm, requestId: "request-1" }),
      { ...recordOf("deliveries", 4, old), value: codecOfBefore().encode(old) },
      { ...unreadable, partition },
      published("a"),
    ]);
    await appendUserFacts(installation, [event(), event({ kind: "like", eventId: "event-2" })]);
    await using _projector = await runProjector({
      ...surroundings,
      eventLog,
      personalData,
      readState,
      activityStore,
    });
    const topics = ["users", "deliveries", "contents"] as const;
    for (const topic of topics) {
      const isDone = async () =>
        (await projectionLag(eventLog, topic, await activityStore.positions(topic))) === 0;
      await waitFor(isDone);
    }
    const isProjected = async () =>
      (await projectionLag(eventLog, "users", await readState.positions("users"))) === 0;
    await waitFor(isProjected);
    expect(await activityStore.engagement(TENANT, 0)).toMatchObject([{ clicks: 2 }]);
    const usage = [{ endpoint: "feed", requests: 2, creditsTenths: 20 }];
    expect(await activityStore.usageByDay(TENANT, "2026-11")).toMatchObject(usage);
    const arms = await activityStore.experimentArms(TENANT, "exp-1", 0);
    expect(arms).toMatchObject({ control: { users: 0 }, variant: { users: 1, feeds: 1 } });
    const letters = (await eventLog.read("dead-letters", 0, 0, 10)).records;
    expect(letters).toHaveLength(1);
  });
});

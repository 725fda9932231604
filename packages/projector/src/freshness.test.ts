import { join } from "node:path";
import { openEmbeddedContentIndex } from "@feed/content-index/embedded";
import type { Article } from "@feed/domain/article";
import { asId, type ContentId } from "@feed/domain/ids";
import { buildArticle, manualClock, temporaryDirectory, waitFor } from "@feed/test-kit";
import { expect, it } from "vitest";
import type { BatchMeasure } from "./index.ts";
import { runProjector } from "./projector.ts";
import {
  clock as appending,
  codec,
  log,
  openInstallation,
  recordOf,
} from "./testing/installation.ts";

const PARTITION = 5;
const MINUTE_MS = 60_000;
const ARTICLES = 2;

function published(id: string, parts: Partial<Article>) {
  const article = buildArticle({ contentId: asId<ContentId>(id), ...parts });
  return recordOf("contents", PARTITION, { type: "article.published", article });
}

it("measures how long new articles took from their publication, not revisions and not what is read again later", async () => {
  await using directory = await temporaryDirectory();
  await using installation = await openInstallation(directory.path);
  const { eventLog, personalData } = installation;
  // That of the projectors alone: other tests append by the same one.
  const clock = manualClock(appending.nowMs());
  const model = "test-4";
  const embedder = { model, embed: async () => [] };
  const measures: BatchMeasure[] = [];
  const embedding = { model, vector: new Float32Array([1, 0, 0, 0]) };
  const parts = { embedding, publishedAtMs: clock.nowMs() - 2 * MINUTE_MS };
  await eventLog.append([
    published("new", { ...parts, revision: 1 }),
    published("revised", { ...parts, revision: 2 }),
  ]);
  const project = async (name: string) => {
    const options = { directory: join(directory.path, name), model, dimensions: 4 };
    await using index = await openEmbeddedContentIndex(options);
    const onBatch = (measure: BatchMeasure) => measures.push(measure);
    const services = { codec, clock, log, onBatch, eventLog, personalData };
    const contentIndex = { index, embedder };
    await using _projector = await runProjector({ ...services, contentIndex });
    const measured = () => measures.reduce((sum, { events }) => sum + events, 0);
    await waitFor(() => measured() === ARTICLES);
    return measures.splice(0).flatMap(({ publishedAgesMs }) => publishedAgesMs);
  };
  expect(await project("first")).toEqual([2 * MINUTE_MS]);
  clock.advance(2 * 60 * MINUTE_MS);
  expect(await project("rebuilt")).toEqual([]);
});

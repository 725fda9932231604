import { join } from "node:path";
import { openEmbeddedContentIndex } from "@feed/content-index/embedded";
import { ContentIndexUnavailable, type ContentIndex } from "@feed/content-index";
import { asId, type ContentId } from "@feed/domain/ids";
import { createFactCodec, openBundledRegistry } from "@feed/event-codec";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import { createLogger, systemClock } from "@feed/runtime";
import { buildArticle, temporaryDirectory, waitFor } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { openCopiedIndex } from "./copied-index.ts";
import { GENERATIONS_PER_INDEX } from "./delegating-index.ts";

const MODEL = { model: "served-4", dimensions: 4 };
const codec = createFactCodec(openBundledRegistry());
const log = createLogger({ service: "test", level: "silent" });
const id = (name: string) => asId<ContentId>(name);
const vector = new Float32Array([0, 1, 0, 0]);

const articleOf = (name: string, model = MODEL.model) =>
  buildArticle({ contentId: id(name), embedding: { model, vector } });
const published = (name: string, model?: string) => ({
  topic: "contents" as const,
  partition: 0,
  key: name,
  value: codec.encode({ type: "article.published", article: articleOf(name, model) }),
  timestampMs: 1,
});

/** The original has had fewer changes than that. */
const copyAnswers = (index: ContentIndex): Promise<void> =>
  waitFor(() => index.generation() >= GENERATIONS_PER_INDEX);

/** An index whose calls fail while it is away. */
function withOutages(index: ContentIndex) {
  const outage = { isAway: false };
  const proxy = new Proxy(index, {
    get: (target, key): unknown => {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== "function") return value;
      return (...call: unknown[]): unknown =>
        outage.isAway && typeof key === "string" && key !== "generation"
          ? Promise.reject(new ContentIndexUnavailable("away"))
          : value.apply(target, call);
    },
  });
  return { outage, index: proxy };
}

async function openParts() {
  const opened = new AsyncDisposableStack();
  const { path } = opened.use(await temporaryDirectory());
  const eventLog = opened.use(await openEmbeddedEventLog({ directory: join(path, "log") }));
  const original = await openEmbeddedContentIndex({ directory: join(path, "original"), ...MODEL });
  const surroundings = { eventLog, codec, clock: systemClock, log };
  return { path, eventLog, original, surroundings, opened };
}

describe("A copy of an index that is outside", () => {
  it("answers once it has everything, and goes on while the index is away", async () => {
    const { path, eventLog, original, surroundings, opened } = await openParts();
    await using _all = opened;
    const { outage, index: behind } = withOutages(original);
    await eventLog.append([published("a")]);
    await original.apply([{ kind: "put", article: articleOf("a"), offset: 0 }], new Map([[0, 1]]));
    await using index = await openCopiedIndex(behind, { dataDirectory: path }, surroundings);
    await copyAnswers(index);
    outage.isAway = true;
    expect(await index.articles([id("a")])).toHaveLength(1);
    await eventLog.append([published("b")]);
    await waitFor(async () => (await index.articles([id("b")])).length === 1);
    outage.isAway = false;
  });

  it("takes vectors of articles that another model embedded from the index, when that has them", async () => {
    const { path, eventLog, original, surroundings, opened } = await openParts();
    await using _all = opened;
    await using index = await openCopiedIndex(original, { dataDirectory: path }, surroundings);
    await copyAnswers(index);
    await eventLog.append([published("foreign", "other-4"), published("refused", "other-4")]);
    const anew = { model: MODEL.model, vector: new Float32Array([0, 0, 1, 0]) };
    const article = { ...articleOf("foreign"), embedding: anew };
    await original.apply([{ kind: "put", article, offset: 0 }], new Map([[0, 2]]));
    await waitFor(async () => (await index.articles([id("foreign")])).length === 1);
    expect((await index.vectors([id("foreign")])).get(id("foreign"))).toEqual(anew.vector);
    expect(await index.articles([id("refused")])).toEqual([]);
    expect((await eventLog.endOffsets("dead-letters"))[0]).toBe(0);
  });
});

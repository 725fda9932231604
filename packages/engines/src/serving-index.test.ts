import { mkdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { buildArticle, temporaryDirectory, waitFor } from "@feed/test-kit";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import { asId, type ContentId } from "@feed/domain/ids";
import { createLogger } from "@feed/runtime";
import { describe, expect, it } from "vitest";
import { installationPaths } from "./paths.ts";
import { openServingIndex } from "./serving-index.ts";
import { openContentIndex } from "./stores.ts";

const log = createLogger({ service: "test", level: "silent" });
const former = { model: "former-4", dimensions: 4 };
const next = { model: "next-4", dimensions: 4 };
const contentId = asId<ContentId>("a");
const articleOf = ({ model }: { readonly model: string }) =>
  buildArticle({ contentId, embedding: { model, vector: new Float32Array([1, 0, 0, 0]) } });
const put = (model: { readonly model: string }) =>
  ({ kind: "put", article: articleOf(model), offset: 0 }) as const;
const record = {
  topic: "contents",
  partition: 3,
  key: "a",
  value: new Uint8Array(1),
  timestampMs: 0,
} as const;
/** The positions of an index that has it. */
const filled = new Map([[3, 1]]);

describe("A change of the embedding model", () => {
  it("is a rebuild, not an outage: the former index is served until the new one is filled", async () => {
    await using directory = await temporaryDirectory();
    const installation = { dataDirectory: directory.path, embedder: "hashed:4" };
    const paths = installationPaths(directory.path);
    await using eventLog = await openEmbeddedEventLog({ directory: paths.eventLog });
    await eventLog.append([record]);
    {
      await using projected = await openContentIndex(installation, former, { writer: true });
      await projected.apply([put(former)], filled);
      await using served = await openServingIndex({
        installation,
        embedder: former,
        eventLog,
        log,
      });
      expect((await served.stats()).model).toBe("former-4");
    }
    await using serving = await openServingIndex({ installation, embedder: next, eventLog, log });
    expect((await serving.stats()).model).toBe("former-4");
    expect(await serving.articles([contentId])).toHaveLength(1);
    const generation = serving.generation();
    await using rebuilt = await openContentIndex(installation, next, { writer: true });
    await rebuilt.apply([put(next)], filled);
    await waitFor(async () => (await serving.stats()).model === "next-4");
    expect(await serving.articles([contentId])).toHaveLength(1);
    expect(serving.generation()).not.toBe(generation);
    await using again = await openServingIndex({ installation, embedder: next, eventLog, log });
    expect((await again.stats()).model).toBe("next-4");
  });

  it("that can't be recorded is tried again, and the former index is served until then", async () => {
    await using directory = await temporaryDirectory();
    const installation = { dataDirectory: directory.path, embedder: "hashed:4" };
    const paths = installationPaths(directory.path);
    await using eventLog = await openEmbeddedEventLog({ directory: paths.eventLog });
    await eventLog.append([record]);
    {
      await using _served = await openServingIndex({
        installation,
        embedder: former,
        eventLog,
        log,
      });
    }
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const recorded = join(paths.contentIndex, "served.json");
    await using serving = await openServingIndex({
      installation,
      embedder: next,
      eventLog,
      log: createLogger({ service: "test", level: "error", destination }),
    });
    await rm(recorded);
    await mkdir(recorded);
    await using rebuilt = await openContentIndex(installation, next, { writer: true });
    await rebuilt.apply([put(next)], filled);
    await waitFor(() => lines.length > 0);
    expect(lines[0]).toContain("could not switch");
    expect((await serving.stats()).model).toBe("former-4");
    await rmdir(recorded);
    await waitFor(async () => (await serving.stats()).model === "next-4");
  });

  it("may be noticed by all threads of a node at the same time", async () => {
    await using directory = await temporaryDirectory();
    const installation = { dataDirectory: directory.path, embedder: "hashed:4" };
    const paths = installationPaths(directory.path);
    await using eventLog = await openEmbeddedEventLog({ directory: paths.eventLog });
    const options = { installation, eventLog, log };
    const opening = Array.from({ length: 16 }, () =>
      openServingIndex({ ...options, embedder: former }),
    );
    const opened = await Promise.all(opening);
    await Promise.all(opened.map((index) => index[Symbol.asyncDispose]()));
    expect(opened).toHaveLength(16);
  });
});

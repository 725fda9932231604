import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  CONFORMANCE_DIMENSIONS,
  CONFORMANCE_MODEL,
  contentIndexRules,
  describeContentIndex,
} from "./conformance.ts";
import type { OpenIndex } from "./conformance.ts";
import { articleOf, filterOf, idsOf, put, withdraw } from "./conformance/articles.ts";
import { openEmbeddedContentIndex } from "./embedded.ts";
import type { EmbeddedContentIndexOptions } from "./embedded.ts";
import { ContentIndexUnavailable, ContentRejected } from "./port.ts";
import type { ContentIndex } from "./port.ts";

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "content-index-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));
afterEach(() => vi.useRealTimers());

const options = (directory: string): EmbeddedContentIndexOptions => ({
  directory,
  model: CONFORMANCE_MODEL,
  dimensions: CONFORMANCE_DIMENSIONS,
});

async function opener(): Promise<OpenIndex> {
  const directory = await mkdtemp(join(root, "rule-"));
  return (name) => openEmbeddedContentIndex(options(join(directory, name)));
}

describeContentIndex("embedded", opener);

/** The embedded index with one of its rules broken. */
function broken(change: (index: ContentIndex) => Partial<ContentIndex>): () => Promise<OpenIndex> {
  return async () => {
    const open = await opener();
    return async (name) => {
      const index = await open(name);
      const changed = change(index);
      return new Proxy(index, {
        get: (target, key): unknown => {
          const value: unknown = Reflect.get(key in changed ? changed : target, key);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
    };
  };
}

async function failedRules(openerFor: () => Promise<OpenIndex>): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of contentIndexRules) {
    await run(await openerFor()).catch(() => failed.push(name));
  }
  return failed;
}

describe("the conformance suite", () => {
  it("fails an adapter that ignores a filter, once for each leg", async () => {
    const failed = await failedRules(
      broken((index) => ({
        recall: (filter, legs) => index.recall({ ...filter, sourcesExcluded: new Set() }, legs),
      })),
    );
    expect(failed).toHaveLength(6);
    expect(failed.every((name) => name.includes("sourcesExcluded"))).toBe(true);
  });

  it("fails an adapter that applies stale offsets", async () => {
    let offset = 0;
    const failed = await failedRules(
      broken((index) => ({
        apply: (changes, positions) =>
          index.apply(
            changes.map((change) => ({ ...change, offset: offset++ })),
            positions,
          ),
      })),
    );
    expect(failed).toContain("ignores a change whose offset is not above the stored one");
    expect(failed).toContain("remembers the offset of a withdrawal, also of an article never seen");
  });

  it("fails an adapter that loses its positions", async () => {
    const failed = await failedRules(broken(() => ({ positions: async () => new Map() })));
    expect(failed).toContain("keeps positions, each partition at what was stored last");
  });
});

describe("the embedded content index", () => {
  it("shows a change to every opening of the directory in the same thread at once", async () => {
    const directory = join(root, "same-thread");
    await using writer = await openEmbeddedContentIndex(options(directory));
    await using reader = await openEmbeddedContentIndex({ ...options(directory), writer: false });
    const before = reader.generation();
    await writer.apply([put(articleOf("a"), 1)], new Map());
    expect(await freshIds(reader)).toEqual(["a"]);
    expect(reader.generation()).not.toBe(before);
  });

  it("has every article when it is opened, of more than it loads at a time", async () => {
    const directory = join(root, "in-parts");
    const articles = Array.from({ length: 2_001 }, (_, at) =>
      articleOf(`id-${at}`, { publishedAtMs: 1_000 * at }),
    );
    {
      await using writer = await openEmbeddedContentIndex(options(directory));
      const changes = articles.map((article, offset) => put(article, offset));
      await writer.apply(changes, new Map());
    }
    await using reader = await openEmbeddedContentIndex({ ...options(directory), writer: false });
    expect((await reader.stats()).articles).toBe(2_001);
    expect(await freshIds(reader, 2)).toEqual(["id-2000", "id-1999"]);
  });

  it("answers the same where it is loaded only when asked, and shows later changes there too", async () => {
    const directory = join(root, "loaded-late");
    await using writer = await openEmbeddedContentIndex(options(directory));
    const late = { ...options(directory), writer: false, loadsWhenAsked: true };
    await using reader = await openEmbeddedContentIndex(late);
    await writer.apply([put(articleOf("a"), 1)], new Map());
    expect(await freshIds(reader)).toEqual(["a"]);
    await writer.apply([put(articleOf("b"), 2)], new Map());
    expect((await freshIds(reader)).toSorted()).toEqual(["a", "b"]);
  });

  it("goes on answering in one opening when another is closed", async () => {
    const directory = join(root, "one-closed");
    const first = await openEmbeddedContentIndex(options(directory));
    await using second = await openEmbeddedContentIndex(options(directory));
    await first[Symbol.asyncDispose]();
    await second.apply([put(articleOf("a"), 1)], new Map());
    expect(await freshIds(second)).toEqual(["a"]);
  });

  it("refuses changes where it was opened for reading", async () => {
    const directory = join(root, "reader");
    await using reader = await openEmbeddedContentIndex({ ...options(directory), writer: false });
    await expect(reader.apply([], new Map())).rejects.toThrow(ContentRejected);
  });

  it("keeps the indexes of two models apart in one directory", async () => {
    const directory = join(root, "two-models");
    await using first = await openEmbeddedContentIndex(options(directory));
    await first.apply([put(articleOf("a"), 1)], new Map([[0, 2]]));
    await using second = await openEmbeddedContentIndex({
      ...options(directory),
      model: "other/2-8",
    });
    expect(await second.positions()).toEqual(new Map());
    expect(await freshIds(second)).toEqual([]);
  });

  it("refuses a model opened with other dimensions than it is open with or was stored with", async () => {
    const directory = join(root, "dimensions");
    const index = await openEmbeddedContentIndex(options(directory));
    const other = { ...options(directory), dimensions: 16 };
    await expect(openEmbeddedContentIndex(other)).rejects.toThrow(ContentRejected);
    await index[Symbol.asyncDispose]();
    await expect(openEmbeddedContentIndex(other)).rejects.toThrow(ContentRejected);
  });

  it("says in one line that a directory can't be used", async () => {
    const file = join(root, "a-file");
    await writeFile(file, "");
    const opened = openEmbeddedContentIndex(options(file));
    await expect(opened).rejects.toThrow(ContentIndexUnavailable);
    await expect(opened).rejects.toThrow(/^can't open [^\n]+$/);
  });

  it("answers the same after hundreds of single changes as after loading them at once", async () => {
    const directory = join(root, "orders");
    const ask = (index: ContentIndex): Promise<string[]> => freshIds(index, 500);
    let grown: string[];
    {
      await using index = await openEmbeddedContentIndex(options(directory));
      for (let i = 0; i < 200; i++) {
        const publishedAtMs = 1_000 * ((i * 7_919) % 101);
        const article = articleOf(`id-${i % 150}`, { publishedAtMs });
        await index.apply(
          [i % 11 === 0 ? withdraw(`id-${i % 150}`, i) : put(article, i)],
          new Map(),
        );
      }
      grown = await ask(index);
    }
    await using index = await openEmbeddedContentIndex(options(directory));
    expect(await ask(index)).toEqual(grown);
  });

  it("shows a change made by another thread within a second", async () => {
    const directory = join(root, "threads");
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    await using reader = await openEmbeddedContentIndex({ ...options(directory), writer: false });
    const worker = new Worker(new URL("./embedded/writer.fixture.ts", import.meta.url), {
      workerData: options(directory),
    });
    await new Promise((resolve, reject) => worker.once("exit", resolve).once("error", reject));
    expect(await freshIds(reader)).toEqual([]);
    vi.advanceTimersByTime(1_000);
    expect(await freshIds(reader)).toEqual(["written"]);
  });
});

async function freshIds(index: ContentIndex, limit = 10): Promise<string[]> {
  return idsOf(await index.recall(filterOf(), [{ kind: "fresh", language: null, limit }]));
}

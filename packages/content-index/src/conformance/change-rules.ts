import { expect } from "vitest";
import type { ContentIndex } from "../port.ts";
import { ARTICLE_IDS_MAX, ContentIndexUnavailable, ContentRejected } from "../port.ts";
import {
  articleOf,
  CONFORMANCE_DIMENSIONS,
  CONFORMANCE_MODEL,
  contentIds,
  filterOf,
  idsOf,
  NOW_MS,
  put,
  vectorAt,
  withdraw,
} from "./articles.ts";
import { NO_POSITIONS, rule } from "./rule.ts";
import type { Rule } from "./rule.ts";

export const changeRules: readonly Rule[] = [
  rule("replaces an article by its later revision everywhere", async (index) => {
    await index.apply(
      [put(articleOf("a", { vector: vectorAt(90) }), 1), put(articleOf("b"), 2)],
      NO_POSITIONS,
    );
    const revised = articleOf("a", {
      revision: 2,
      title: "Revised",
      publishedAtMs: NOW_MS,
      language: "en",
    });
    await index.apply([put(revised, 3)], NO_POSITIONS);
    expect(await titles(index, "a")).toEqual(["Revised"]);
    expect(await freshIds(index)).toEqual(["a", "b"]);
    expect(await freshIds(index, "ja")).toEqual(["b"]);
    expect([...((await index.vectors(contentIds("a"))).get(contentIds("a")[0]!) ?? [])]).toEqual([
      ...vectorAt(0),
    ]);
    expect((await index.stats()).articles).toBe(2);
  }),
  rule("ignores a change whose offset is not above the stored one", async (index) => {
    await index.apply([put(articleOf("a", { title: "Current" }), 5)], NO_POSITIONS);
    await index.apply([put(articleOf("a", { title: "Repeat" }), 5)], NO_POSITIONS);
    await index.apply([put(articleOf("a", { title: "Stale" }), 4), withdraw("a", 3)], NO_POSITIONS);
    expect(await titles(index, "a")).toEqual(["Current"]);
    expect((await index.body(contentIds("a")[0]!))?.markdown).toBe("The body of a begins.\n");
  }),
  rule("gives the same answers when a batch is applied twice", async (index) => {
    const batch = [put(articleOf("a"), 1), put(articleOf("b"), 2), withdraw("a", 3)];
    await index.apply(batch, new Map([[0, 4]]));
    const generation = index.generation();
    await index.apply(batch, new Map([[0, 4]]));
    expect(await freshIds(index)).toEqual(["b"]);
    expect(index.generation()).toBe(generation);
  }),
  rule("applies changes of one batch in order", async (index) => {
    const batch = [
      put(articleOf("a"), 1),
      withdraw("a", 2),
      put(articleOf("a", { title: "Back" }), 3),
    ];
    await index.apply(batch, NO_POSITIONS);
    expect(await titles(index, "a")).toEqual(["Back"]);
    expect(await freshIds(index)).toEqual(["a"]);
  }),
  rule("forgets a withdrawn article but for its vector", async (index) => {
    await index.apply([put(articleOf("a", { vector: vectorAt(30) }), 1)], NO_POSITIONS);
    await index.apply([withdraw("a", 2)], NO_POSITIONS);
    expect(await freshIds(index)).toEqual([]);
    expect(await index.articles(contentIds("a"))).toEqual([]);
    expect(await index.body(contentIds("a")[0]!)).toBeUndefined();
    expect((await index.stats()).articles).toBe(0);
    const held = (await index.vectors(contentIds("a"))).get(contentIds("a")[0]!) ?? vectorAt(30);
    expect([...held]).toEqual([...vectorAt(30)]);
  }),
  rule("remembers the offset of a withdrawal, also of an article never seen", async (index) => {
    await index.apply([withdraw("a", 5)], NO_POSITIONS);
    await index.apply([put(articleOf("a"), 4)], NO_POSITIONS);
    expect(await freshIds(index)).toEqual([]);
    await index.apply([put(articleOf("a"), 6)], NO_POSITIONS);
    expect(await freshIds(index)).toEqual(["a"]);
  }),
  rule(
    "refuses vectors of another model, size or length and applies nothing of that call",
    async (index) => {
      const article = articleOf("bad");
      const refused = [
        { ...article, embedding: { ...article.embedding, model: "another-1-8" } },
        articleOf("bad", { vector: new Float32Array(CONFORMANCE_DIMENSIONS + 1) }),
        articleOf("bad", { vector: new Float32Array(CONFORMANCE_DIMENSIONS) }),
      ];
      for (const bad of refused) {
        const applied = index.apply([put(articleOf("good"), 1), put(bad, 2)], new Map([[0, 3]]));
        await expect(applied).rejects.toThrow(ContentRejected);
      }
      expect((await index.stats()).articles).toBe(0);
      expect(await index.positions()).toEqual(new Map());
    },
  ),
  rule("keeps positions, each partition at what was stored last", async (index) => {
    expect(await index.positions()).toEqual(new Map());
    await index.apply(
      [],
      new Map([
        [0, 5],
        [3, 7],
      ]),
    );
    await index.apply([put(articleOf("a"), 6)], new Map([[0, 9]]));
    expect(await index.positions()).toEqual(
      new Map([
        [0, 9],
        [3, 7],
      ]),
    );
  }),
  rule(
    "returns articles in the order asked without those it lacks, and refuses too many",
    async (index) => {
      await index.apply([put(articleOf("a")), put(articleOf("b"))], NO_POSITIONS);
      expect(await titles(index, "b", "unknown", "a")).toEqual(["Title of b", "Title of a"]);
      const tooMany = Array.from(
        { length: ARTICLE_IDS_MAX + 1 },
        (_, i) => contentIds(`id-${i}`)[0]!,
      );
      await expect(index.articles(tooMany)).rejects.toThrow(ContentRejected);
      expect(await index.vectors(contentIds("unknown"))).toEqual(new Map());
    },
  ),
  rule("returns bodies in both formats", async (index) => {
    await index.apply(
      [put(articleOf("a", { bodyHtml: "<p>本文</p>", bodyMarkdown: "本文\n" }))],
      NO_POSITIONS,
    );
    expect(await index.body(contentIds("a")[0]!)).toEqual({
      html: "<p>本文</p>",
      markdown: "本文\n",
    });
    expect(await index.body(contentIds("unknown")[0]!)).toBeUndefined();
  }),
  rule("moves its generation with every change that is visible", async (index) => {
    const seen = [index.generation()];
    await index.apply([put(articleOf("a"), 1)], NO_POSITIONS);
    seen.push(index.generation());
    await index.apply([withdraw("a", 2)], NO_POSITIONS);
    seen.push(index.generation());
    expect(new Set(seen).size).toBe(3);
    await index.apply([], new Map([[0, 3]]));
    expect(index.generation()).toBe(seen[2]);
  }),
  rule("tells its model, dimensions and number of articles", async (index) => {
    await index.apply([put(articleOf("a")), put(articleOf("b"))], NO_POSITIONS);
    const dimensions = CONFORMANCE_DIMENSIONS;
    expect(await index.stats()).toEqual({ articles: 2, model: CONFORMANCE_MODEL, dimensions });
  }),
  {
    name: "has everything again when it is opened anew",
    run: async (open) => {
      {
        await using index = await open("kept");
        const batch = [put(articleOf("a", { vector: vectorAt(20) }), 1), put(articleOf("b"), 2)];
        await index.apply([...batch, put(articleOf("gone"), 3)], new Map([[2, 4]]));
        await index.apply(
          [withdraw("gone", 4), put(articleOf("b", { title: "Revised" }), 5)],
          new Map([[2, 6]]),
        );
      }
      await using index = await open("kept");
      expect(await index.positions()).toEqual(new Map([[2, 6]]));
      expect(await freshIds(index)).toEqual(["a", "b"]);
      expect(await titles(index, "a", "b", "gone")).toEqual(["Title of a", "Revised"]);
      const legs = [{ kind: "nearest", vector: vectorAt(20), limit: 1 }] as const;
      expect(idsOf(await index.recall(filterOf(), legs))).toEqual(["a"]);
      await index.apply([put(articleOf("gone"), 4)], NO_POSITIONS);
      expect((await index.stats()).articles).toBe(2);
    },
  },
  {
    name: "rejects every call after it is closed, and may be closed twice",
    run: async (open) => {
      const index = await open("closed");
      await index[Symbol.asyncDispose]();
      await index[Symbol.asyncDispose]();
      const [id] = contentIds("a");
      const calls = [
        () => index.apply([], NO_POSITIONS),
        () => index.positions(),
        () => index.recall(filterOf(), []),
        () => index.articles([]),
        () => index.vectors([]),
        () => index.body(id!),
        () => index.stats(),
      ];
      for (const call of calls) await expect(call()).rejects.toThrow(ContentIndexUnavailable);
    },
  },
];

async function titles(index: ContentIndex, ...ids: string[]): Promise<string[]> {
  return (await index.articles(contentIds(...ids))).map(({ title }) => title);
}

async function freshIds(index: ContentIndex, language: string | null = null): Promise<string[]> {
  return idsOf(await index.recall(filterOf(), [{ kind: "fresh", language, limit: 10 }]));
}

import type { Article } from "@feed/domain/article";
import { asId } from "@feed/domain/ids";
import type { SourceId } from "@feed/domain/ids";
import { buildSource } from "@feed/test-kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { publishArticles, withdrawArticle } from "../ingest/publish-articles.ts";
import { fingerprintOfArticle } from "../ingest/prepare-article.ts";
import { importArticles } from "../import/import-articles.ts";
import { openInstallation } from "../installation.fixture.ts";
import type { Installation } from "../installation.fixture.ts";
import { reanalyseArticles } from "./reanalyse-articles.ts";
import type { ReanalyseOptions } from "./reanalyse-articles.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 9);
const { signal } = new AbortController();
const MATCH = "渋谷駅前でサッカー日本代表が優勝パレードを行った。監督は試合を振り返った。";
let installation: Installation;

beforeEach(async () => {
  installation = await openInstallation(NOW_MS);
  const lines = ["a", "b"].map((name) =>
    JSON.stringify({
      source_id: name,
      url: `https://publisher.example/${name}`,
      title: `サッカー日本代表が優勝 ${name}`,
      body_html: `<p>${MATCH.repeat(4)}</p><ul><li>${MATCH}</li></ul>`,
      published_at: "2026-11-20T09:00:00+09:00",
      category: "soccer",
    }),
  );
  await importArticles(lines, {
    ...installation.deps,
    directory: { source: () => buildSource(), change: () => Promise.resolve() },
    createSources: false,
    actor: "test",
    storePictures: undefined,
    onProgress: () => undefined,
    onProblem: ({ problem }) => expect.fail(problem),
    signal,
  });
});
afterEach(() => installation[Symbol.asyncDispose]());

const reanalyse = (parts: Partial<ReanalyseOptions> = {}) =>
  reanalyseArticles({ ...installation.deps, onProgress: () => undefined, signal, ...parts });
const articleOf = async (sourceId: string): Promise<Article> => {
  const found = (await installation.articles()).find((one) => one.sourceId === sourceId);
  return found ?? expect.fail(`no article of ${sourceId}`);
};

/** As an older version of the analysers would have left it. */
async function spoil(sourceId: string): Promise<Article> {
  const { embedding: _embedding, ...article } = await articleOf(sourceId);
  const spoilt = {
    ...article,
    revision: article.revision + 1,
    areas: [],
    quality: 0,
    summary: "Old.",
    bodyMarkdown: "Old.",
    analysedBy: { ...article.analysedBy, areas: "areas-0", markdown: "markdown-0" },
  };
  const fingerprint = fingerprintOfArticle(spoilt);
  await publishArticles([{ article: spoilt, text: "", fingerprint }], installation.deps);
  return articleOf(sourceId);
}

describe("articles analysed again", () => {
  it("stay as they are where nothing comes out otherwise", async () => {
    const before = await installation.facts();
    expect(await reanalyse()).toEqual({ articles: 2, revised: 0, failed: 0 });
    expect(await installation.facts()).toEqual(before);
  });

  it("get a revision with everything derived anew, once", async () => {
    const [first, other] = [await articleOf("a"), await articleOf("b")];
    await spoil("a");
    expect(await reanalyse()).toEqual({ articles: 2, revised: 1, failed: 0 });
    expect(await articleOf("a")).toEqual({ ...first, revision: 3 });
    expect(await articleOf("b")).toEqual(other);
    expect(await reanalyse()).toMatchObject({ revised: 0 });
  });

  it("of one source alone, when asked so", async () => {
    await spoil("a");
    const spoilt = await spoil("b");
    const sourceId = asId<SourceId>("a");
    expect(await reanalyse({ sourceId })).toEqual({ articles: 1, revised: 1, failed: 0 });
    expect(await articleOf("b")).toEqual(spoilt);
  });

  it("are left alone when they are withdrawn", async () => {
    const { contentId, sourceId } = await spoil("a");
    await withdrawArticle(contentId, sourceId, installation.deps);
    expect(await reanalyse()).toEqual({ articles: 1, revised: 0, failed: 0 });
  });

  it("are left alone when the crawler revises them meanwhile", async () => {
    const { contentId } = await spoil("a");
    const { state, eventLog } = installation.deps;
    const known = state.article(contentId);
    const revise = (): Promise<void> =>
      known === undefined
        ? Promise.resolve()
        : state.saveArticles(new Map([[contentId, { ...known, revision: 9 }]]), new Map());
    const read: typeof eventLog.read = async (...place) => {
      const batch = await eventLog.read(...place);
      await revise();
      return batch;
    };
    const revised = { append: eventLog.append.bind(eventLog), read };
    const endOffsets = eventLog.endOffsets.bind(eventLog);
    expect(await reanalyse({ eventLog: { ...revised, endOffsets } })).toMatchObject({
      articles: 2,
      revised: 0,
    });
  });
});

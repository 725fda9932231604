import type { Article } from "@feed/domain/article";
import { openHashedEmbedder } from "@feed/embedder/hashed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FeedItem, FeedRequest } from "./index.ts";
import {
  analysed,
  corporaFolder,
  readHuffpost,
  readLivedoor,
  shiftedTo,
} from "./testing/corpora.fixture.ts";
import {
  NOW_MS,
  openInstallation,
  userId,
  type Installation,
} from "./testing/installation.fixture.ts";

const folder = corporaFolder();
if (folder === undefined) {
  process.stderr.write(
    "feed over real articles: left out, there are no corpora beside the checkout\n",
  );
}

const DIMENSIONS = 256;
const WINDOW_ITEMS = 20;
const SOURCE_CAP_ITEMS = 6;
const CATEGORY_CAP_ITEMS = 8;
/** Every second article, so that analysing them takes seconds. */
const SAMPLE_EVERY = 2;
const ARTICLES_PER_APPLY = 2_000;
/** Japanese publishers, each with a topic of its own: sports, gadgets, film, fashion, ... */
const PUBLISHERS = [
  "sports-watch",
  "kaden-channel",
  "movie-enter",
  "dokujo-tsushin",
  "it-life-hack",
  "livedoor-homme",
  "peachy",
  "smax",
  "topic-news",
  "huffpost-sports",
];
const USERS_PER_PUBLISHER = 2;
const CLICKS = 5;

let installation: Installation;
let articles: readonly Article[] = [];
const byId = new Map<string, Article>();

describe.skipIf(folder === undefined)("A feed over real articles in two languages (spec 1)", () => {
  beforeAll(async () => {
    await using embedder = await openHashedEmbedder({ dimensions: DIMENSIONS });
    const endMs = NOW_MS - 60_000;
    const corpora = [readLivedoor(folder ?? ""), readHuffpost(folder ?? "")].flatMap((corpus) =>
      shiftedTo(corpus, endMs).filter((_, at) => at % SAMPLE_EVERY === 0),
    );
    articles = await analysed(corpora, embedder);
    for (const article of articles) byId.set(article.contentId, article);
    installation = await openInstallation({ dimensions: DIMENSIONS });
    await installation.saveTenant();
    await installation.saveSources(...new Set(articles.map(({ sourceId }) => sourceId as string)));
    for (let from = 0; from < articles.length; from += ARTICLES_PER_APPLY) {
      await installation.publish(...articles.slice(from, from + ARTICLES_PER_APPLY));
    }
  });
  afterAll(() => installation?.[Symbol.asyncDispose]());

  const page = async (parts: Partial<FeedRequest> = {}) => {
    const answer = await installation.service.feed(installation.request(parts));
    if (answer.kind !== "page") throw new Error(answer.kind);
    return answer;
  };
  const walk = async (parts: Partial<FeedRequest>): Promise<FeedItem[]> => {
    const items: FeedItem[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const next = await page({ ...parts, limit: 100, ...(cursor && { cursor }) });
      items.push(...next.items);
      cursor = next.nextCursor;
    }
    return items;
  };
  const countOf = (items: readonly FeedItem[], publisher: string) =>
    items.filter(({ content: { source } }) => source.source_id === publisher).length;
  const languagesOf = (items: readonly FeedItem[]) =>
    items.map(({ content: { id } }) => byId.get(id)?.language);
  /** The most any value has in a run of WINDOW_ITEMS. */
  const greatestInWindow = (values: readonly (string | undefined)[]): number => {
    let greatest = 0;
    for (let from = 0; from + WINDOW_ITEMS <= values.length; from += 1) {
      const run = values.slice(from, from + WINDOW_ITEMS);
      for (const value of run) {
        greatest = Math.max(greatest, run.filter((other) => other === value).length);
      }
    }
    return greatest;
  };
  /** A user who clicks articles spread over a publisher's, other ones for each `variant`. */
  const userOf = async (publisher: string, variant: number) => {
    const own = articles.filter(({ sourceId }) => sourceId === publisher);
    const step = Math.floor(own.length / (CLICKS + 1));
    const clicked = Array.from({ length: CLICKS }, (_, at) => own[(at + 1) * step - variant * 7]);
    const user = userId(`${publisher}-${variant}`);
    for (const article of clicked) {
      if (article !== undefined)
        await installation.tell(user, { did: "click", content: article.contentId });
    }
    return { user, clicked: clicked.map((article) => article?.contentId) };
  };

  const readers = PUBLISHERS.flatMap((publisher) =>
    Array.from({ length: USERS_PER_PUBLISHER }, (_, variant) => ({ publisher, variant })),
  );

  it.each(readers)(
    "shows twice as much of a topic after five clicks, or as much as its cap allows: $publisher $variant",
    async ({ publisher, variant }) => {
      const anonymous = countOf((await page()).items, publisher);
      const { user, clicked } = await userOf(publisher, variant);
      const { items } = await page({ userId: user });
      const wanted = Math.min(SOURCE_CAP_ITEMS, Math.max(1, 2 * anonymous));
      expect(countOf(items, publisher)).toBeGreaterThanOrEqual(wanted);
      expect(items.some(({ content: { id } }) => clicked.includes(id))).toBe(false);
    },
  );

  it.each(readers.filter(({ variant }) => variant === 0))(
    "keeps every source and category within its cap in any 20 items: $publisher",
    async ({ publisher, variant }) => {
      const { user } = await userOf(publisher, variant);
      for (const items of [await walk({ userId: user }), await walk({})]) {
        const early = items.slice(0, 400);
        expect(early).toHaveLength(400);
        const sources = greatestInWindow(early.map(({ content: { source } }) => source.source_id));
        const categories = greatestInWindow(
          early.map(({ content: { id } }) => byId.get(id)?.category),
        );
        expect(sources).toBeLessThanOrEqual(SOURCE_CAP_ITEMS);
        expect(categories).toBeLessThanOrEqual(CATEGORY_CAP_ITEMS);
      }
    },
  );

  it.each(["ja", "en"])("gives a reader of one language their language: %s", async (language) => {
    const stated = userId(`speaks-${language}`);
    await installation.tell(stated, { properties: { language } });
    const { items } = await page({ userId: stated });
    expect(languagesOf(items).filter((one) => one === language).length).toBeGreaterThanOrEqual(18);
    const { user } = await userOf(language === "ja" ? "movie-enter" : "huffpost-politics", 3);
    const learnt = languagesOf((await page({ userId: user })).items);
    expect(learnt.filter((one) => one === language).length).toBeGreaterThanOrEqual(18);
  });

  it("never shows a blocked source nor a clicked article, however far one walks", async () => {
    const { user, clicked } = await userOf("sports-watch", 4);
    await installation.tell(user, { wants: "block", source: "sports-watch" });
    const items = await walk({ userId: user });
    expect(items.length).toBeGreaterThan(400);
    expect(countOf(items, "sports-watch")).toBe(0);
    await installation.tell(user, { wants: "unblock", source: "sports-watch" });
    const unblocked = await walk({ userId: user });
    expect(countOf(unblocked, "sports-watch")).toBeGreaterThan(0);
    expect(unblocked.some(({ content: { id } }) => clicked.includes(id))).toBe(false);
  });

  it("answers an interest stated in words with articles about it", async () => {
    const user = userId("states-interest");
    await installation.tell(user, { properties: { interests: ["サッカー 日本代表", "映画"] } });
    const { items } = await page({ userId: user });
    expect(countOf(items, "sports-watch") + countOf(items, "movie-enter")).toBeGreaterThan(6);
  });
});

import { writeFileSync } from "node:fs";
import { asId } from "@feed/domain/ids";
import type { ContentId, PictureId, SourceId } from "@feed/domain/ids";
import { temporaryDirectory } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { CrawlStateUnavailable } from "./crawl-state.ts";
import type { KnownArticle, KnownEntry, SourceCrawl } from "./crawl-state.ts";
import { openLmdbCrawlState } from "./lmdb-crawl-state.ts";

const SOURCE = asId<SourceId>("s".repeat(3_000));
const CONTENT = asId<ContentId>("content-1");
const crawl: SourceCrawl = {
  feedUrl: "https://publisher.example/feed",
  validators: { etag: '"1"' },
  nextDueMs: 1,
  recheckFromMs: 2,
  failuresInRow: 0,
  faults: [{ code: "bad-status", status: 500, atMs: 1, url: "https://publisher.example/feed" }],
  outcomes: [true, false],
};
const entry: KnownEntry = {
  fingerprint: "f",
  pageValidators: {},
  checkedAtMs: 1,
  missing: 0,
};
const article: KnownArticle = {
  revision: 1,
  fingerprint: "f",
  publishedAtMs: 1,
  duplicateGroup: "g",
  withdrawn: false,
};

describe("the crawl state", () => {
  it("knows after a restart what it was told, whatever the length of ids and addresses", async () => {
    await using directory = await temporaryDirectory();
    const url = `https://publisher.example/${"a".repeat(2_000)}`;
    const picture = {
      picture: { id: asId<PictureId>("p"), width: 1, height: 2 },
      fetchedAtMs: 3,
    };
    {
      await using state = openLmdbCrawlState(directory.path);
      await state.saveSource(SOURCE, crawl);
      await state.saveEntry(CONTENT, entry);
      await state.saveArticles(new Map([[CONTENT, article]]), new Map([["key", CONTENT]]));
      await state.savePicture(url, picture);
      await state.saveLogOffsets(new Map([[3, 7]]));
    }
    await using state = openLmdbCrawlState(directory.path);
    expect(state.source(SOURCE)).toEqual(crawl);
    expect(state.entry(CONTENT)).toEqual(entry);
    expect(state.article(CONTENT)).toEqual(article);
    expect(state.picture(url)).toEqual(picture);
    expect(state.logOffsets()).toEqual(new Map([[3, 7]]));
  });

  it("knows nothing of what it was not told", async () => {
    await using directory = await temporaryDirectory();
    await using state = openLmdbCrawlState(directory.path);
    expect(state.source(SOURCE)).toBeUndefined();
    expect(state.article(CONTENT)).toBeUndefined();
    expect(state.logOffsets()).toEqual(new Map());
  });

  it("says in one error that its directory can't be used", async () => {
    await using directory = await temporaryDirectory();
    writeFileSync(`${directory.path}/file`, "");
    expect(() => openLmdbCrawlState(`${directory.path}/file`)).toThrow(CrawlStateUnavailable);
  });
});

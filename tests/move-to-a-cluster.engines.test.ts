import { randomUUID } from "node:crypto";
import { temporaryDirectory, waitFor } from "@feed/test-kit";
import type { HttpSite } from "@feed/test-kit/http-site";
import {
  runFeedctl,
  startFeedctl,
  startService,
  type ExitedProcess,
} from "@feed/test-kit/service-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerTo } from "./answer-to.ts";
import { clientOf } from "./faults/client.ts";
import { serveIllustratedArticle } from "./illustrated-site.ts";
import { bucketOf, enginesOf, removeBucket, removeTopicsAndIndexes } from "./outside-engines.ts";
import { administratorOf, importArticles, makeTenant } from "./tenant-and-articles.ts";

/**
 * An embedded installation is moved into the real engines with `feedctl log copy`, and there its read models are rebuilt
 * under traffic with `feedctl rebuild`. Method: one installation for all sentences, in their order.
 */
const IMPORTED = 40;
/** With the one that is crawled, which has a picture. */
const ARTICLES = IMPORTED + 1;
const READERS = ["reader-1", "reader-2", "reader-3"];
const CLICKS_PER_READER = 4;
const PATIENCE = { timeoutMs: 180_000 };
const TEST_TIMEOUT_MS = 600_000;

const run = `m${randomUUID().slice(0, 8)}`;
const ADMIN_TOKEN = "admin-token-of-the-test";
const engines = { ...enginesOf(run), OBJECT_STORE: bucketOf(run) };
const environment = { ...engines, ADMIN_TOKEN };
/** The engines that tests are told of are none of the embedded installation's. */
const embedded = {
  ADMIN_TOKEN,
  ...Object.fromEntries(Object.keys(engines).map((variable) => [variable, ""])),
};
const target = ["--to", engines.EVENT_LOG, "--schema-registry", engines.SCHEMA_REGISTRY];

const opened = new AsyncDisposableStack();
let directory = "";
let base = "";
let key = "";
/** What readers were shown before the move. */
let before: readonly unknown[] = [];
/** Path of a picture that was served before the move. */
let picturePath = "";

interface CopyResult {
  readonly copied: number;
  readonly objects: { readonly copied: number };
}

/** Repeated while it is 503: where a change is accepted and not yet visible, or an engine is slow. */
const api = (path: string, init: { readonly method?: string; readonly body?: string } = {}) =>
  answerTo(() =>
    fetch(`${base}${path}`, {
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...init,
    }),
  );
const feedctl = (...flags: readonly string[]): Promise<ExitedProcess> =>
  runFeedctl([...flags, "--data", directory], { environment: embedded });
/** Told of the engines of the target by flags, but for the store of objects. */
const copy = (): Promise<ExitedProcess> =>
  runFeedctl(["log", "copy", ...target, "--json", "--data", directory], {
    environment: { ...embedded, OBJECT_STORE: engines.OBJECT_STORE },
  });
const feedctlThere = (...flags: string[]): Promise<ExitedProcess> =>
  runFeedctl([...flags, "--data", directory], { environment });
const start = async (role: string) => {
  const flags = [role, "--port", "0", "--data", directory];
  return opened.use(await startFeedctl(flags, { environment }));
};

async function feedIds(userId: string): Promise<readonly string[]> {
  const answer = await api(`/v1/feed?user_id=${userId}&limit=100`);
  if (answer.status !== 200) return [];
  const { data } = (await answer.json()) as { data: { id: string }[] };
  return data.map(({ id }) => id);
}

/** Has an article crawled whose picture is then served; as AVIF, so that no other conversion of it is there. */
async function crawlPicture(site: HttpSite): Promise<void> {
  const source = { address: `${site.origin}/feed` };
  await administratorOf(base, ADMIN_TOKEN)("POST", "/sources", source);
  const feed = async () =>
    (await (await api("/v1/feed?limit=1")).json()) as { data: { thumbnail: { url: string } }[] };
  await waitFor(async () => {
    const [item] = (await feed()).data;
    if (item !== undefined) picturePath = new URL(item.thumbnail.url).pathname;
    return item !== undefined;
  }, PATIENCE);
  expect(picturePath).toMatch(/^\/pictures\/[^/]+\/thumbnail\//);
  expect((await pictureAs("image/avif")).status).toBe(200);
}

function pictureAs(accept: string): Promise<Response> {
  return answerTo(() => fetch(`${base}${picturePath}`, { headers: { accept } }));
}

/** A reader's articles, whatever order exploration gives them, and what is known of the reader. */
async function shownTo(userId: string): Promise<unknown> {
  const { data } = (await (await api(`/v1/users/${userId}`)).json()) as { data: unknown };
  return { feed: (await feedIds(userId)).toSorted(), user: data };
}

async function change(userId: string, properties: object): Promise<number> {
  const body = JSON.stringify({ properties });
  return statusOf(await api(`/v1/users/${userId}`, { method: "PUT", body }));
}

async function statusOf(answer: Response): Promise<number> {
  await answer.arrayBuffer();
  return answer.status;
}

async function propertiesOf(userId: string): Promise<unknown> {
  const answer = (await (await api(`/v1/users/${userId}`)).json()) as {
    readonly data?: { readonly properties: unknown };
  };
  return answer.data?.properties;
}

async function click(userId: string, contentId: string): Promise<void> {
  const of = { user_id: userId, session_id: `${userId}-${contentId}` };
  const events = [
    { type: "session_start", ...of },
    { type: "click", ...of, content_id: contentId },
  ];
  await clientOf(base, key).recordEvents(events);
}

/** The embedded installation: its articles, what readers clicked, and what they are shown then. */
async function runEmbedded(): Promise<void> {
  directory = opened.use(await temporaryDirectory()).path;
  await using site = await serveIllustratedArticle();
  const environmentHere = { ...embedded, OWN_ORIGINS: site.origin };
  const options = { dataDirectory: directory, environment: environmentHere };
  const service = opened.use(await startService(options));
  base = service.baseUrl;
  key = await makeTenant(administratorOf(base, ADMIN_TOKEN));
  await crawlPicture(site);
  await importArticles(feedctl, { directory, count: IMPORTED });
  await waitFor(async () => (await feedIds("nobody")).length === ARTICLES, PATIENCE);
  const all = await feedIds("nobody");
  for (const [at, reader] of READERS.entries())
    for (const contentId of all.slice(at, at + CLICKS_PER_READER)) await click(reader, contentId);
  const isRead = async (reader: string) =>
    (await feedIds(reader)).length === ARTICLES - CLICKS_PER_READER;
  for (const reader of READERS) await waitFor(() => isRead(reader), PATIENCE);
  before = await Promise.all(READERS.map(shownTo));
  expect(await feedctl("log", "copy", ...target)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("is in use by process") as string,
  });
  expect(await service.stop("SIGTERM")).toMatchObject({ code: 0 });
}

beforeAll(runEmbedded, TEST_TIMEOUT_MS);

afterAll(async () => {
  await opened.disposeAsync();
  await removeTopicsAndIndexes(run);
  await removeBucket(engines.OBJECT_STORE);
});

describe("An embedded installation", { timeout: TEST_TIMEOUT_MS }, () => {
  it("is copied into Kafka, every partition checked, and a second call has nothing left to do", async () => {
    const copied = await copy();
    expect(copied).toMatchObject({ code: 0 });
    const result = JSON.parse(copied.stdout) as CopyResult;
    expect(result).toMatchObject({ agrees: true, objects: { already_there: 0, differing: 0 } });
    expect(result.copied).toBeGreaterThan(ARTICLES);
    // The picture as it was fetched, and as it was converted.
    expect(result.objects.copied).toBeGreaterThanOrEqual(2);
    expect(copied.stderr).toMatch(/100 % \d+\/\d+ records, \d+\/s/);
    expect(copied.stderr).toMatch(/100 % (\d+)\/\1 objects, \d+\/s/);
    const again = await copy();
    const objects = { copied: 0, copied_bytes: 0, already_there: result.objects.copied };
    expect(JSON.parse(again.stdout)).toMatchObject({ copied: 0, agrees: true, objects });
  });

  it("is not copied over the log of another", async () => {
    await using other = await temporaryDirectory();
    const service = await startService({
      dataDirectory: other.path,
      environment: embedded,
    });
    await makeTenant(administratorOf(service.baseUrl, ADMIN_TOKEN));
    await service.stop("SIGTERM");
    const flags = ["log", "copy", ...target, "--data", other.path];
    const refused = await runFeedctl(flags, { environment: embedded });
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toMatch(/holds other data at 0|the target is in use/);
    const untouched = await feedctl("log", "copy", ...target, "--json");
    expect(JSON.parse(untouched.stdout)).toMatchObject({ copied: 0, agrees: true, objects: null });
  });

  it("shows its readers the same on the engines, once the roles are started there", async () => {
    await start("projector");
    await start("projector");
    base = (await start("api")).listening;
    let seen: readonly unknown[] = [];
    await waitFor(async () => {
      seen = await Promise.all(READERS.map(shownTo));
      return JSON.stringify(seen) === JSON.stringify(before);
    }, PATIENCE).catch(() => undefined);
    expect(seen).toEqual(before);
  });
});

describe("A picture of an installation that was moved", { timeout: TEST_TIMEOUT_MS }, () => {
  it("is served under its address, from what was copied into the bucket", async () => {
    const converted = await pictureAs("image/avif");
    const fetched = await pictureAs("image/webp");
    expect([converted.status, fetched.status]).toEqual([200, 200]);
    expect(fetched.headers.get("content-type")).toBe("image/webp");
  });

  it("can be brought also after the log there has been written to, which is refused", async () => {
    await removeBucket(engines.OBJECT_STORE);
    const refused = await copy();
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toMatch(/100 % (\d+)\/\1 objects/);
    expect(refused.stderr).toContain("the target is in use");
    expect((await pictureAs("image/avif")).status).toBe(200);
  });
});

describe("A read model on the engines", { timeout: TEST_TIMEOUT_MS }, () => {
  it.each(["read-state", "content-index", "activity-store"])(
    "is rebuilt, switched to and back, and dropped, while no request is lost: %s",
    async (readModel) => {
      const stopping = new AbortController();
      const statuses: number[] = [];
      const asking = READERS.map(async (reader, at) => {
        for (let n = 0; !stopping.signal.aborted; n += 1) {
          statuses.push(await statusOf(await api(`/v1/feed?user_id=${reader}&limit=20`)));
          const properties = { language: n % 2 === 0 ? "en" : "ja" };
          statuses.push(await change(`writer-${at}`, properties));
          expect(await propertiesOf(`writer-${at}`)).toEqual(properties);
        }
      });
      try {
        const rebuilt = await feedctlThere("rebuild", readModel, "--json");
        expect([rebuilt.code, rebuilt.stderr]).toEqual([0, expect.any(String)]);
        expect(rebuilt.stderr).toMatch(/100 % \d+\/\d+ records, \d+\/s/);
        expect(JSON.parse(rebuilt.stdout)).toMatchObject({
          live_version: 2,
          previous_version: 1,
          report: { agrees: true, differing_samples: 0 },
        });
        const back = await feedctlThere("rebuild", readModel, "--roll-back", "--json");
        expect(JSON.parse(back.stdout)).toMatchObject({ live_version: 1, previous_version: 2 });
        const dropped = await feedctlThere("rebuild", readModel, "--drop-previous", "--json");
        expect(JSON.parse(dropped.stdout)).toMatchObject({ live_version: 1, kept_versions: [1] });
      } finally {
        stopping.abort();
      }
      await Promise.all(asking);
      expect(new Set(statuses.filter((status) => status >= 300))).toEqual(new Set());
      expect(statuses.length).toBeGreaterThan(READERS.length);
    },
  );
});

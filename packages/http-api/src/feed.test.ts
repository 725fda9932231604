import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CATEGORIES } from "@feed/domain/article";
import { asId } from "@feed/domain/ids";
import type { ContentId, SourceId } from "@feed/domain/ids";
import type { FactCodec } from "@feed/event-codec";
import { LogUnavailable } from "@feed/event-log";
import type { NewRecord } from "@feed/event-log";
import { presentContentItem } from "./contents.route.ts";
import { buildArticle, manualClock, waitFor } from "@feed/test-kit";
import type { ContentAnswer, FeedAnswer, UsageAnswer } from "./openapi.generated.ts";
import { call } from "./testing/client.ts";
import { openFeedInstallation } from "./testing/feed.ts";
import { ADMIN_TOKEN } from "./testing/installation.ts";
import { withMethods } from "@feed/test-kit/with-methods";
import type { Installation } from "./testing/installation.ts";

const ARTICLES = Array.from({ length: 60 }, (_, index) =>
  buildArticle({
    contentId: asId<ContentId>(`c-${index}`),
    sourceId: asId<SourceId>(`source-${1 + (index % 2)}`),
    category: CATEGORIES[index % CATEGORIES.length]!,
    publishedAtMs: Date.now() - (index + 1) * 60_000,
  }),
);

let installation: Installation;
let logIsAway = false;
const appended: NewRecord[] = [];
beforeAll(async () => {
  installation = await openFeedInstallation(ARTICLES, {
    activityStore: {
      listUsers: () => Promise.resolve({ subjectIds: [] }),
      usageByDay: () => Promise.resolve([]),
    },
    change: (deps) => {
      const eventLog = withMethods(deps.eventLog, {
        append: (records) => {
          if (logIsAway) return Promise.reject(new LogUnavailable("away"));
          appended.push(...records);
          return deps.eventLog.append(records);
        },
      });
      // It stands: what is used is that of one month, also at its end.
      return { ...deps, eventLog, clock: manualClock(deps.clock.nowMs()) };
    },
  });
});
afterAll(() => installation[Symbol.asyncDispose]());

const get = (path: string, key?: string) =>
  call(installation, "GET", path, { ...(key !== undefined && { key }) });
const feed = async (query = "") => (await get(`/v1/feed${query}`)).json as FeedAnswer;
const usedCredits = async (key?: string) =>
  ((await get("/v1/usage", key)).json as UsageAnswer).data.used_credits;

describe("spec 4.1: GET /v1/feed", () => {
  it("answers 20 items and costs 1.0 credit", async () => {
    const before = await usedCredits();
    const answer = await get("/v1/feed");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-credits-used")).toBe("1.0");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const { data, meta } = answer.json as FeedAnswer;
    expect(data).toHaveLength(20);
    expect(meta.resolved_areas).toEqual({ level: null, from: null, matched: [], skipped: [] });
    expect(await usedCredits()).toBeCloseTo(before + 1, 5);
  });

  it("charges each request, also when a caller repeats its X-Request-Id", async () => {
    const headers = { "X-Request-Id": "always-the-same" };
    const before = appended.length;
    await call(installation, "GET", "/v1/feed?limit=1", { headers });
    await call(installation, "GET", "/v1/feed?limit=1", { headers });
    const codec = installation.deps.codec as FactCodec;
    const requestIds = appended.slice(before).map(({ value }) => {
      const fact = value === null ? undefined : codec.decode(value);
      return fact?.type === "feed.delivered" ? fact.requestId : undefined;
    });
    // The ledger counts a request id once: it must not be the caller's to choose.
    expect(new Set(requestIds).size).toBe(2);
    expect(requestIds).not.toContain("always-the-same");
  });

  it("does not create the user it is asked for (rule 1)", async () => {
    expect((await get("/v1/feed?user_id=only-read")).status).toBe(200);
    expect((await get("/v1/users/only-read")).status).toBe(404);
  });

  it("walks to the last page without repeating or losing an item", async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const query: string = cursor === null ? "" : `&cursor=${cursor}`;
      const page: FeedAnswer = await feed(`?limit=${pages % 2 === 0 ? 25 : 7}${query}`);
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.meta.next_cursor;
      pages += 1;
    } while (cursor !== null && pages < 20);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(ARTICLES.length);
  });

  it("includes bodies where the tenant is licensed, in the format asked for (rule 6)", async () => {
    await call(installation, "PUT", "/admin/v1/tenants/two/licences/source-2", {
      key: ADMIN_TOKEN,
      body: { licence: "link" },
    });
    const query = "/v1/feed?include_body=true&body_format=html&limit=40";
    const { data } = (await get(query, installation.keys.two)).json as FeedAnswer;
    const sources = new Set(data.map(({ source }) => source.source_id));
    expect(sources).toEqual(new Set(["source-1", "source-2"]));
    for (const item of data) {
      const isLicensed = item.source.source_id === "source-1";
      expect(item.body_format).toBe(isLicensed ? "html" : undefined);
      expect(item.content_body?.startsWith("<p>") ?? false).toBe(isLicensed);
    }
    expect((await feed("?body_format=html")).data[0]?.content_body).toBeUndefined();
  });
});

describe("fault test 14: cursors are bound to tenant, scenario, user and filters", () => {
  it("is 400 invalid-cursor, free of charge, for any other use", async () => {
    const { meta } = await feed("?limit=5&user_id=walker");
    const cursor = meta.next_cursor ?? "";
    const flipped = `${cursor.slice(0, 30)}${cursor[30] === "A" ? "B" : "A"}${cursor.slice(31)}`;
    const before = await usedCredits();
    const answers = [
      await get(`/v1/feed?user_id=walker&cursor=${cursor}`, installation.keys.two),
      await get(`/v1/feed?cursor=${cursor}`),
      await get(`/v1/feed?user_id=other&cursor=${cursor}`),
      await get(`/v1/feed?user_id=walker&area_names=%E6%9D%B1%E4%BA%AC%E9%83%BD&cursor=${cursor}`),
      await get(`/v1/feed?user_id=walker&cursor=${flipped}`),
      await get("/v1/feed?user_id=walker&cursor=nonsense"),
      await get(`/v1/users?cursor=${cursor}`),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject({
        type: expect.stringMatching(/\/probs\/invalid-cursor$/),
        title: "Invalid Cursor",
      });
    }
    expect(answers[0]?.headers.get("x-credits-used")).toBe("0");
    expect(await usedCredits()).toBe(before);
    expect((await get(`/v1/feed?limit=9&user_id=walker&cursor=${cursor}`)).status).toBe(200);
  });
});

describe("spec 4.1 rules 2 to 4: areas", () => {
  const areas = async (query: string) => (await feed(`?limit=1&${query}`)).meta.resolved_areas;

  it("shows how names were resolved and which were skipped", async () => {
    const names = encodeURIComponent("東京都,どこにもない町");
    expect(await areas(`area_names=${names}`)).toMatchObject({
      level: "prefecture",
      from: "query",
      matched: [{ input: "東京都", name: "東京都", level: "prefecture", prefecture: "東京都" }],
      skipped: [{ input: "どこにもない町", reason: "unregistered" }],
    });
  });

  it("is 400 ambiguous-area with the candidates where a name means several levels", async () => {
    const name = encodeURIComponent("渋谷");
    const answer = await get(`/v1/feed?area_names=${name}`);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({
      type: expect.stringMatching(/\/probs\/ambiguous-area$/),
      candidates: [
        {
          input: "渋谷",
          areas: expect.arrayContaining([
            expect.objectContaining({ name: "渋谷区", level: "city" }),
            expect.objectContaining({ name: "渋谷駅", level: "station" }),
          ]),
        },
      ],
    });
    expect(await areas(`area_names=${name}&area_level=station`)).toMatchObject({
      level: "station",
      matched: [{ name: "渋谷駅" }],
    });
  });

  it("falls back to the profile's areas", async () => {
    const body = { properties: { area_names: ["渋谷"] } };
    await call(installation, "PUT", "/v1/users/resident", { body });
    expect(await areas("user_id=resident")).toMatchObject({ from: "profile", level: "station" });
  });
});

describe("spec 6.1 rule 3 and 2.5: what a user did shows in the next feed", () => {
  it("leaves a clicked and a disliked article out, and a blocked source from its 204 on", async () => {
    const page = await feed("?limit=100&user_id=reader");
    const [clicked, disliked] = page.data;
    const events = [
      { type: "click", user_id: "reader", tracking_token: clicked?.tracking_token },
      { type: "dislike", user_id: "reader", tracking_token: disliked?.tracking_token },
    ];
    const posted = await call(installation, "POST", "/v1/events", { body: { events } });
    expect(posted.status).toBe(202);
    const gone = [clicked?.id, disliked?.id];
    const ids = async () =>
      (await feed("?limit=100&user_id=reader")).data.map(({ id }) => id as string | undefined);
    await waitFor(async () => !(await ids()).some((id) => gone.includes(id)));
    await call(installation, "PUT", "/v1/users/reader/sources/source-1/block");
    const sources = (await feed("?limit=100&user_id=reader")).data.map(
      ({ source }) => source.source_id,
    );
    expect(new Set(sources)).toEqual(new Set(["source-2"]));
  });
});

describe("spec 4.2: GET /v1/contents/{content_id}", () => {
  it("answers one content for 0.1 credit, without score and tracking_token", async () => {
    const answer = await get("/v1/contents/c-3?include_body=true");
    expect(answer.headers.get("x-credits-used")).toBe("0.1");
    const { data, meta } = answer.json as ContentAnswer;
    expect(meta).toEqual({ consumed_credits: 0.1 });
    expect(data).toMatchObject({ id: "c-3", body_format: "markdown" });
    expect(Object.keys(data)).not.toContain("score");
    expect(Object.keys(data)).not.toContain("tracking_token");
  });

  it("shows the fields of section 2.1 by name, and nothing a service might add", async () => {
    const { data } = (await get("/v1/contents/c-3")).json as ContentAnswer;
    const internal = { ...data, id: asId<ContentId>(data.id), internal_rank: 7 };
    const source = { ...data.source, crawl_errors: 3 };
    expect(presentContentItem({ ...internal, source } as never)).toEqual(data);
  });

  it.each(["unknown", "%00", "%E0%A4%A", "a%2Fb", "x".repeat(2_000)])(
    "is 404 for %s, at no cost",
    async (id) => {
      const answer = await get(`/v1/contents/${id}`);
      expect([answer.status, answer.headers.get("x-credits-used")]).toEqual([404, "0"]);
    },
  );
});

describe("spec 7: usage cap", () => {
  it("is 402 on what costs credits once it is reached, and free endpoints go on", async () => {
    const key = installation.keys.two;
    const cap = (credits: number | null) =>
      call(installation, "PUT", "/admin/v1/tenants/two/usage-cap", {
        key: ADMIN_TOKEN,
        body: { credits },
      });
    await cap(0.5);
    await get("/v1/feed", key);
    for (const path of ["/v1/feed", "/v1/contents/c-1"]) {
      const answer = await get(path, key);
      expect(answer.status).toBe(402);
      expect(answer.headers.get("x-credits-used")).toBe("0");
      expect(answer.json).toMatchObject({
        title: "Usage Limit Exceeded",
        type: expect.stringMatching(/\/probs\/usage-limit-exceeded$/),
      });
    }
    expect((await get("/v1/users/nobody", key)).status).toBe(404);
    const body = { events: [{ type: "click" }] };
    expect((await call(installation, "POST", "/v1/events", { key, body })).status).toBe(202);
    await cap(null);
    expect((await get("/v1/feed", key)).status).toBe(200);
  });
});

describe("architecture: what is served when the event log is away", () => {
  it("is the feed, free; users and events are 503 with Retry-After", async () => {
    const before = await usedCredits();
    logIsAway = true;
    try {
      for (const path of ["/v1/feed?limit=1", "/v1/contents/c-1"]) {
        const answer = await get(path);
        expect([answer.status, answer.headers.get("x-credits-used")]).toEqual([200, "0"]);
      }
      const body = { events: [{ type: "click", user_id: "reader" }] };
      const headers = { "Idempotency-Key": "while-away" };
      const posted = await call(installation, "POST", "/v1/events", { body, headers });
      expect([posted.status, posted.headers.get("retry-after")]).toEqual([503, "2"]);
      const put = await call(installation, "PUT", "/v1/users/reader", { body: { properties: {} } });
      expect(put.status).toBe(503);
      logIsAway = false;
      // 5xx answers are not remembered: the same key goes through now.
      const again = await call(installation, "POST", "/v1/events", { body, headers });
      expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([202, null]);
    } finally {
      logIsAway = false;
    }
    expect(await usedCredits()).toBe(before);
  });
});

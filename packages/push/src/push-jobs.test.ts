import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixBasis } from "./generate/basis.ts";
import { Generation } from "./generate/generate-chunk.ts";
import {
  contentId,
  openInstallation,
  openShared,
  userId,
  userIds,
  type Installation,
} from "./testing/installation.fixture.ts";

const DAY_MS = 24 * 3_600_000;
let shared: Awaited<ReturnType<typeof openShared>>;
beforeAll(async () => {
  shared = await openShared();
});
afterAll(() => shared[Symbol.asyncDispose]());

const open = (role = {}) => openInstallation({ shared, role });
const articles = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    contentId: contentId(`article-${at}`),
    title: `Story number ${at} about topic ${at % 5}`,
    duplicateGroup: `group-${at}`,
    sourceId: `source-${1 + (at % 3)}` as never,
  }));
const createAll = (installation: Installation, count: number) =>
  installation.tell(...userIds(count).map((id) => ({ userId: id, properties: {} })));

describe("A push job in condition mode (spec 4.5)", () => {
  it("gives every user one line, charges 0.5 for each with candidates, and is downloadable", async () => {
    await using installation = await open({ chunkUsers: 10 });
    await installation.publish(...articles(8));
    await createAll(installation, 25);
    const jobId = await installation.request({ candidatesPerUser: 3 });
    const { state, progress, download } = await installation.ended(jobId);
    expect(state).toMatchObject({
      status: "completed",
      audience: { targetUserCount: 25, chunkCount: 3, filterStats: { totalAudience: 25 } },
      completed: { candidates: 75, usersFailed: 0, creditsTenths: 125 },
    });
    expect(progress).toBe(100);
    const lines = await installation.result(jobId);
    expect(lines.map(({ user_id }) => user_id).toSorted()).toEqual(userIds(25));
    expect(lines.every(({ candidates }) => candidates.length === 3)).toBe(true);
    expect(await installation.standing()).toEqual({ usedTenths: 125, reservedTenths: 0 });
    expect(download?.url).toContain(`${jobId}.jsonl`);
  });

  it("counts who is left out, each reason for itself, and leaves them out", async () => {
    await using installation = await open();
    await installation.publish(...articles(2));
    const nowMs = Date.now();
    const registered = (days: number) => ({
      registered_at: new Date(nowMs - days * DAY_MS).toISOString(),
    });
    const [active, dormant, silent] = ["active", "dormant", "silent"].map(userId);
    await installation.tell(
      { userId: active!, properties: registered(1) },
      { userId: active!, did: "session_start" },
      { userId: dormant!, properties: registered(99) },
      { userId: dormant!, did: "session_start", atMs: nowMs - 40 * DAY_MS },
      { userId: silent!, properties: registered(99) },
    );
    const conditions = {
      lastActiveDays: 30,
      registeredFromMs: nowMs - 7 * DAY_MS,
      registeredToMs: null,
    };
    const jobId = await installation.request({ conditions });
    const { state } = await installation.ended(jobId);
    expect(state.completed?.filterStats).toEqual({
      totalAudience: 3,
      excludedDueToNullLastActive: 1,
      excludedDueToLastActiveDays: 1,
      excludedDueToRegisteredRange: 2,
    });
    expect((await installation.result(jobId)).map(({ user_id }) => user_id)).toEqual(["active"]);
  });

  it("completes with an empty result where nobody matches, and charges nothing", async () => {
    await using installation = await open();
    const jobId = await installation.request();
    const { state, download } = await installation.ended(jobId);
    expect(state.completed).toMatchObject({ targetUserCount: 0, usersFailed: 0, candidates: 0 });
    expect(await installation.result(jobId)).toEqual([]);
    expect(download).not.toBeNull();
    expect(await installation.standing()).toEqual({ usedTenths: 0, reservedTenths: 0 });
  });

  it("has every user whose event was accepted before it, however far the projector is behind", async () => {
    await using installation = await open();
    await installation.publish(...articles(2));
    for (let round = 0; round < 3; round += 1) {
      await installation.tell({ userId: userId(`late-${round}`), did: "session_start" });
      const { state } = await installation.ended(await installation.request());
      expect(state.completed?.targetUserCount).toBe(round + 1);
    }
  });
});

describe("Candidates (spec 2.9)", () => {
  it("are scored in descending order, with a token that names the job, and link out as push", async () => {
    await using installation = await open();
    await installation.publish(...articles(9));
    await installation.tell({ userId: userId("u"), properties: {} });
    const jobId = await installation.request({ candidatesPerUser: 3 });
    await installation.ended(jobId);
    const [line] = await installation.result(jobId);
    const scores = line!.candidates.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((left, right) => right - left));
    const [first] = line!.candidates;
    expect(first).toMatchObject({
      id: expect.any(String),
      title: expect.any(String),
      url: expect.stringContaining("utm_medium=push"),
      thumbnail: { url: expect.any(String), width: expect.any(Number), height: expect.any(Number) },
      source: { name: expect.any(String), title_rewrite_allowed: false },
      published_at: expect.stringMatching(/Z$/),
    });
    const { keyring } = installation.deps;
    const claims = keyring.verifyTrackingToken(first!.tracking_token, installation.tenantId);
    expect(claims).toMatchObject({
      kind: "valid",
      contentId: first!.id,
      origin: { surface: "push", scenario: "daily", deliveryId: jobId, position: 0 },
    });
  });

  it("never are what was read, comes from a blocked source or may not be delivered", async () => {
    await using installation = await open();
    await installation.publish(...articles(3));
    const { tenantId } = installation;
    const licence = { tenantId, sourceId: "source-3" as never, licence: "none" } as const;
    await installation.changeDirectory({ type: "licence.set", licence });
    const user = userId("u");
    await installation.tell(
      { userId: user, did: "click", content: contentId("article-0") },
      { userId: user, blocks: "source-2" },
    );
    const jobId = await installation.request();
    const { state } = await installation.ended(jobId);
    expect(await installation.result(jobId)).toEqual([
      { user_id: "u", candidates: [], empty_reason: "no_matching_content" },
    ]);
    expect(state.completed).toMatchObject({ usersFailed: 0, creditsTenths: 0 });
  });

  it("stay away below the scenario's score threshold", async () => {
    await using installation = await open();
    await installation.publish(...articles(3));
    await installation.saveScenario({ scoreThreshold: 1 }, 2);
    await installation.tell({ userId: userId("u"), properties: {} });
    const jobId = await installation.request();
    await installation.ended(jobId);
    const [line] = await installation.result(jobId);
    expect(line?.empty_reason).toBe("no_matching_content");
  });

  it("follow what the user clicked", async () => {
    await using installation = await open();
    const titles = [
      "Tea ceremony in Kyoto gardens",
      "Football league final score",
      "Rust compiler",
    ];
    await installation.publish(
      ...titles.flatMap((title, topic) =>
        [0, 1, 2].map((at) => ({
          contentId: contentId(`t${topic}-${at}`),
          title: `${title} ${["early", "late", "again"][at]}`,
          duplicateGroup: `g${topic}-${at}`,
        })),
      ),
    );
    const fan = userId("fan");
    await installation.tell({ userId: fan, did: "click", content: contentId("t1-0") });
    const jobId = await installation.request();
    await installation.ended(jobId);
    const [line] = await installation.result(jobId);
    expect(line?.candidates[0]?.id).toMatch(/^t1-[12]$/);
  });
});

describe("What was sent (spec 8; decisions, Push jobs)", () => {
  it("is not sent again by a later job, whether it was clicked or not", async () => {
    await using installation = await open();
    await installation.publish(...articles(4));
    await installation.tell({ userId: userId("u"), properties: {} });
    const sent: string[] = [];
    for (let job = 0; job < 4; job += 1) {
      const jobId = await installation.request();
      await installation.ended(jobId);
      const [line] = await installation.result(jobId);
      sent.push(...line!.candidates.map(({ id }) => id));
    }
    expect(new Set(sent).size).toBe(4);
    const last = await installation.request();
    await installation.ended(last);
    const [line] = await installation.result(last);
    expect(line?.empty_reason).toBe("no_matching_content");
  });

  it("is sent again where the scenario does not leave it out", async () => {
    await using installation = await open();
    await installation.publish(...articles(1));
    await installation.saveScenario({ excludeSent: false }, 2);
    await installation.tell({ userId: userId("u"), properties: {} });
    for (let job = 0; job < 2; job += 1) {
      const jobId = await installation.request();
      await installation.ended(jobId);
      expect((await installation.result(jobId))[0]?.candidates).toHaveLength(1);
    }
  });
});

describe("A push job in manual mode (spec 4.5)", () => {
  it("has exactly the users named, unregistered ones with candidates of the generic feed", async () => {
    await using installation = await open();
    await installation.publish(...articles(3));
    await createAll(installation, 3);
    const [known, stranger] = [userId("user-0001"), userId("stranger")];
    const jobId = await installation.request({
      targetMode: "manual",
      userIds: [stranger, known],
    });
    const { state } = await installation.ended(jobId);
    expect(state.completed).toMatchObject({ filterStats: null, creditsTenths: 10 });
    const lines = await installation.result(jobId);
    expect(lines.map(({ user_id }) => user_id)).toEqual([stranger, known]);
    expect(lines.every(({ candidates }) => candidates.length === 1)).toBe(true);
  });

  it("keeps a line without candidates for a user who was deleted meanwhile", async () => {
    await using installation = await open();
    await installation.publish(...articles(2));
    const gone = userId("gone");
    await installation.tell({ userId: gone, properties: {} }, { userId: gone, deleted: true });
    const subjectId = installation.subjectOf(gone);
    const { deps, tenantId } = installation;
    await expect
      .poll(async () => (await deps.readState.users([{ tenantId, subjectId }]))[0]?.kind)
      .toBe("forgotten");
    const nowMs = Date.now();
    const basis = await fixBasis(deps, deps.directory.scenario(tenantId, "daily")!, nowMs);
    const request = { tenantId, jobId: "job", candidatesPerUser: 1, nowMs, audienceOffset: 0 };
    const generation = await Generation.open(deps, request, basis);
    const { content, usersFailed } = await generation.chunk([{ subjectId, userId: gone }]);
    expect(JSON.parse(content.toString())).toEqual({
      user_id: "gone",
      candidates: [],
      empty_reason: "no_matching_content",
    });
    expect(usersFailed).toBe(0);
  });
});

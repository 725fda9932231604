import { manualClock, type ManualClock } from "@feed/test-kit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { call } from "./testing/client.ts";
import { openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";

const PATH = "/v1/push-candidates";
const BODY_BYTES_MAX = 8 * 1024 * 1024;

let installation: Installation;
let clock: ManualClock;

/** One installation for what leaves nothing behind, else one for each sentence. */
function installed(
  before: typeof beforeAll | typeof beforeEach,
  after: typeof afterAll | typeof afterEach,
) {
  before(async () => {
    // It stands: what is allowed within a second is counted, however long the calls take.
    clock = manualClock(Date.now());
    installation = await openInstallation({ change: (deps) => ({ ...deps, clock }) });
  });
  after(() => installation[Symbol.asyncDispose]());
}

const post = (body: unknown, options: Parameters<typeof call>[3] = {}) =>
  call(installation, "POST", PATH, { body, ...options });
const ids = (count: number) => Array.from({ length: count }, (_, at) => `user-${at}`);
const idOf = (answer: { readonly json: unknown }) => (answer.json as { job_id: string }).job_id;

describe("What POST /v1/push-candidates refuses (spec 4.5)", () => {
  installed(beforeAll, afterAll);

  it.each([
    ["no scenario", {}, "/scenario"],
    ["a feed scenario", { scenario: "main" }, "/scenario"],
    ["an unknown field", { scenario: "daily", condition: {} }, "/condition"],
    ["an unknown condition", { scenario: "daily", conditions: { days: 1 } }, "/conditions/days"],
    ["0 candidates", { scenario: "daily", candidates_per_user: 0 }, "/candidates_per_user"],
    ["4 candidates", { scenario: "daily", candidates_per_user: 4 }, "/candidates_per_user"],
    ["half a candidate", { scenario: "daily", candidates_per_user: 1.5 }, "/candidates_per_user"],
    [
      "0 days",
      { scenario: "daily", conditions: { last_active_days: 0 } },
      "/conditions/last_active_days",
    ],
    [
      "3651 days",
      { scenario: "daily", conditions: { last_active_days: 3651 } },
      "/conditions/last_active_days",
    ],
    [
      "no timestamp",
      { scenario: "daily", conditions: { registered_from: "2026-01-01" } },
      "/conditions/registered_from",
    ],
    [
      "an empty range",
      {
        scenario: "daily",
        conditions: {
          registered_from: "2026-01-01T00:00:00Z",
          registered_to: "2026-01-01T09:00:00+09:00",
        },
      },
      "/conditions/registered_to",
    ],
    ["user_ids in condition mode", { scenario: "daily", user_ids: ["a"] }, "/user_ids"],
    [
      "conditions in manual mode",
      { scenario: "daily", target_mode: "manual", user_ids: ["a"], conditions: {} },
      "/conditions",
    ],
    ["no user_ids in manual mode", { scenario: "daily", target_mode: "manual" }, "/user_ids"],
    ["empty user_ids", { scenario: "daily", target_mode: "manual", user_ids: [] }, "/user_ids"],
    ["an unknown mode", { scenario: "daily", target_mode: "all" }, "/target_mode"],
    [
      "a user_id with a space",
      { scenario: "daily", target_mode: "manual", user_ids: ["a", "b c"] },
      "/user_ids/1",
    ],
    [
      "a user_id of 129",
      { scenario: "daily", target_mode: "manual", user_ids: ["a".repeat(129)] },
      "/user_ids/0",
    ],
  ])("refuses %s with 400 and a pointer", async (_, body, pointer) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ title: "Validation Error", errors: [{ pointer }] });
    expect(answer.headers.get("x-credits-used")).toBe("0");
  });

  it("is 404 for an unknown scenario", async () => {
    expect((await post({ scenario: "nobody" })).status).toBe(404);
  });

  it("needs a key with the scope", async () => {
    const answer = await post({ scenario: "daily" }, { key: installation.keys.usersOnly });
    expect(answer.status).toBe(403);
  });
});

describe("POST /v1/push-candidates (spec 4.5; decisions, Push jobs)", () => {
  installed(beforeEach, afterEach);

  it("answers 202 with the bare job_id and status, free, and the job can be read", async () => {
    const answer = await post({ scenario: "daily" });
    expect(answer.status).toBe(202);
    expect(answer.json).toEqual({ job_id: expect.any(String), status: "queued" });
    expect(answer.headers.get("x-credits-used")).toBe("0");
    expect(answer.headers.get("location")).toBe(`${PATH}/${idOf(answer)}`);
    const job = await call(installation, "GET", `${PATH}/${idOf(answer)}`);
    expect(job.json).toMatchObject({
      job_id: idOf(answer),
      status: "queued",
      progress: 0,
      target_user_count: null,
      failed_user_count: null,
      candidates_generated: null,
      consumed_credits: 0,
      filter_stats: null,
      download_url: null,
      download_url_expires_at: null,
      error: null,
      target_mode: "condition",
    });
  });

  it("takes the defaults: condition mode, one candidate, no conditions", async () => {
    const jobId = idOf(await post({ scenario: "daily" }));
    const { directory, readState } = installation.deps;
    const tenant = directory.tenants().find(({ slug }) => slug === "one");
    const job = await readState.pushJob(tenant!.tenantId, jobId);
    expect(job?.state.request).toMatchObject({
      candidatesPerUser: 1,
      targetMode: "condition",
      conditions: { lastActiveDays: null, registeredFromMs: null, registeredToMs: null },
      userIds: null,
    });
  });

  it("takes 100000 user_ids, and says so of one more", async () => {
    const manual = { scenario: "daily", target_mode: "manual" };
    expect((await post({ ...manual, user_ids: ids(100_000) })).status).toBe(202);
    const answer = await post({ ...manual, user_ids: ids(100_001) });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({
      title: "Validation Error",
      detail: "user_ids must not exceed 100000 entries",
    });
  });

  it("counts a user_id given twice once", async () => {
    const body = { scenario: "daily", target_mode: "manual", user_ids: ["a", "b", "a"] };
    const jobId = idOf(await post(body));
    const tenants = installation.deps.directory.tenants();
    const { tenantId } = tenants.find(({ slug }) => slug === "one")!;
    const job = await installation.deps.readState.pushJob(tenantId, jobId);
    expect(job?.state.request.userIds?.count).toBe(2);
  });

  it("takes a body of exactly 8 MiB, and answers 413 to one byte more", async () => {
    const json = JSON.stringify({ scenario: "daily" });
    const fits = json.padEnd(BODY_BYTES_MAX);
    expect((await post(undefined, { rawBody: fits })).status).toBe(202);
    const answer = await post(undefined, { rawBody: `${fits} ` });
    expect(answer.status).toBe(413);
    expect(answer.json).toMatchObject({ title: "Payload Too Large" });
  });

  it("is 402 once the usage cap is reached", async () => {
    const { codec, eventLog, directory, readState } = installation.deps;
    const { tenantId } = directory.tenants().find(({ slug }) => slug === "one")!;
    const fact = { tenantId, capTenths: 0, actor: "test", atMs: Date.now() };
    const value = codec.encode({ type: "usage-cap.set", ...fact });
    const record = { partition: 0, key: tenantId, value, timestampMs: fact.atMs };
    await eventLog.append([{ topic: "credits", ...record }]);
    const capOf = async () => (await readState.creditStanding(tenantId, "2026-01")).capTenths;
    await expect.poll(capOf).toBe(0);
    const answer = await post({ scenario: "daily" });
    expect(answer.status).toBe(402);
    expect(answer.headers.get("x-credits-used")).toBe("0");
    expect((await call(installation, "GET", PATH)).json).toMatchObject({ data: [] });
  });
});

describe("The limiter of POST /v1/push-candidates (spec 8)", () => {
  installed(beforeEach, afterEach);

  it("lets 5 pass at once, then answers 429 with its own Retry-After and the tenant's headers", async () => {
    const answers = await Promise.all(Array.from({ length: 7 }, () => post({ scenario: "daily" })));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBe(2);
    expect(answers.filter(({ status }) => status === 202).length).toBe(5);
    const [first] = refused;
    expect(first?.headers.get("retry-after")).toBe("1");
    expect(first?.headers.get("x-ratelimit-limit")).toBe("10000");
    expect(Number(first?.headers.get("x-ratelimit-remaining"))).toBeGreaterThan(0);
    expect(first?.json).toMatchObject({ type: expect.stringMatching(/\/probs\/rate-limit$/) });
    expect((await post({ scenario: "daily" }, { key: installation.keys.two })).status).toBe(202);
  });
});

describe("Idempotency-Key of POST /v1/push-candidates (decisions, HTTP in general)", () => {
  installed(beforeEach, afterEach);

  const headers = { "Idempotency-Key": "once" };

  it("gives the same job to the same request, and 422 to another", async () => {
    const first = await post({ scenario: "daily" }, { headers });
    const again = await post({ scenario: "daily" }, { headers });
    expect(again.json).toEqual(first.json);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    const other = await post({ scenario: "daily", candidates_per_user: 2 }, { headers });
    expect(other.status).toBe(422);
  });

  it("makes one job even when the remembered answer is lost", async () => {
    const first = await post({ scenario: "daily" }, { headers });
    const { readState, directory } = installation.deps;
    const { tenantId } = directory.tenants().find(({ slug }) => slug === "one")!;
    await readState.abandonIdempotent(tenantId, "push:once");
    const again = await installation.deps.push.request({
      tenant: directory.tenant(tenantId)!,
      scenario: directory.scenario(tenantId, "daily")!,
      candidatesPerUser: 1,
      targetMode: "condition",
      conditions: { lastActiveDays: null, registeredFromMs: null, registeredToMs: null },
      userIds: [],
      keyKind: "live",
      idempotencyKey: "once",
      requestId: "another",
      nowMs: Date.now(),
    });
    expect(again).toEqual({ kind: "accepted", jobId: idOf(first) });
    const { json } = await call(installation, "GET", PATH);
    expect((json as { data: unknown[] }).data).toHaveLength(1);
  });
});

describe("GET /v1/push-candidates and its jobs", () => {
  installed(beforeEach, afterEach);

  it("lists the tenant's jobs in pages, newest first, and nobody else's", async () => {
    const jobs: string[] = [];
    for (let job = 0; job < 3; job += 1) {
      jobs.push(idOf(await post({ scenario: "daily" })));
      clock.advance(1);
    }
    await post({ scenario: "daily" }, { key: installation.keys.two });
    type Page = { data: { job_id: string }[]; meta: { next_cursor: string | null } };
    const first = (await call(installation, "GET", `${PATH}?limit=2`)).json as Page;
    const cursor = first.meta.next_cursor ?? "";
    const second = (await call(installation, "GET", `${PATH}?limit=2&cursor=${cursor}`))
      .json as Page;
    const listed = [...first.data, ...second.data].map(({ job_id }) => job_id);
    expect(listed).toEqual(jobs.toReversed());
    expect(second.meta.next_cursor).toBeNull();
    const key = installation.keys.two;
    const foreign = await call(installation, "GET", `${PATH}?cursor=${cursor}`, { key });
    expect(foreign.json).toMatchObject({ type: expect.stringMatching(/invalid-cursor$/) });
  });

  it("is 404 for another tenant's job, as for one that never was", async () => {
    const jobId = idOf(await post({ scenario: "daily" }));
    const key = installation.keys.two;
    for (const [method, suffix] of [
      ["GET", ""],
      ["POST", "/cancel"],
    ] as const) {
      const foreign = await call(installation, method, `${PATH}/${jobId}${suffix}`, { key });
      const unknown = await call(installation, method, `${PATH}/job-x${suffix}`, { key });
      expect(foreign.status).toBe(404);
      expect(foreign.text.replaceAll(jobId, "")).toBe(unknown.text.replaceAll("job-x", ""));
    }
  });

  it("cancels a job: failed, nothing charged, and again the same answer", async () => {
    const jobId = idOf(await post({ scenario: "daily" }));
    for (let time = 0; time < 2; time += 1) {
      const answer = await call(installation, "POST", `${PATH}/${jobId}/cancel`);
      expect(answer.status).toBe(200);
      expect(answer.json).toMatchObject({
        status: "failed",
        consumed_credits: 0,
        target_user_count: null,
        error: { code: "cancelled", message: expect.any(String) },
      });
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildArticle, waitFor } from "@feed/test-kit";
import { withMethods } from "@feed/test-kit/with-methods";
import { asId } from "@feed/domain/ids";
import type { ContentId, SourceId, TenantId } from "@feed/domain/ids";
import type {
  FeedAnswer,
  IssuedKeyAnswer,
  KeyListAnswer,
  ScenarioAnswer,
  ScenarioListAnswer,
  TenantListAnswer,
} from "./openapi.generated.ts";
import { call } from "./testing/client.ts";
import { openFeedInstallation } from "./testing/feed.ts";
import { ADMIN_TOKEN, openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";
import { signInAs, type SignedIn } from "./testing/people.ts";

const ARTICLES = ["c-1", "c-2", "c-3"].map((id) =>
  buildArticle({ contentId: asId<ContentId>(id), sourceId: asId<SourceId>("source-1") }),
);
let installation: Installation;
let one: SignedIn;
beforeAll(async () => {
  installation = await openFeedInstallation(ARTICLES, {
    activityStore: {
      listUsers: () => Promise.resolve({ subjectIds: [] }),
      usageByDay: () => Promise.resolve([]),
    },
  });
  one = await signInAs(installation, "tenant_admin", "one");
});
afterAll(() => installation[Symbol.asyncDispose]());

const admin = (method: string, path: string, body?: unknown) =>
  call(installation, method, `/admin/v1${path}`, { key: ADMIN_TOKEN, body });
const issue = async (body: object) =>
  ((await one.call("POST", "/tenants/one/keys", body)).json as IssuedKeyAnswer).data;
const feedIds = async (key: string) => {
  const answer = await call(installation, "GET", "/v1/feed?limit=100", { key });
  return {
    ids: (answer.json as FeedAnswer).data.map(({ id }) => id).toSorted(),
    credits: answer.headers.get("x-credits-used"),
  };
};

describe("Tenants", () => {
  it("are listed in pages for operators, and alone for their own people", async () => {
    const first = (await admin("GET", "/tenants?limit=2")).json as TenantListAnswer;
    expect(first.data.map(({ tenant_id }) => tenant_id)).toEqual(["one", "three"]);
    const rest = await admin("GET", `/tenants?limit=2&cursor=${first.meta.next_cursor}`);
    expect(rest.json).toMatchObject({ data: [{ tenant_id: "two" }], meta: { next_cursor: null } });
    expect((await one.call("GET", "/tenants")).json).toMatchObject({
      data: [{ tenant_id: "one" }],
      meta: { next_cursor: null },
    });
    expect((await admin("GET", "/tenants?cursor=x")).status).toBe(400);
  });

  it("keep what a change leaves out", async () => {
    const before = installation.deps.directory.tenant(asId<TenantId>("one"));
    const changed = await one.call("PATCH", "/tenants/one", { name: "New", area_scope: ["x"] });
    expect(changed.status).toBe(200);
    expect(installation.deps.directory.tenant(asId<TenantId>("one"))).toEqual({
      ...before,
      name: "New",
      areaScope: ["x"],
    });
  });

  it.each([
    ["rate_limit_per_second", 5],
    ["status", "active"],
    ["slug", "other"],
    ["plan", { included_credits: 1, unit_price: 0, currency: "JPY" }],
  ])("have a %s that an operator alone changes", async (field, value) => {
    const change = { [field]: value };
    expect((await one.call("PATCH", "/tenants/one", change)).status).toBe(403);
    expect((await admin("PATCH", "/tenants/two", change)).status).toBe(200);
    if (field === "rate_limit_per_second")
      await admin("PATCH", "/tenants/two", { rate_limit_per_second: 10_000 });
  });

  it("name their default scenarios, each of its type", async () => {
    const path = "/tenants/one/default-scenarios";
    expect((await one.call("PUT", path, { feed: "daily" })).json).toMatchObject({
      errors: [{ pointer: "/feed" }],
    });
    const set = await one.call("PUT", path, { feed: "main", push: "daily" });
    expect(set.json).toEqual({ data: { feed: "main", push: "daily" } });
  });
});

describe("API keys", () => {
  it("are rotated: the successor has name, kind and scopes, and the former works on for a while", async () => {
    const former = await issue({ scopes: ["users"], kind: "test", name: "batch" });
    const path = `/tenants/one/keys/${former.key_id}/rotate`;
    const beforeMs = Date.now();
    const rotated = await one.call("POST", path, { overlap_hours: 1 });
    const successor = (rotated.json as IssuedKeyAnswer).data;
    expect([rotated.status, successor]).toMatchObject([
      201,
      { scopes: ["users"], kind: "test", name: "batch", expires_at: null },
    ]);
    const keys = ((await one.call("GET", "/tenants/one/keys")).json as KeyListAnswer).data;
    const shown = keys.find(({ key_id }) => key_id === former.key_id);
    const rotatedMs = Date.parse(shown?.expires_at ?? "") - 3_600_000;
    expect(rotatedMs).toBeGreaterThanOrEqual(beforeMs);
    expect(rotatedMs).toBeLessThanOrEqual(Date.now());
    for (const { api_key: key } of [former, successor])
      expect((await call(installation, "GET", "/v1/sources", { key })).status).toBe(200);
    const ended = await one.call("POST", path, { overlap_hours: 0 });
    expect(ended.status).toBe(201);
    const refused = await call(installation, "GET", "/v1/sources", { key: former.api_key });
    expect(refused.status).toBe(401);
    expect((await one.call("POST", path, {})).status).toBe(409);
  });

  it("say on which day they were last used", async () => {
    const { key_id, api_key, last_used_on } = await issue({ name: "used" });
    expect(last_used_on).toBeNull();
    const day = new Date().toISOString().slice(0, 10);
    await call(installation, "GET", "/v1/sources", { key: api_key });
    const usedOn = async () =>
      ((await one.call("GET", "/tenants/one/keys")).json as KeyListAnswer).data.find(
        (key) => key.key_id === key_id,
      )?.last_used_on;
    await waitFor(async () => (await usedOn()) !== null);
    expect((await usedOn())! >= day).toBe(true);
  });

  it("of the test kind read the same articles, cost nothing, and have users of their own", async () => {
    const live = (await issue({})).api_key;
    const test = (await issue({ kind: "test" })).api_key;
    expect(test).toMatch(/^cf_test_/);
    const paid = await feedIds(live);
    expect(await feedIds(test)).toEqual({ ...paid, credits: "0" });
    expect(paid.credits).toBe("1.0");
    const content = await call(installation, "GET", "/v1/contents/c-1", { key: test });
    expect(content.json).toMatchObject({ meta: { consumed_credits: 0 } });
    const user = "/v1/users/somebody";
    await call(installation, "PUT", user, { key: test, body: { properties: {} } });
    expect((await call(installation, "GET", user, { key: test })).status).toBe(200);
    expect((await call(installation, "GET", user, { key: live })).status).toBe(404);
    const usage = await call(installation, "GET", "/v1/usage", { key: test });
    expect(usage.json).toMatchObject({ data: { used_credits: 0 } });
  });

  it("of the test kind go on at a cap, and with the tenant's licences", async () => {
    const test = (await issue({ kind: "test" })).api_key;
    await one.call("PUT", "/tenants/one/usage-cap", { credits: 0 });
    expect((await call(installation, "GET", "/v1/feed")).status).toBe(402);
    expect((await feedIds(test)).ids).toEqual(["c-1", "c-2", "c-3"]);
    const job = { scenario: "daily", target_mode: "manual", user_ids: ["u"] };
    const posted = await call(installation, "POST", "/v1/push-candidates", {
      key: test,
      body: job,
    });
    expect(posted.status).toBe(202);
    await one.call("PUT", "/tenants/one/usage-cap", { credits: null });
    await one.call("PUT", "/tenants/one/licences/source-1", { licence: "none" });
    expect((await feedIds(test)).ids).toEqual([]);
    await one.call("PUT", "/tenants/one/licences/source-1", { licence: "body" });
  });
});

describe("An Idempotency-Key", () => {
  const issueOnce = (key: string, body: object) =>
    call(installation, "POST", "/admin/v1/tenants/one/keys", {
      key: ADMIN_TOKEN,
      body,
      headers: { "Idempotency-Key": key },
    });

  it("makes one API key of a request that is repeated, and gives its secret again", async () => {
    const first = await issueOnce("k-1", { name: "once" });
    const again = await issueOnce("k-1", { name: "once" });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const keys = ((await one.call("GET", "/tenants/one/keys")).json as KeyListAnswer).data;
    expect(keys.filter(({ name }) => name === "once")).toHaveLength(1);
    expect((await issueOnce("k-1", { name: "other" })).status).toBe(422);
    expect((await issueOnce("k-2", { name: "once" })).status).toBe(201);
  });

  it("is kept without the secret that the answer shows", async () => {
    const kept: string[] = [];
    await using other = await openInstallation({
      change: (deps) => {
        const { readState } = deps;
        const finishIdempotent: typeof readState.finishIdempotent = (...call) => {
          kept.push(JSON.stringify(call));
          return readState.finishIdempotent(...call);
        };
        return { ...deps, readState: withMethods(readState, { finishIdempotent }) };
      },
    });
    const issued = await call(other, "POST", "/admin/v1/tenants/one/keys", {
      key: ADMIN_TOKEN,
      body: {},
      headers: { "Idempotency-Key": "k-3" },
    });
    const { api_key } = (issued.json as IssuedKeyAnswer).data;
    expect(kept).toHaveLength(1);
    expect(kept.join("").includes(api_key)).toBe(false);
  });
});

describe("Scenarios", () => {
  const put = (body: object, name = "tuned") =>
    one.call("PUT", `/tenants/one/scenarios/${name}`, { type: "feed", ...body });

  it("keep their versions, who saved them, and give an earlier one back", async () => {
    await put({ settings: { exploration_share: 0.2 } });
    await put({ settings: { exploration_share: 0.3 } });
    const path = "/tenants/one/scenarios/tuned";
    const restored = await one.call("POST", `${path}/restore`, { version: 1 });
    expect(restored.json).toMatchObject({
      data: { version: 3, settings: { exploration_share: 0.2 }, saved_by: one.me.person_id },
    });
    const listed = (await one.call("GET", `${path}/versions`)).json as ScenarioListAnswer;
    expect(listed.data.map(({ version }) => version)).toEqual([3, 2, 1]);
    expect((await one.call("POST", `${path}/restore`, { version: 9 })).status).toBe(404);
    expect((await one.call("GET", path)).json).toMatchObject({ data: { version: 3 } });
  });

  it("are copied under a name that is free", async () => {
    await put({ settings: { diversity_lambda: 0.5 } }, "original");
    const path = "/tenants/one/scenarios/original/duplicate";
    const copied = await one.call("POST", path, { name: "copy" });
    expect([copied.status, copied.json]).toMatchObject([
      201,
      { data: { name: "copy", version: 1, settings: { diversity_lambda: 0.5 } } },
    ]);
    expect((await one.call("POST", path, { name: "copy" })).status).toBe(409);
    const all = (await one.call("GET", "/tenants/one/scenarios")).json as ScenarioListAnswer;
    expect(all.data.map(({ name }) => name)).toEqual(expect.arrayContaining(["copy", "original"]));
  });

  it("are saved once where two save the same version, and not over what somebody else saved", async () => {
    const saves = await Promise.all(
      [0.1, 0.2, 0.3].map((exploration_share) => put({ settings: { exploration_share } }, "raced")),
    );
    const statuses = saves.map(({ status }) => status).toSorted();
    const versions = saves.flatMap(({ status, json }) =>
      status === 200 ? (json as ScenarioAnswer).data.version : [],
    );
    expect(new Set(versions).size).toBe(versions.length);
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
    const stale = await put({ expected_version: 0 }, "raced");
    expect(stale.status).toBe(409);
    const latest = Math.max(...versions);
    expect((await put({ expected_version: latest }, "raced")).status).toBe(200);
  });
});

describe("An article a tenant withholds", () => {
  it("leaves its feeds, its contents and its test keys, and nobody else's, until it is released", async () => {
    const { two } = installation.keys;
    const test = (await issue({ kind: "test" })).api_key;
    const path = "/tenants/one/withheld-contents";
    expect((await one.call("PUT", `${path}/c-2`)).status).toBe(204);
    expect((await one.call("PUT", `${path}/c-2`)).status).toBe(204);
    expect((await one.call("GET", path)).json).toEqual({ data: [{ content_id: "c-2" }] });
    expect((await feedIds(installation.keys.one)).ids).toEqual(["c-1", "c-3"]);
    expect((await feedIds(test)).ids).toEqual(["c-1", "c-3"]);
    expect((await call(installation, "GET", "/v1/contents/c-2")).status).toBe(404);
    expect((await call(installation, "GET", "/v1/contents/c-2", { key: two })).status).toBe(200);
    expect((await one.call("DELETE", `${path}/c-2`)).status).toBe(204);
    expect((await feedIds(installation.keys.one)).ids).toEqual(["c-1", "c-2", "c-3"]);
    expect((await one.call("PUT", `${path}/c-9`)).status).toBe(404);
  });
});

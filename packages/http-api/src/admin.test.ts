import { waitFor } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  IssuedKeyAnswer,
  LicenceListAnswer,
  ScenarioAnswer,
  TenantAnswer,
  UsageAnswer,
} from "./openapi.generated.ts";
import { call } from "./testing/client.ts";
import { ADMIN_TOKEN, openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({
    activityStore: {
      listUsers: () => Promise.resolve({ subjectIds: [] }),
      usageByDay: () => Promise.resolve([]),
    },
  });
});
afterAll(() => installation[Symbol.asyncDispose]());

const admin = (method: string, path: string, body?: unknown) =>
  call(installation, method, `/admin/v1${path}`, { key: ADMIN_TOKEN, body });

describe("admin: tenants and keys", () => {
  it("creates a tenant, issues a key that works at once, and revokes it", async () => {
    const created = await admin("PUT", "/tenants/acme", { name: "Acme", default_licence: "link" });
    expect(created.status).toBe(201);
    expect((created.json as TenantAnswer).data).toMatchObject({
      tenant_id: "acme",
      slug: "acme",
      status: "active",
      rate_limit_per_second: 100,
      explain_allowed: false,
      keys: [],
    });
    const issued = await admin("POST", "/tenants/acme/keys", { scopes: ["users"] });
    expect(issued.status).toBe(201);
    const { api_key: key, key_id: keyId, prefix } = (issued.json as IssuedKeyAnswer).data;
    expect(key.startsWith(prefix)).toBe(true);
    expect((await call(installation, "GET", "/v1/sources", { key })).status).toBe(200);
    // That it was used is noted beside the answer.
    const lastUsedOn = async () =>
      ((await admin("GET", "/tenants/acme")).json as TenantAnswer).data.keys[0]?.last_used_on;
    await waitFor(async () => (await lastUsedOn()) !== null);
    const shown = await admin("GET", "/tenants/acme");
    expect(shown.text).not.toContain(key);
    expect((shown.json as TenantAnswer).data.keys).toEqual([
      {
        key_id: keyId,
        prefix,
        kind: "live",
        name: "",
        scopes: ["users"],
        expires_at: null,
        last_used_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      },
    ]);
    expect((await admin("DELETE", `/tenants/acme/keys/${keyId}`)).status).toBe(204);
    expect((await call(installation, "GET", "/v1/sources", { key })).status).toBe(401);
    expect((await admin("DELETE", `/tenants/acme/keys/${keyId}`)).status).toBe(404);
  });

  it("replaces a tenant (200), and suspends it", async () => {
    await admin("PUT", "/tenants/shut", { name: "Shut" });
    const key = ((await admin("POST", "/tenants/shut/keys", {})).json as IssuedKeyAnswer).data
      .api_key;
    const replaced = await admin("PUT", "/tenants/shut", { name: "Shut", status: "suspended" });
    expect(replaced.status).toBe(200);
    expect((await call(installation, "GET", "/v1/sources", { key })).status).toBe(403);
  });

  it("is 401 for everybody without the admin token, and 404 for unknown tenants and sources", async () => {
    for (const key of [null, installation.keys.one, `${ADMIN_TOKEN}x`]) {
      const answer = await call(installation, "GET", "/admin/v1/sources", { key });
      expect(answer.status).toBe(401);
    }
    expect((await admin("GET", "/tenants/nobody")).status).toBe(404);
    expect((await admin("POST", "/tenants/nobody/keys", {})).status).toBe(404);
    const licence = { licence: "body" };
    expect((await admin("PUT", "/tenants/one/licences/nowhere", licence)).status).toBe(404);
  });
});

describe("admin: what no tenant can mean is 400 with a pointer", () => {
  const pointersOf = async (method: string, path: string, body: unknown) => {
    const { status, json } = await admin(method, path, body);
    const { errors = [] } = json as { errors?: readonly { readonly pointer: string }[] };
    return [status, ...errors.map(({ pointer }) => pointer)];
  };

  it("default scenarios the tenant does not have, or of the other type", async () => {
    const path = "/tenants/defaults";
    expect((await admin("PUT", path, { name: "D" })).status).toBe(201);
    expect((await admin("PUT", `${path}/scenarios/front`, { type: "feed" })).status).toBe(200);
    const put = (default_scenarios: object) =>
      pointersOf("PUT", path, { name: "D", default_scenarios });
    expect(await put({ feed: "nowhere" })).toEqual([400, "/default_scenarios/feed"]);
    expect(await put({ feed: "front", push: "front" })).toEqual([400, "/default_scenarios/push"]);
    expect(await put({ feed: "front" })).toEqual([200]);
  });

  it("another tenant's slug, given or derived from the id", async () => {
    expect((await admin("PUT", "/tenants/first", { name: "F", slug: "taken-slug" })).status).toBe(
      201,
    );
    expect(await pointersOf("PUT", "/tenants/second", { name: "S", slug: "taken-slug" })).toEqual([
      400,
      "/slug",
    ]);
    expect(await pointersOf("PUT", "/tenants/Taken_Slug", { name: "S" })).toEqual([400, "/slug"]);
    expect(await pointersOf("PUT", "/tenants/first", { name: "F", slug: "taken-slug" })).toEqual([
      200,
    ]);
  });

  it("a price beyond reason", async () => {
    const plan = { included_credits: 1, unit_price: 1e300, currency: "JPY" };
    expect(await pointersOf("PUT", "/tenants/dear", { name: "D", plan })).toEqual([
      400,
      "/plan/unit_price",
    ]);
  });

  it("a key that has expired before it is issued", async () => {
    const issue = (expires_at: string) => pointersOf("POST", "/tenants/one/keys", { expires_at });
    expect(await issue("2020-01-01T00:00:00Z")).toEqual([400, "/expires_at"]);
    expect(await issue("2199-01-01T00:00:00+09:00")).toEqual([201]);
  });

  it("weights that are all 0, the defaults counted in", async () => {
    const put = (weights: object) =>
      pointersOf("PUT", "/tenants/one/scenarios/weightless", {
        type: "feed",
        settings: { weights },
      });
    const none = { relevance: 0, freshness: 0, engagement: 0, quality: 0 };
    expect(await put(none)).toEqual([400, "/settings/weights"]);
    expect(await put({ ...none, quality: 0.1 })).toEqual([200]);
    expect(await put({ relevance: 0 })).toEqual([200]);
  });
});

describe("admin: licences, scenarios, caps and sources", () => {
  it("sets a licence that the tenant sees at once", async () => {
    const answer = await admin("PUT", "/tenants/two/licences/source-1", { licence: "none" });
    expect(answer.json).toEqual({ data: { source_id: "source-1", licence: "none" } });
    const sources = await call(installation, "GET", "/v1/sources", { key: installation.keys.two });
    expect(sources.json).toMatchObject({ data: [{ source_id: "source-1", licence: "none" }, {}] });
  });

  it("resets a licence to the tenant's default, which holds at once and from then on", async () => {
    const list = async () =>
      (await admin("GET", "/tenants/resets/licences")).json as LicenceListAnswer;
    const first = async () => (await list()).data[0];
    const path = "/tenants/resets/licences/source-1";
    await admin("PUT", "/tenants/resets", { name: "Acme", default_licence: "link" });
    await admin("PUT", path, { licence: "body" });
    expect(await first()).toMatchObject({ licence: "body", is_default: false });
    expect((await list()).meta).toEqual({ default_licence: "link" });
    expect((await admin("DELETE", path)).status).toBe(204);
    expect((await admin("DELETE", path)).status).toBe(204);
    expect(await first()).toMatchObject({ licence: "link", is_default: true });
    await admin("PATCH", "/tenants/resets", { default_licence: "none" });
    expect(await first()).toMatchObject({ licence: "none", is_default: true });
    expect((await admin("DELETE", "/tenants/resets/licences/nowhere")).status).toBe(404);
  });

  it("saves scenarios as versions, completed by the defaults", async () => {
    const path = "/tenants/one/scenarios/fresh";
    const settings = { freshness_half_life_hours: 6, caps: { source: 0.5 } };
    const first = await admin("PUT", path, { type: "feed", settings });
    const { data } = first.json as ScenarioAnswer;
    expect(data).toMatchObject({ name: "fresh", type: "feed", version: 1 });
    expect(data.settings.caps).toEqual({ source: 0.5, category: 0.4, window_items: 20 });
    expect(data.settings.freshness_half_life_hours).toBe(6);
    const second = await admin("PUT", path, { type: "feed" });
    expect(second.json).toMatchObject({
      data: { version: 2, settings: { freshness_half_life_hours: 36 } },
    });
    expect((await admin("PUT", path, { type: "push" })).status).toBe(409);
    expect(installation.deps.directory.scenario("one" as never, "fresh")?.settings.caps).toEqual({
      source: 0.3,
      category: 0.4,
      windowItems: 20,
    });
  });

  it("refuses settings it does not know, or out of range", async () => {
    const answer = await admin("PUT", "/tenants/one/scenarios/odd", {
      type: "feed",
      settings: { diversity_lambda: 2, speed: 1 },
    });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({
      errors: expect.arrayContaining([
        { pointer: "/settings/speed", detail: "is not a known field" },
        expect.objectContaining({ pointer: "/settings/diversity_lambda" }),
      ]),
    });
  });

  it("sets and lifts a usage cap, visible in GET /v1/usage", async () => {
    const usage = async () =>
      ((await call(installation, "GET", "/v1/usage")).json as UsageAnswer).data;
    const set = await admin("PUT", "/tenants/one/usage-cap", { credits: 12.3 });
    expect([set.status, set.json]).toEqual([200, { data: { credits: 12.3 } }]);
    expect(await usage()).toMatchObject({ cap_credits: 12.3, used_credits: 0, days: [] });
    await admin("PUT", "/tenants/one/usage-cap", { credits: null });
    expect((await usage()).cap_credits).toBeNull();
    for (const credits of [-1, 0.05, "1"])
      expect((await admin("PUT", "/tenants/one/usage-cap", { credits })).status).toBe(400);
  });

  it("lists sources with how they are crawled", async () => {
    const answer = await admin("GET", "/sources");
    expect(answer.json).toMatchObject({
      data: [{ source_id: "source-1", feed_url: expect.any(String), paused: false }, {}],
    });
  });
});

describe("decisions: free directory endpoints", () => {
  it("finds areas by the start of a name or reading", async () => {
    const answer = await call(installation, "GET", "/v1/areas?q=%E6%B8%8B%E8%B0%B7&limit=3");
    expect(answer.json).toMatchObject({
      data: expect.arrayContaining([
        { area_id: expect.any(String), name: "渋谷区", level: "city", prefecture: "東京都" },
      ]),
    });
    expect((await call(installation, "GET", "/v1/areas")).status).toBe(400);
  });

  it("bills months of Asia/Tokyo, which end at 15:00 UTC of the day before", async () => {
    const { json } = await call(installation, "GET", "/v1/usage?month=2026-02");
    expect(json).toMatchObject({
      data: { month: "2026-02", resets_at: "2026-02-28T15:00:00.000Z", plan_credits: 10_000 },
    });
    expect((await call(installation, "GET", "/v1/usage?month=2026-13")).status).toBe(400);
  });
});

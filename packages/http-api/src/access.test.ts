import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asId } from "@feed/domain/ids";
import type { TenantId } from "@feed/domain/ids";
import { buildTenant, manualClock } from "@feed/test-kit";
import { call } from "./testing/client.ts";
import { openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
});
afterAll(() => installation[Symbol.asyncDispose]());

/** A caller's own address, so that tests do not use up each other's limit. */
const from = (address: string) => ({ "X-Forwarded-For": address });

describe("spec 5 and fault test 16: the key", () => {
  it("is 401 with the same body for a missing, malformed, unknown, expired or revoked key", async () => {
    const { directory } = installation.deps;
    const [revoked] = directory.apiKeys(asId<TenantId>("two"));
    const stamp = { actor: "test", atMs: Date.now() };
    const tenantId = asId<TenantId>("two");
    const fact = {
      type: "api-key.revoked",
      tenantId,
      keyId: revoked?.keyId ?? "",
      ...stamp,
    } as const;
    await directory.change([fact]);
    const headers = (Authorization: string) => ({ Authorization, ...from("192.0.2.1") });
    const answers = [
      await call(installation, "GET", "/v1/usage", { key: null, headers: from("192.0.2.1") }),
      await call(installation, "GET", "/v1/usage", { key: null, headers: headers("Basic YTpi") }),
      await call(installation, "GET", "/v1/usage", { key: null, headers: headers("Bearer") }),
      await call(installation, "GET", "/v1/usage", { key: null, headers: headers("Bearer a b") }),
      await call(installation, "GET", "/v1/usage", { key: "unknown", headers: from("192.0.2.1") }),
      await call(installation, "GET", "/v1/usage", {
        key: installation.keys.expired,
        headers: from("192.0.2.1"),
      }),
      await call(installation, "GET", "/v1/usage", {
        key: installation.keys.two,
        headers: from("192.0.2.1"),
      }),
      await call(installation, "GET", "/v1/usage", { key: ADMIN, headers: from("192.0.2.1") }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      expect(answer.headers.get("x-ratelimit-limit")).toBe("20");
      expect(answer.text).toBe(answers[0]?.text);
    }
  });

  it("means nothing in the query string", async () => {
    const answer = await call(installation, "GET", `/v1/usage?api_key=${installation.keys.one}`, {
      key: null,
      headers: from("192.0.2.2"),
    });
    expect(answer.status).toBe(401);
  });

  it("is 403 for a suspended tenant, and for a key without the scope", async () => {
    const suspended = await call(installation, "GET", "/v1/users/u", {
      key: installation.keys.three,
    });
    expect([suspended.status, suspended.json]).toMatchObject([403, { title: "Forbidden" }]);
    const key = installation.keys.usersOnly;
    expect((await call(installation, "GET", "/v1/feed", { key })).status).toBe(403);
    expect((await call(installation, "POST", "/v1/events", { key, body: {} })).status).toBe(403);
    expect((await call(installation, "GET", "/v1/users/u", { key })).status).toBe(404);
    expect((await call(installation, "GET", "/v1/sources", { key })).status).toBe(200);
  });

  it("takes the scheme in any case", async () => {
    const headers = { Authorization: `bearer ${installation.keys.one}` };
    const answer = await call(installation, "GET", "/v1/sources", { key: null, headers });
    expect(answer.status).toBe(200);
  });
});

const ADMIN = "admin-token-of-the-tests";

describe("spec 8: rate limits", () => {
  /** Its clock stands, so that all calls lie in one window. */
  let still: Installation;
  beforeAll(async () => {
    still = await openInstallation({
      change: (deps) => ({ ...deps, clock: manualClock(deps.clock.nowMs()) }),
    });
  });
  afterAll(() => still[Symbol.asyncDispose]());

  it("are the tenant's on every answer to a key, errors included", async () => {
    for (const path of ["/v1/sources", "/v1/users/nobody", "/v1/nowhere", "/v1/areas"]) {
      const beforeMs = Date.now();
      const { headers } = await call(installation, "GET", path);
      expect(headers.get("x-ratelimit-limit")).toBe("10000");
      expect(Number(headers.get("x-ratelimit-remaining"))).toBeLessThan(10_000);
      const reset = Number(headers.get("x-ratelimit-reset")) * 1000;
      // The end of the second in which it was counted.
      expect(reset).toBeGreaterThan(beforeMs);
      expect(reset).toBeLessThanOrEqual(Date.now() + 1_000);
      expect(headers.get("ratelimit-policy")).toBe('"tenant";q=10000;w=1');
      expect(headers.get("ratelimit")).toMatch(/^"tenant";r=\d+;t=1$/);
      expect(headers.get("cache-control")).toBe("no-store");
    }
  });

  it("are 429 with Retry-After once the tenant's limit is used up", async () => {
    const tenantId = asId<TenantId>("two");
    const tenant = buildTenant({ tenantId, slug: "two", rateLimitPerSecond: 3 });
    const stamp = { actor: "test", atMs: Date.now() };
    await still.deps.directory.change([{ type: "tenant.saved", tenant, ...stamp }]);
    const key = still.keys.two;
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => call(still, "GET", "/v1/sources", { key })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBe(9);
    expect(refused[0]?.headers.get("retry-after")).toBe("1");
    expect(refused[0]?.headers.get("x-ratelimit-remaining")).toBe("0");
    expect(refused[0]?.json).toMatchObject({
      type: `${still.baseUrl}/probs/rate-limit`,
      title: "Rate Limit Exceeded",
      status: 429,
      "violated-policies": ["tenant"],
    });
    expect((await call(still, "GET", "/v1/sources")).status).toBe(200);
  });

  it("are 20 a second by address without a valid key, and never stop a valid one", async () => {
    const headers = from("192.0.2.77");
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => call(still, "GET", "/v1/usage", { key: null, headers })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBe(20);
    expect(statuses.filter((status) => status === 429).length).toBe(40);
    expect((await call(still, "GET", "/v1/sources", { headers })).status).toBe(200);
    const elsewhere = { key: null, headers: from("192.0.2.78") };
    expect((await call(still, "GET", "/v1/usage", elsewhere)).status).toBe(401);
  });

  it("are shown but not counted on pages that need no key", async () => {
    const options = { key: null, headers: from("192.0.2.80") };
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => call(still, "GET", "/healthz", options)),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(answers.at(-1)?.headers.get("x-ratelimit-remaining")).toBe("20");
  });
});

describe("decisions: X-Request-Id", () => {
  it("is echoed when it is sane, and made otherwise", async () => {
    const echo = async (id: string) => {
      const headers = { "X-Request-Id": id };
      return (await call(installation, "GET", "/v1/sources", { headers })).headers.get(
        "x-request-id",
      );
    };
    expect(await echo("trace-1.a:b_c")).toBe("trace-1.a:b_c");
    expect(await echo("a b")).toMatch(/^[0-9A-Z]{26}$/);
    expect(await echo("x".repeat(129))).toMatch(/^[0-9A-Z]{26}$/);
  });
});

describe("decisions: paths and methods", () => {
  it.each(["/v1", "/v1/nowhere", "/V1/sources", "/v1/sources/", "/v1/users/u/", "/", "/v2/feed"])(
    "is 404 for %s",
    async (path) => {
      const answer = await call(installation, "GET", path);
      expect([answer.status, answer.json]).toMatchObject([404, { title: "Not Found" }]);
    },
  );

  it("is 405 with Allow for another method, and with an unknown one", async () => {
    const answer = await call(installation, "POST", "/v1/users/u", { body: {} });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("DELETE, GET, PATCH, PUT");
    const options = await call(installation, "OPTIONS", "/v1/feed");
    expect([options.status, options.headers.get("allow")]).toEqual([405, "GET"]);
  });
});

describe("fault test 26: query parameters", () => {
  const pointers = async (path: string) => {
    const answer = await call(installation, "GET", path);
    expect(answer.status).toBe(400);
    return (answer.json as { readonly errors: readonly { readonly pointer: string }[] }).errors.map(
      ({ pointer }) => pointer,
    );
  };
  it.each([
    "limit=1&limit=2",
    "limit=1e9",
    "limit=-0",
    "limit=0",
    "limit=101",
    "limit=",
    "limit=1.5",
    "limit=%2B1",
    "limit=0x10",
    "limit=99999999999999999999",
  ])("refuses %s", async (query) => {
    expect(await pointers(`/v1/feed?${query}`)).toEqual(["query:limit"]);
  });

  it.each([
    ["include_body=yes", "query:include_body"],
    ["include_body=1", "query:include_body"],
    ["include_body=TRUE", "query:include_body"],
    ["body_format=pdf", "query:body_format"],
    ["area_level=town", "query:area_level"],
    ["user_id=a%20b", "query:user_id"],
    ["user_id=", "query:user_id"],
    ["user_id=%E0%A4%A", "query:user_id"],
    [`area_names=${Array.from({ length: 51 }, () => "a").join(",")}`, "query:area_names"],
    [`area_names=${"a".repeat(201)}`, "query:area_names"],
    ["scenario=daily", "query:scenario"],
  ])("refuses %s", async (query, pointer) => {
    expect(await pointers(`/v1/feed?${query}`)).toEqual([pointer]);
  });

  it("says that nothing was charged, and lists every fault", async () => {
    const answer = await call(installation, "GET", "/v1/feed?limit=0&include_body=x&unknown=1");
    expect(answer.headers.get("x-credits-used")).toBe("0");
    expect(answer.json).toMatchObject({
      errors: [{ pointer: "query:limit" }, { pointer: "query:include_body" }],
    });
  });

  it("is 404 for an unknown scenario, and 403 for explain where the tenant may not", async () => {
    expect((await call(installation, "GET", "/v1/feed?scenario=none")).status).toBe(404);
    expect((await call(installation, "GET", "/v1/feed?explain=true")).status).toBe(403);
  });
});

describe("architecture: a part that is away", () => {
  it("is 503 with Retry-After and costs nothing", async () => {
    const answer = await call(installation, "GET", "/v1/feed");
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("2");
    expect(answer.headers.get("x-credits-used")).toBe("0");
    expect(answer.json).toMatchObject({ title: "Service Unavailable" });
    expect((await call(installation, "GET", "/v1/users")).status).toBe(503);
  });

  it("shows nothing of an unknown error", async () => {
    await using other = await openInstallation({
      change: (deps) => ({
        ...deps,
        feed: { ...deps.feed, content: () => Promise.reject(new Error("secret detail")) },
      }),
    });
    const answer = await call(other, "GET", "/v1/contents/c-1");
    expect(answer.status).toBe(500);
    expect(answer.json).toMatchObject({ title: "Internal Error", status: 500 });
    expect(answer.text).not.toContain("secret");
  });
});

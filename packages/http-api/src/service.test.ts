import { manualClock } from "@feed/test-kit";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createHttpApi } from "./http-api.ts";
import { PROBLEM_TYPES } from "./problem-types.ts";
import { call } from "./testing/client.ts";
import { openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
});
afterAll(() => installation[Symbol.asyncDispose]());

const get = (path: string, accept = "*/*") =>
  call(installation, "GET", path, { key: null, headers: { Accept: accept } });

describe("decisions: each problem page is really served", () => {
  it.each(Object.entries(PROBLEM_TYPES))("/probs/%s as a page and as JSON", async (slug, type) => {
    const page = await get(`/probs/${slug}`, "text/html,*/*;q=0.8");
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.text).toContain(`<h1>${type.title}</h1>`);
    const json = await get(`/probs/${slug}`, "application/json");
    expect(json.json).toEqual({ type: `${installation.baseUrl}/probs/${slug}`, ...type });
  });

  it("is 404 for another", async () => {
    expect((await get("/probs/nothing")).status).toBe(404);
    expect((await get("/probs/toString")).status).toBe(404);
  });

  it("is where the type of a problem leads", async () => {
    const { json } = await call(installation, "GET", "/v1/users/nobody");
    const { type } = json as { readonly type: string };
    expect((await fetch(type)).status).toBe(200);
  });
});

describe("documents", () => {
  it("serves the OpenAPI document, without the file's own helpers", async () => {
    const { json } = await get("/openapi.json");
    expect(json).toMatchObject({ openapi: "3.1.0", paths: { "/v1/feed": {} } });
    expect(Object.keys(json as object).filter((name) => name.startsWith("x-"))).toEqual([]);
  });
});

describe("health and metrics", () => {
  it("is healthy, and ready while every part answers", async () => {
    expect((await get("/healthz")).json).toEqual({ status: "ok" });
    expect((await get("/readyz")).json).toEqual({ status: "ok", parts: { "read-state": "ok" } });
  });

  it("is not ready while a part is away", async () => {
    await using other = await openInstallation({
      change: (deps) => ({
        ...deps,
        parts: new Map([["log", () => Promise.reject(new Error("away"))]]),
      }),
    });
    const answer = await call(other, "GET", "/readyz");
    expect([answer.status, answer.json]).toEqual([
      503,
      { status: "unavailable", parts: { log: "unavailable" } },
    ]);
  });

  it("counts answers by route, with no user in any label", async () => {
    await call(installation, "GET", "/v1/users/secret-user");
    await call(installation, "GET", "/nowhere/secret-user");
    const { text, headers } = await get("/metrics");
    expect(headers.get("content-type")).toContain("text/plain");
    expect(text).toMatch(
      /http_requests_total\{route="\/v1\/users\/:user_id",method="GET",status="404"\} \d/,
    );
    expect(text).toMatch(/http_request_duration_seconds_count\{route="\/healthz"/);
    expect(text).toContain('route="unmatched"');
    expect(text).not.toContain("secret-user");
  });
});

describe("mounts", () => {
  it("are asked before the API's own routes, with request id and rate-limit headers set", async () => {
    await using other = await openInstallation({
      change: (deps) => ({
        ...deps,
        clock: manualClock(deps.clock.nowMs()),
        mounts: [
          (ctx, next) => {
            if (ctx.path !== "/playground") return next();
            ctx.body = "mounted";
          },
        ],
      }),
    });
    const answer = await call(other, "GET", "/playground", { key: null });
    expect([answer.status, answer.text]).toEqual([200, "mounted"]);
    expect(answer.headers.get("x-request-id")).not.toBeNull();
    expect(answer.headers.get("x-ratelimit-limit")).toBe("20");
    // Readers of one address are no callers: they are neither counted nor refused, however the limit stands.
    const refused = await Promise.all(
      Array.from({ length: 60 }, () => call(other, "GET", "/v1/usage", { key: null })),
    );
    expect(refused.some(({ status }) => status === 429)).toBe(true);
    const pages = await Promise.all(
      Array.from({ length: 60 }, () => call(other, "GET", "/playground", { key: null })),
    );
    expect(pages.every(({ status }) => status === 200)).toBe(true);
  });
});

describe("closing", () => {
  afterEach(() => vi.useRealTimers());

  it("answers what is in progress and takes nothing new", async () => {
    const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const closed = createHttpApi({
      ...installation.deps,
      metrics: new Registry(),
      mounts: [
        async (ctx, next) => {
          if (ctx.path !== "/slow") return next();
          enter();
          await released;
          ctx.body = "done";
        },
      ],
    });
    await closed.listen({ host: "127.0.0.1", port: 0 });
    const baseUrl = closed.baseUrl();
    const slow = call({ baseUrl, keys: installation.keys }, "GET", "/slow");
    await entered;
    // Nothing is broken off here, however late it is: what closing waits for has to end by itself.
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const closing = closed[Symbol.asyncDispose]();
    vi.useRealTimers();
    release();
    expect((await slow).text).toBe("done");
    await closing;
    await expect(fetch(`${baseUrl}/healthz`)).rejects.toThrow("fetch failed");
  });
});

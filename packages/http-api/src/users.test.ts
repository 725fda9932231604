import { waitFor } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call } from "./testing/client.ts";
import { openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";
import type { User } from "./openapi.generated.ts";

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
});
afterAll(() => installation[Symbol.asyncDispose]());

const put = (userId: string, properties: unknown, key?: string) =>
  call(installation, "PUT", `/v1/users/${encodeURIComponent(userId)}`, {
    body: { properties },
    ...(key !== undefined && { key }),
  });
const get = (userId: string, key?: string) =>
  call(installation, "GET", `/v1/users/${encodeURIComponent(userId)}`, {
    ...(key !== undefined && { key }),
  });
const userOf = (answer: { readonly json: unknown }) =>
  (answer.json as { readonly data: User }).data;

describe("spec 4.3: PUT /v1/users/{user_id}", () => {
  it("creates the user (201), then replaces the whole set of properties (200)", async () => {
    const created = await put("replaced", { language: "ja", interests: ["a"] });
    expect(created.status).toBe(201);
    const replaced = await put("replaced", { area_names: ["渋谷"] });
    expect(replaced.status).toBe(200);
    expect(userOf(replaced).properties).toEqual({ area_names: ["渋谷"] });
    expect(userOf(await get("replaced")).properties).toEqual({ area_names: ["渋谷"] });
  });

  it("answers every field of the record, null where nothing happened", async () => {
    const { json } = await put("fresh", {});
    expect(json).toEqual({
      data: {
        user_id: "fresh",
        properties: {},
        followed_sources: [],
        blocked_sources: [],
        total_sessions: 0,
        last_active_at: null,
        registered_at: null,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: expect.any(String),
      },
    });
  });

  it("shows registered_at in UTC, and the property as it was sent", async () => {
    const answer = await put("registered", { registered_at: "2026-04-01T09:00:00+09:00" });
    expect(userOf(answer).registered_at).toBe("2026-04-01T00:00:00.000Z");
    expect(userOf(answer).properties.registered_at).toBe("2026-04-01T09:00:00+09:00");
  });

  it("says 201 to exactly one of many that create the same user at once", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => put("raced", {})));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array.from({ length: 9 }, () => 200), 201]);
  });
});

describe("decisions: properties are the five named keys, within their limits", () => {
  it.each([
    [{ nickname: "x" }, "/properties/nickname"],
    [{ area_names: "渋谷" }, "/properties/area_names"],
    [{ area_names: Array.from({ length: 51 }, () => "a") }, "/properties/area_names"],
    [{ area_level: "town" }, "/properties/area_level"],
    [{ interests: Array.from({ length: 101 }, () => "a") }, "/properties/interests"],
    [{ interests: ["a".repeat(201)] }, "/properties/interests/0"],
    [{ interests: [1] }, "/properties/interests/0"],
    [{ language: "ja_JP" }, "/properties/language"],
    [{ language: 1 }, "/properties/language"],
    [{ registered_at: "2026-04-01T09:00:00" }, "/properties/registered_at"],
    [{ registered_at: "2026-02-30T09:00:00Z" }, "/properties/registered_at"],
    [null, "/properties"],
  ])("refuses %j with a pointer to the fault", async (properties, pointer) => {
    const answer = await put("strict", properties);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({
      title: "Validation Error",
      instance: "/v1/users/strict",
      errors: [{ pointer }],
    });
    expect((await get("strict")).status).toBe(404);
  });

  it("lists every fault at once, and refuses unknown fields beside `properties`", async () => {
    const answer = await call(installation, "PUT", "/v1/users/strict", {
      body: { properties: { a: 1, language: 2 }, more: true },
    });
    const { errors } = answer.json as { readonly errors: readonly { readonly pointer: string }[] };
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual([
      "/more",
      "/properties/a",
      "/properties/language",
    ]);
  });
});

describe("spec 4.3: PATCH /v1/users/{user_id}", () => {
  const patch = (userId: string, properties: unknown) =>
    call(installation, "PATCH", `/v1/users/${userId}`, { body: { properties } });

  it("overwrites only the top-level keys that are present", async () => {
    await put("merged", { language: "ja", interests: ["a", "b"] });
    const answer = await patch("merged", { interests: ["c"] });
    expect(answer.status).toBe(200);
    expect(userOf(answer).properties).toEqual({ language: "ja", interests: ["c"] });
  });

  it("is 404 for an unregistered user and does not create one", async () => {
    expect((await patch("absent", { language: "ja" })).status).toBe(404);
    expect((await get("absent")).status).toBe(404);
  });

  it("changes nothing for a user deleted meanwhile", async () => {
    await put("deleted-before-patch", { language: "ja" });
    await call(installation, "DELETE", "/v1/users/deleted-before-patch");
    expect((await patch("deleted-before-patch", { language: "en" })).status).toBe(404);
  });
});

describe("spec 4.3: follow and block", () => {
  const change = (method: string, path: string, key?: string) =>
    call(installation, method, `/v1/users/${path}`, { ...(key !== undefined && { key }) });

  it("follows and unfollows, blocks and unblocks, each with 204 and readable at once", async () => {
    await put("prefers", {});
    expect((await change("PUT", "prefers/sources/source-1/follow")).status).toBe(204);
    expect(userOf(await get("prefers")).followed_sources).toEqual(["source-1"]);
    expect((await change("DELETE", "prefers/sources/source-1/follow")).status).toBe(204);
    expect(userOf(await get("prefers")).followed_sources).toEqual([]);
    expect((await change("PUT", "prefers/sources/source-2/block")).status).toBe(204);
    expect(userOf(await get("prefers")).blocked_sources).toEqual(["source-2"]);
    expect((await change("DELETE", "prefers/sources/source-2/block")).status).toBe(204);
    expect(userOf(await get("prefers")).blocked_sources).toEqual([]);
  });

  it("unblocks a blocked source that is followed, and the other way round", async () => {
    await put("switches", {});
    await change("PUT", "switches/sources/source-1/block");
    await change("PUT", "switches/sources/source-1/follow");
    expect(userOf(await get("switches"))).toMatchObject({
      followed_sources: ["source-1"],
      blocked_sources: [],
    });
    await change("PUT", "switches/sources/source-1/block");
    expect(userOf(await get("switches"))).toMatchObject({
      followed_sources: [],
      blocked_sources: ["source-1"],
    });
  });

  it("is 404 for an unknown source and for an unknown user", async () => {
    await put("known", {});
    expect((await change("PUT", "known/sources/nowhere/follow")).status).toBe(404);
    expect((await change("PUT", "unknown/sources/source-1/block")).status).toBe(404);
    expect((await get("unknown")).status).toBe(404);
  });
});

describe("spec 2.5: user_id (fault test 25)", () => {
  it.each([
    "a".repeat(128),
    "550e8400-e29b-41d4-a716-446655440000",
    "google|1234",
    "auth0:abc",
    "someone@example.com",
    "dGVzdA==",
    "a+b.c_d-e",
  ])("takes %s", async (userId) => {
    expect((await put(userId, {})).status).toBe(201);
    expect(userOf(await get(userId)).user_id).toBe(userId);
  });

  it.each([
    ["129 characters", "a".repeat(129)],
    ["a space", "a%20b"],
    ["a tab", "a%09b"],
    ["NUL", "a%00b"],
    ["a slash", "a%2Fb"],
    ["a backslash", "a%5Cb"],
    ["an emoji", "%F0%9F%98%80"],
    ["half of an encoding", "%E0%A4%A"],
    ["fullwidth letters", "%EF%BC%A1"],
    ["a double encoding", "%252F"],
    ["a newline at the end", "a%0A"],
  ])("refuses %s on every endpoint with 400 Validation Error", async (_, encoded) => {
    const body = { properties: {} };
    const answers = [
      await call(installation, "PUT", `/v1/users/${encoded}`, { body }),
      await call(installation, "PATCH", `/v1/users/${encoded}`, { body }),
      await call(installation, "GET", `/v1/users/${encoded}`),
      await call(installation, "DELETE", `/v1/users/${encoded}`),
      await call(installation, "PUT", `/v1/users/${encoded}/sources/source-1/follow`),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject({
        title: "Validation Error",
        errors: [{ pointer: "path:user_id" }],
      });
    }
  });
});

describe("architecture rule 8: tenants can't meet", () => {
  it("keeps users of the same id apart, and shows another tenant's as unknown", async () => {
    await put("shared-id", { language: "ja" });
    const foreign = await get("shared-id", installation.keys.two);
    const unknown = await get("shared-xx", installation.keys.two);
    expect(foreign.status).toBe(404);
    expect(foreign.text.replaceAll("shared-id", "shared-xx")).toBe(unknown.text);
    expect((await put("shared-id", {}, installation.keys.two)).status).toBe(201);
    expect(userOf(await get("shared-id")).properties).toEqual({ language: "ja" });
  });
});

describe("architecture rule 1: append, then wait for the projection", () => {
  it("answers 503 'accepted, not yet visible' when it does not come", async () => {
    await using hurried = await openInstallation({
      change: (deps) => ({ ...deps, settings: { ...deps.settings, readYourWritesMs: 100 } }),
    });
    const body = { properties: { language: "ja" } };
    const putLate = () => call(hurried, "PUT", "/v1/users/late", { body });
    const resume = hurried.projector.pause();
    const late = await putLate();
    expect(late.status).toBe(503);
    expect(late.headers.get("retry-after")).toBe("1");
    expect(late.json).toMatchObject({
      title: "Service Unavailable",
      detail: expect.stringContaining("accepted, but not yet visible"),
    });
    resume();
    let repeated = await putLate();
    while (repeated.status === 503) repeated = await putLate();
    // Not 201: the first one made the user.
    expect(repeated.status).toBe(200);
  });

  it("answers what was decided at the change's own place: a PATCH before the PUT finds nobody", async () => {
    const end = async () =>
      (await installation.deps.eventLog.endOffsets("users")).reduce((sum, one) => sum + one, 0);
    const before = await end();
    const resume = installation.projector.pause();
    const patched = call(installation, "PATCH", "/v1/users/ordered", {
      body: { properties: { language: "en" } },
    });
    await waitFor(async () => (await end()) === before + 1);
    const created = put("ordered", { language: "ja" });
    await waitFor(async () => (await end()) === before + 2);
    resume();
    expect([(await patched).status, (await created).status]).toEqual([404, 201]);
    expect(userOf(await get("ordered")).properties).toEqual({ language: "ja" });
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitFor } from "@feed/test-kit";
import { call } from "./testing/client.ts";
import { eventCalls } from "./testing/event-calls.ts";
import { openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
});
afterAll(() => installation[Symbol.asyncDispose]());

const { post, userAt, factOf, endOffsets, faultsOf } = eventCalls(() => installation);

describe("spec 4.4: POST /v1/events", () => {
  it("answers 202 with the number accepted", async () => {
    const answer = await post([
      { type: "click", user_id: "counted", content_id: "c-1" },
      { type: "impression", user_id: "counted", content_id: "c-2" },
    ]);
    expect([answer.status, answer.json]).toEqual([202, { data: { accepted: 2 } }]);
  });

  it.each(["session_start", "click", "impression", "return", "share", "like", "dislike"])(
    "creates an unregistered user by %s (spec 6.1)",
    async (type) => {
      await post([{ type, user_id: `made-by-${type}`, session_id: `s-${type}` }]);
      await waitFor(async () => (await userAt(`made-by-${type}`)) !== undefined);
      const user = await userAt(`made-by-${type}`);
      expect(user?.total_sessions).toBe(type === "session_start" ? 1 : 0);
      expect(user?.last_active_at).not.toBeNull();
    },
  );

  it("merges metadata.user_attributes of a login into the properties (spec 6.1)", async () => {
    await call(installation, "PUT", "/v1/users/logs-in", {
      body: { properties: { language: "ja", interests: ["a"] } },
    });
    const metadata = { user_attributes: { language: "en" }, plan: "gold" };
    await post([{ type: "login", user_id: "logs-in", metadata, event_id: "login-1" }]);
    await waitFor(async () => (await userAt("logs-in"))?.properties.language === "en");
    expect((await userAt("logs-in"))?.properties).toEqual({ language: "en", interests: ["a"] });
    expect((await factOf("login-1")).personal?.metadata).toEqual({ plan: "gold" });
  });

  it("takes events with a session alone, and with neither user nor session", async () => {
    const answer = await post([
      { type: "impression", session_id: "lone", content_id: "c-1", event_id: "lone-1" },
      { type: "click", content_id: "c-1", event_id: "nobody-1" },
    ]);
    expect(answer.status).toBe(202);
    expect(await factOf("lone-1")).toMatchObject({ ofUser: false, contentId: "c-1" });
    expect((await factOf("nobody-1")).sessionRef).toBeUndefined();
  });

  it("ignores fields it does not know, and keeps device_info and metadata", async () => {
    await post([
      {
        type: "session_start",
        user_id: "devices",
        session_id: "s-device",
        event_id: "device-1",
        device_info: { os: "iOS" },
        metadata: { screen: "top" },
        something_new: { deep: [1] },
      },
    ]);
    expect((await factOf("device-1")).personal).toEqual({
      userId: "devices",
      sessionId: "s-device",
      deviceInfo: { os: "iOS" },
      metadata: { screen: "top" },
    });
  });

  it("counts occurred_at as the time of receipt when it is omitted, and keeps it when given", async () => {
    const before = Date.now();
    await post([
      { type: "return", user_id: "timed", event_id: "time-1" },
      {
        type: "return",
        user_id: "timed",
        event_id: "time-2",
        occurred_at: "2026-11-01T09:00:00+09:00",
      },
    ]);
    expect((await factOf("time-1")).occurredAtMs).toBeGreaterThanOrEqual(before);
    expect((await factOf("time-2")).occurredAtMs).toBe(Date.UTC(2026, 10, 1));
  });
});

describe("decisions: the batch is atomic", () => {
  it("refuses it whole with a pointer for every bad event, and appends nothing", async () => {
    const before = await endOffsets();
    const answer = await post([
      { type: "click", user_id: "atomic" },
      { type: "klick", user_id: "atomic" },
      { type: "click", user_id: "no spaces" },
      { type: "click", user_id: "atomic" },
      { type: "login" },
    ]);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ title: "Validation Error", instance: "/v1/events" });
    expect(faultsOf(answer)).toEqual(["/events/1/type", "/events/2/user_id", "/events/4/user_id"]);
    expect(await endOffsets()).toBe(before);
  });

  it("with partial=true accepts the others and lists the bad ones", async () => {
    const answer = await post(
      [{ type: "click", user_id: "partly" }, { type: "klick" }, "nonsense"],
      "/v1/events?partial=true",
    );
    expect(answer.status).toBe(202);
    expect(answer.json).toMatchObject({
      data: { accepted: 1, rejected: [{ pointer: "/events/1/type" }, { pointer: "/events/2" }] },
    });
  });

  const day = 24 * 3_600_000;
  const login = (user_attributes: unknown) => ({
    type: "login",
    user_id: "u",
    metadata: { user_attributes },
  });
  it.each([
    ["no type", {}, "/events/0/type"],
    ["a user_id with a slash", { type: "click", user_id: "a/b" }, "/events/0/user_id"],
    ["an empty user_id", { type: "click", user_id: "" }, "/events/0/user_id"],
    ["an empty session_id", { type: "click", session_id: "" }, "/events/0/session_id"],
    ["a session_id of 257", { type: "click", session_id: "s".repeat(257) }, "/events/0/session_id"],
    ["an event_id of 129", { type: "click", event_id: "e".repeat(129) }, "/events/0/event_id"],
    [
      "a time without offset",
      { type: "click", occurred_at: "2026-11-01T00:00:00" },
      "/events/0/occurred_at",
    ],
    [
      "more than 24 hours ahead",
      { type: "click", occurred_at: new Date(Date.now() + day + 60_000).toISOString() },
      "/events/0/occurred_at",
    ],
    [
      "a time before 2000",
      { type: "click", occurred_at: "1999-12-31T23:59:59Z" },
      "/events/0/occurred_at",
    ],
    [
      "device_info over 4 KiB",
      { type: "click", device_info: { x: "あ".repeat(1_400) } },
      "/events/0/device_info",
    ],
    [
      "metadata over 16 KiB",
      { type: "click", metadata: { x: "x".repeat(16_384) } },
      "/events/0/metadata",
    ],
    [
      "unknown user_attributes",
      login({ nickname: "x" }),
      "/events/0/metadata/user_attributes/nickname",
    ],
    [
      "invalid user_attributes",
      login({ area_level: "town" }),
      "/events/0/metadata/user_attributes/area_level",
    ],
    [
      "a forged tracking token",
      { type: "click", tracking_token: "forged" },
      "/events/0/tracking_token",
    ],
  ])("refuses %s", async (_, event, pointer) => {
    const answer = await post([event]);
    expect([answer.status, faultsOf(answer)]).toEqual([400, [pointer]]);
  });

  it.each([
    ["no events", { events: [] }, "/events"],
    ["101 events", { events: Array.from({ length: 101 }, () => ({ type: "click" })) }, "/events"],
    ["no list", { events: {} }, "/events"],
    ["no body of the kind", {}, "/events"],
    ["a list as the body", [], ""],
    ["null", null, ""],
  ])("refuses %s, with partial=true too", async (_, body, pointer) => {
    for (const path of ["/v1/events", "/v1/events?partial=true"]) {
      const answer = await call(installation, "POST", path, { body });
      expect([answer.status, faultsOf(answer)]).toEqual([400, [pointer]]);
    }
  });

  it("takes 100 events, and limits at their edge", async () => {
    const edge = {
      type: "click",
      session_id: "s".repeat(256),
      occurred_at: "2000-01-01T00:00:00Z",
      metadata: { x: "x".repeat(16_384 - 8) },
    };
    const events = Array.from({ length: 100 }, () => edge);
    expect((await post(events)).json).toEqual({ data: { accepted: 100 } });
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BehaviourPersonal, BehaviourRecorded, Opened, UserFact } from "@feed/domain/facts";
import { asId } from "@feed/domain/ids";
import type { ContentId, TenantId } from "@feed/domain/ids";
import { TRACKING_TOKEN_TTL_MS } from "@feed/domain/limits";
import { ReadStateUnavailable } from "@feed/read-state/port";
import { waitFor } from "@feed/test-kit";
import type { User } from "./openapi.generated.ts";
import { call } from "./testing/client.ts";
import { openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";

type Behaviour = BehaviourRecorded<Opened<BehaviourPersonal>>;

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
});
afterAll(() => installation[Symbol.asyncDispose]());

const post = (events: unknown, path = "/v1/events", headers: Record<string, string> = {}) =>
  call(installation, "POST", path, { body: { events }, headers });
const userAt = async (userId: string) => {
  const { json } = await call(installation, "GET", `/v1/users/${userId}`);
  return (json as { readonly data?: User } | undefined)?.data;
};
const behaviours = () =>
  installation.projector.facts.filter(
    (fact: UserFact): fact is Behaviour => fact.type === "behaviour.recorded",
  );
const factOf = async (eventId: string) => {
  await waitFor(() => behaviours().some((fact) => fact.eventId === eventId), { timeoutMs: 5_000 });
  return behaviours().find((fact) => fact.eventId === eventId)!;
};
const endOffsets = async () => {
  const ends = await installation.deps.eventLog.endOffsets("users");
  return ends.reduce((sum, end) => sum + end, 0);
};
const faultsOf = (answer: { readonly json: unknown }) =>
  (answer.json as { readonly errors: readonly { readonly pointer: string }[] }).errors.map(
    ({ pointer }) => pointer,
  );

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
      await waitFor(async () => (await userAt(`made-by-${type}`)) !== undefined, {
        timeoutMs: 5_000,
      });
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
    await waitFor(async () => (await userAt("logs-in"))?.properties.language === "en", {
      timeoutMs: 5_000,
    });
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

describe("decisions: tracking tokens", () => {
  const signed = (tenant: string, deliveredAtMs: number) => {
    const keyring = installation.deps.keyring as typeof installation.deps.keyring & {
      signTrackingToken(claims: unknown): string;
    };
    return keyring.signTrackingToken({
      tenantId: asId<TenantId>(tenant),
      contentId: asId<ContentId>("c-tracked"),
      origin: { surface: "feed", scenario: "main", deliveryId: "d-1", position: 3, deliveredAtMs },
    });
  };

  it("links the event to the delivered content and where it was shown", async () => {
    const tracking_token = signed("one", Date.now() - 1_000);
    await post([{ type: "click", user_id: "tracked", tracking_token, event_id: "tracked-1" }]);
    expect(await factOf("tracked-1")).toMatchObject({
      contentId: "c-tracked",
      origin: { surface: "feed", scenario: "main", deliveryId: "d-1", position: 3 },
    });
  });

  it("refuses another tenant's token and a changed one with a pointer", async () => {
    const foreign = signed("two", Date.now());
    const own = signed("one", Date.now());
    const changed = `${own.slice(0, 20)}${own[20] === "A" ? "B" : "A"}${own.slice(21)}`;
    for (const tracking_token of [foreign, changed]) {
      const answer = await post([{ type: "click", tracking_token }]);
      expect([answer.status, faultsOf(answer)]).toEqual([400, ["/events/0/tracking_token"]]);
    }
  });

  it("counts an event whose token is too old, without the link", async () => {
    const tracking_token = signed("one", Date.now() - TRACKING_TOKEN_TTL_MS - 3_600_000);
    const answer = await post([
      { type: "click", user_id: "late-click", tracking_token, event_id: "expired-1" },
    ]);
    expect(answer.status).toBe(202);
    const fact = await factOf("expired-1");
    expect([fact.contentId, fact.origin]).toEqual([undefined, undefined]);
  });
});

describe("decisions: an event is counted once", () => {
  const sessionsOf = async (userId: string) => (await userAt(userId))?.total_sessions;
  const settled = async (userId: string, marker: string) => {
    // Facts of one user keep their order: once the marker shows, all before it were seen.
    await post([{ type: "return", user_id: userId, event_id: marker }]);
    await factOf(marker);
    return sessionsOf(userId);
  };

  it("by its fields when it has no event_id", async () => {
    const event = {
      type: "session_start",
      user_id: "once",
      session_id: "s-once",
      occurred_at: "2026-11-20T00:00:00Z",
    };
    await post([event]);
    await post([event]);
    await post([{ ...event, occurred_at: "2026-11-20T00:00:01Z" }]);
    expect(await settled("once", "once-end")).toBe(2);
  });

  it("by its event_id, whatever else changed", async () => {
    const event = { type: "session_start", user_id: "by-id", session_id: "s", event_id: "same" };
    await post([event]);
    await post([{ ...event, session_id: "other" }]);
    expect(await settled("by-id", "by-id-end")).toBe(1);
  });

  it("not at all without event_id, occurred_at and Idempotency-Key", async () => {
    const event = { type: "session_start", user_id: "uncounted", session_id: "s" };
    await post([event]);
    await post([event]);
    expect(await settled("uncounted", "uncounted-end")).toBe(2);
  });

  it("by Idempotency-Key and place where occurred_at is missing, even when the answer was lost", async () => {
    const event = { type: "session_start", user_id: "keyed", session_id: "s" };
    await post([event, event], "/v1/events", { "Idempotency-Key": "lost-answer" });
    const { readState } = installation.deps;
    await readState.abandonIdempotent(asId<TenantId>("one"), "events:lost-answer");
    await post([event, event], "/v1/events", { "Idempotency-Key": "lost-answer" });
    expect(await settled("keyed", "keyed-end")).toBe(2);
  });
});

describe("decisions: Idempotency-Key (fault test 13)", () => {
  const keyed = (key: string, events: unknown, options: { readonly key?: string } = {}) =>
    call(installation, "POST", "/v1/events", {
      body: { events },
      headers: { "Idempotency-Key": key },
      ...options,
    });
  const event = { type: "click", user_id: "idempotent", content_id: "c-1" };

  it("repeats the answer without a second effect", async () => {
    const first = await keyed("repeat", [event]);
    const before = await endOffsets();
    const second = await keyed("repeat", [event]);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(second.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await endOffsets()).toBe(before);
  });

  it("repeats a refusal too", async () => {
    await keyed("refused", [{ type: "klick" }]);
    const again = await keyed("refused", [{ type: "klick" }]);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([400, "true"]);
    expect(again.headers.get("content-type")).toContain("application/problem+json");
  });

  it("is 422 with another body, or with another partial", async () => {
    await keyed("reused", [event]);
    const answer = await keyed("reused", [{ ...event, content_id: "c-2" }]);
    expect(answer.status).toBe(422);
    expect(answer.json).toMatchObject({
      type: expect.stringMatching(/\/probs\/idempotency-key-reused$/),
    });
    const otherwise = await call(installation, "POST", "/v1/events?partial=true", {
      body: { events: [event] },
      headers: { "Idempotency-Key": "reused" },
    });
    expect(otherwise.status).toBe(422);
  });

  it("is 409 while the first still runs", async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => keyed("parallel", [event, event, event])),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 202).length).toBeGreaterThan(0);
    expect(statuses.every((status) => status === 202 || status === 409)).toBe(true);
    const applied = answers.filter(
      ({ status, headers }) => status === 202 && headers.get("idempotent-replayed") === null,
    );
    expect(applied).toHaveLength(1);
  });

  it("is another key for another tenant", async () => {
    await keyed("both", [event]);
    const foreign = await keyed("both", [{ type: "share" }], { key: installation.keys.two });
    expect([foreign.status, foreign.headers.get("idempotent-replayed")]).toEqual([202, null]);
  });

  it.each(["", "k".repeat(256), "two words"])("refuses the key %j", async (key) => {
    const answer = await keyed(key, [event]);
    if (key === "") expect(answer.status).toBe(202);
    else expect(faultsOf(answer)).toEqual(["header:Idempotency-Key"]);
  });
});

describe("architecture: what is served when the read state is away", () => {
  it("accepts events, with a key too", async () => {
    const away = () => Promise.reject(new ReadStateUnavailable("away"));
    await using other = await openInstallation({
      change: (deps) => ({
        ...deps,
        readState: {
          ...deps.readState,
          countRequest: away,
          generation: away,
          startIdempotent: away,
          users: away,
        },
      }),
    });
    const answer = await call(other, "POST", "/v1/events", {
      body: { events: [{ type: "click", user_id: "u" }] },
      headers: { "Idempotency-Key": "k" },
    });
    expect(answer.status).toBe(202);
    expect(answer.headers.get("x-ratelimit-limit")).toBe("10000");
    const user = await call(other, "GET", "/v1/users/u");
    expect([user.status, user.headers.get("retry-after")]).toEqual([503, "2"]);
  });
});

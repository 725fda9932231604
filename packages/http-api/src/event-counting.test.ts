import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asId } from "@feed/domain/ids";
import type { ContentId, TenantId } from "@feed/domain/ids";
import { TRACKING_TOKEN_TTL_MS } from "@feed/domain/limits";
import { ReadStateUnavailable } from "@feed/read-state/port";
import { waitFor } from "@feed/test-kit";
import type { User } from "./openapi.generated.ts";
import { call } from "./testing/client.ts";
import { eventCalls } from "./testing/event-calls.ts";
import { openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";
import { withMethods } from "@feed/test-kit/with-methods";

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
});
afterAll(() => installation[Symbol.asyncDispose]());

const { post, userAt, factOf, endOffsets, faultsOf } = eventCalls(() => installation);

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

  it("by Idempotency-Key and place without occurred_at, even when the answer was lost", async () => {
    const away = () => Promise.reject(new ReadStateUnavailable("away"));
    await using other = await openInstallation({
      change: (deps) => ({
        ...deps,
        readState: withMethods(deps.readState, { startIdempotent: away }),
      }),
    });
    const event = { type: "session_start", user_id: "keyed", session_id: "s" };
    const body = { events: [event, event] };
    const headers = { "Idempotency-Key": "lost-answer" };
    await call(other, "POST", "/v1/events", { body, headers });
    await call(other, "POST", "/v1/events", { body, headers });
    await waitFor(() => other.projector.facts.length === 4);
    const { json } = await call(other, "GET", "/v1/users/keyed");
    expect((json as { readonly data: User }).data.total_sessions).toBe(2);
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
    expect([answer.status, faultsOf(answer)]).toEqual([400, ["header:Idempotency-Key"]]);
  });
});

describe("architecture: what is served when the read state is away", () => {
  it("accepts events, with a key too", async () => {
    const away = () => Promise.reject(new ReadStateUnavailable("away"));
    await using other = await openInstallation({
      change: (deps) => ({
        ...deps,
        readState: withMethods(deps.readState, {
          countRequest: away,
          generations: away,
          startIdempotent: away,
          users: away,
        }),
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

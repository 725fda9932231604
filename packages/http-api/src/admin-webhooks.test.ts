import { asId, type TenantId } from "@feed/domain/ids";
import type { PushJobState } from "@feed/domain/push";
import { payloadOf } from "@feed/webhooks/payload";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readOpenapiDocument } from "./openapi-document.ts";
import type {
  NewSecretAnswer,
  QueuedDeliveryAnswer,
  WebhookDeliveryAnswer,
  WebhookDeliveryListAnswer,
} from "./openapi.generated.ts";
import { call } from "./testing/client.ts";
import { ADMIN_TOKEN, openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";
import { compileValidation } from "./validation.ts";

const URL = "https://acme.example/hook";
let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
});
afterAll(() => installation[Symbol.asyncDispose]());

const admin = (method: string, path: string, body?: unknown) =>
  call(installation, method, `/admin/v1/tenants${path}`, { key: ADMIN_TOKEN, body });

describe("admin: a tenant's webhook (decisions, Webhook)", () => {
  it("is created with a secret that is shown once, changed without another, and removed", async () => {
    expect((await admin("GET", "/one/webhook")).status).toBe(404);
    const created = await admin("PUT", "/one/webhook", { url: URL });
    expect(created.status).toBe(201);
    const { secret, webhook } = (created.json as NewSecretAnswer).data;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const current = { created_at: expect.any(String), expires_at: null };
    const shown = { url: URL, status: "enabled", disabled_reason: null, secrets: [current] };
    expect(webhook).toEqual(shown);
    const changed = await admin("PUT", "/one/webhook", { url: `${URL}2` });
    expect([changed.status, changed.json]).toEqual([200, { data: { ...shown, url: `${URL}2` } }]);
    const got = await admin("GET", "/one/webhook");
    expect(got.json).toEqual({ data: { ...shown, url: `${URL}2` } });
    expect(got.text).not.toContain(secret.slice("whsec_".length));
    expect((await admin("DELETE", "/one/webhook")).status).toBe(204);
    expect((await admin("DELETE", "/one/webhook")).status).toBe(404);
    expect((await admin("POST", "/one/webhook/test")).status).toBe(404);
    expect((await admin("POST", "/one/webhook/rotate-secret")).status).toBe(404);
  });

  it("gets another secret while the former one signs on for a day", async () => {
    const first = (await admin("PUT", "/two/webhook", { url: URL })).json as NewSecretAnswer;
    const rotated = await admin("POST", "/two/webhook/rotate-secret");
    const { secret, webhook } = (rotated.json as NewSecretAnswer).data;
    expect([rotated.status, secret === first.data.secret]).toEqual([200, false]);
    const [current, former] = webhook.secrets;
    expect(current?.expires_at).toBeNull();
    const lifeMs = Date.parse(former?.expires_at ?? "") - Date.parse(current?.created_at ?? "");
    expect(lifeMs).toBe(24 * 3_600_000);
  });

  it.each([["ftp://acme.example/"], ["nowhere"], ["https://a:b@acme.example/"], ["https://x/#y"]])(
    "is 400 at %s, with a pointer",
    async (url) => {
      const { status, json } = await admin("PUT", "/one/webhook", { url });
      expect([status, json]).toMatchObject([400, { errors: [{ pointer: "/url" }] }]);
    },
  );
});

describe("admin: deliveries (decisions, Webhook)", () => {
  it("are queued by a test, listed in pages newest first, and sent again under the same id", async () => {
    await admin("PUT", "/two/webhook", { url: URL });
    const queued: string[] = [];
    for (let time = 0; time < 3; time += 1) {
      const { status, json } = await admin("POST", "/two/webhook/test");
      expect(status).toBe(202);
      queued.unshift((json as QueuedDeliveryAnswer).data.delivery_id);
    }
    const pageAt = async (query: string) =>
      (await admin("GET", `/two/webhook/deliveries?limit=2${query}`))
        .json as WebhookDeliveryListAnswer;
    const first = await pageAt("");
    const second = await pageAt(`&cursor=${first.meta.next_cursor}`);
    const listed = [...first.data, ...second.data].map(({ delivery_id }) => delivery_id);
    expect(listed.toSorted()).toEqual(queued.toSorted());
    expect(second.meta.next_cursor).toBeNull();
    const path = `/two/webhook/deliveries/${queued[0]}`;
    const again = await admin("POST", `${path}/resend`);
    expect([again.status, again.json]).toEqual([202, { data: { delivery_id: queued[0] } }]);
    const one = (await admin("GET", path)).json as WebhookDeliveryAnswer;
    expect(one.data).toMatchObject({ event: "webhook.test", job_id: null, status: "pending" });
  });

  it("of another tenant are not there, and its cursor is no cursor", async () => {
    await admin("PUT", "/two/webhook", { url: URL });
    const { delivery_id } = ((await admin("POST", "/two/webhook/test")).json as never)["data"];
    expect((await admin("GET", `/one/webhook/deliveries/${delivery_id}`)).status).toBe(404);
    expect((await admin("POST", `/one/webhook/deliveries/${delivery_id}/resend`)).status).toBe(404);
    const page = (await admin("GET", "/two/webhook/deliveries?limit=1"))
      .json as WebhookDeliveryListAnswer;
    const stolen = await admin("GET", `/one/webhook/deliveries?cursor=${page.meta.next_cursor}`);
    expect([stolen.status, stolen.json]).toMatchObject([400, { title: "Invalid Cursor" }]);
  });
});

describe("The payloads of webhooks", () => {
  const validation = compileValidation(readOpenapiDocument());
  const tenantId = asId<TenantId>("one");
  const delivery = { tenantId, deliveryId: "msg_1", createdAtMs: 0 } as const;
  const jobOf = (state: Partial<PushJobState>) =>
    ({
      state: { request: { jobId: "job-1", scenario: "daily" }, completed: null, ...state },
      download: { url: "https://feed.example/r", expiresAtMs: 5 },
    }) as never;
  const completed = {
    targetUserCount: 1,
    usersFailed: 0,
    candidates: 1,
    creditsTenths: 5,
    filterStats: {
      totalAudience: 1,
      excludedDueToNullLastActive: 0,
      excludedDueToLastActiveDays: 0,
      excludedDueToRegisteredRange: 0,
    },
    atMs: 9,
  };
  const failure = { code: "internal", message: "m", atMs: 9 } as const;
  const about = (...call: Parameters<typeof jobOf>) => ({ job: jobOf(...call), alert: undefined });
  const alert = {
    type: "usage-threshold.reached",
    tenantId: "one" as never,
    month: "2026-11",
    thresholdPercent: 80,
    usedTenths: 8,
    capTenths: 10,
    atMs: 9,
  } as const;

  it.each([
    ["push_job.completed", "PushJobCompletedEvent", about({ completed: completed as never })],
    ["push_job.failed", "PushJobFailedEvent", about({ failure })],
    ["usage.threshold_reached", "UsageThresholdReachedEvent", { job: undefined, alert }],
    ["webhook.test", "WebhookTestEvent", { job: undefined, alert: undefined }],
  ] as const)("of %s fit the document, with no field it doesn't have", (event, schema, what) => {
    const payload = payloadOf({ ...delivery, event } as never, what);
    expect(validation.faultOf(schema, payload, "")).toBeUndefined();
    const { properties } = readOpenapiDocument().components.schemas[schema] as {
      readonly properties: object;
    };
    expect(Object.keys(payload).filter((name) => !(name in properties))).toEqual([]);
  });
});

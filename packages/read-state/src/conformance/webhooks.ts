import type { WebhookDeliveryState } from "@feed/domain/webhook";
import { expect } from "vitest";
import type { ReadState, ReadStateChange } from "../port.ts";
import { NO_POSITIONS, NOW_MS, OTHER_TENANT, TENANT } from "./harness.ts";
import type { Check } from "./harness.ts";

function delivery(
  deliveryId: string,
  parts: Partial<WebhookDeliveryState> = {},
): WebhookDeliveryState {
  return {
    tenantId: TENANT,
    deliveryId,
    event: "push_job.completed",
    jobId: "job-1",
    createdAtMs: NOW_MS,
    status: "pending",
    dueAtMs: NOW_MS,
    claimId: null,
    attemptCount: 0,
    attemptsInRow: 0,
    attempts: [],
    ...parts,
  };
}

const put = (state: WebhookDeliveryState, offset = 7): ReadStateChange => ({
  kind: "put-webhook-delivery",
  state,
  offset,
});
const apply = (state: ReadState, ...changes: readonly ReadStateChange[]) =>
  state.apply("webhooks", changes, NO_POSITIONS);
const idsOf = (records: Awaited<ReturnType<ReadState["webhookDeliveries"]>>) =>
  records.map(({ state }) => state.deliveryId);

export const webhookChecks: readonly Check[] = [
  {
    name: "gives a webhook delivery back as it was put, to its tenant alone",
    run: async ({ state }) => {
      const attempt = { attempt: 1, atMs: NOW_MS, tookMs: 3, url: "https://r.example/" };
      const attempts = [
        { ...attempt, status: null, error: "no answer" },
        { ...attempt, status: 200, error: null },
      ];
      const whole = delivery("a", { status: "delivered", dueAtMs: null, attempts });
      await apply(state, put(whole));
      expect(await state.webhookDelivery(TENANT, "a")).toEqual({ state: whole, offset: 7 });
      expect(await state.webhookDelivery(OTHER_TENANT, "a")).toBeUndefined();
      await apply(state, put(delivery("a"), 6));
      expect((await state.webhookDelivery(TENANT, "a"))?.state.status).toBe("delivered");
    },
  },
  {
    name: "lists a tenant's webhook deliveries in pages, newest first",
    run: async ({ state }) => {
      const made = ["a", "b", "c", "d"].map((id, at) =>
        delivery(id, { createdAtMs: NOW_MS + (at >> 1), dueAtMs: null }),
      );
      const other = delivery("e", { tenantId: OTHER_TENANT });
      await apply(state, ...[...made, other].map((one) => put(one)));
      const pageAfter = async (after: Parameters<ReadState["webhookDeliveries"]>[1]) =>
        idsOf(await state.webhookDeliveries(TENANT, after, 3));
      expect(await pageAfter(null)).toEqual(["c", "d", "a"]);
      expect(await pageAfter({ createdAtMs: NOW_MS, deliveryId: "a" })).toEqual(["b"]);
      expect(await pageAfter({ createdAtMs: NOW_MS, deliveryId: "b" })).toEqual([]);
    },
  },
  {
    name: "knows the webhook deliveries of all tenants that are due, longest due first",
    run: async ({ state }) => {
      const due = (id: string, dueAtMs: number | null, parts = {}) =>
        put(delivery(id, { dueAtMs, ...parts }));
      await apply(
        state,
        due("later", NOW_MS + 1),
        due("now", NOW_MS),
        due("earlier", NOW_MS - 5, { tenantId: OTHER_TENANT }),
        due("done", null, { status: "delivered" }),
      );
      const dueAt = async (nowMs: number, limit = 10) =>
        idsOf(await state.dueWebhookDeliveries(nowMs, limit));
      expect(await dueAt(NOW_MS)).toEqual(["earlier", "now"]);
      expect(await dueAt(NOW_MS + 1)).toEqual(["earlier", "now", "later"]);
      expect(await dueAt(NOW_MS + 1, 1)).toEqual(["earlier"]);
      expect(await dueAt(NOW_MS - 6)).toEqual([]);
      // Put off, then done: it is due once, at its latest time, and then never.
      await apply(state, put(delivery("now", { dueAtMs: NOW_MS + 9 }), 8));
      expect(await dueAt(NOW_MS + 9)).toEqual(["earlier", "later", "now"]);
      await apply(state, put(delivery("now", { dueAtMs: null, status: "failed" }), 9));
      expect(await dueAt(NOW_MS + 9)).toEqual(["earlier", "later"]);
    },
  },
];

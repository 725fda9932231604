import { asId, type TenantId } from "@feed/domain/ids";
import type { WebhookDeliveryFact } from "@feed/domain/webhook";
import { describe, expect, it } from "vitest";
import { foldWebhookDeliveries, webhookDeliveriesOf } from "./webhooks.ts";

const queued = (deliveryId: string): WebhookDeliveryFact => ({
  type: "webhook-delivery.queued",
  tenantId: asId<TenantId>("t"),
  deliveryId,
  atMs: 1,
  event: "webhook.test",
  jobId: null,
  isResend: false,
});
const placed = (...facts: readonly WebhookDeliveryFact[]) =>
  facts.map((fact, offset) => ({ fact, partition: 3, offset }));

describe("Webhook deliveries in the read state", () => {
  it("are one change a batch, at the offset of the last fact that changed them", () => {
    const facts = placed(queued("a"), queued("b"), queued("a"));
    expect(webhookDeliveriesOf(facts)).toHaveLength(2);
    const changes = foldWebhookDeliveries(facts, [undefined, undefined]);
    expect(changes).toMatchObject([
      { kind: "put-webhook-delivery", state: { deliveryId: "a", dueAtMs: 1 }, offset: 0 },
      { kind: "put-webhook-delivery", state: { deliveryId: "b" }, offset: 1 },
    ]);
  });

  it("are not changed by facts that they hold already", () => {
    const resend = { ...queued("a"), isResend: true } as const;
    const [stored] = foldWebhookDeliveries(placed(queued("a"), resend), [undefined]);
    expect(stored?.offset).toBe(1);
    expect(foldWebhookDeliveries(placed(queued("a"), resend), [stored])).toEqual([]);
  });
});

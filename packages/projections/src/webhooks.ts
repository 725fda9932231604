import { evolveDelivery, type WebhookDeliveryFact } from "@feed/domain/webhook";
import type { WebhookDeliveryChange, WebhookDeliveryRecord } from "./changes.ts";
import type { Placed } from "./placed.ts";

/** A webhook delivery as it is looked up. */
export type WebhookDeliveryKey = Pick<WebhookDeliveryFact, "tenantId" | "deliveryId">;

/** The deliveries a batch speaks of, once each. */
export function webhookDeliveriesOf(
  facts: readonly Placed<WebhookDeliveryFact>[],
): readonly WebhookDeliveryKey[] {
  const keys = new Map<string, WebhookDeliveryKey>();
  for (const { fact } of facts) {
    const { tenantId, deliveryId } = fact;
    keys.set(nameOf(fact), { tenantId, deliveryId });
  }
  return [...keys.values()];
}

/**
 * Deliveries as a batch leaves them.
 *
 * @param stored records of `webhookDeliveriesOf(facts)`, in that order.
 */
export function foldWebhookDeliveries(
  facts: readonly Placed<WebhookDeliveryFact>[],
  stored: readonly (WebhookDeliveryRecord | undefined)[],
): readonly WebhookDeliveryChange[] {
  const records = new Map<string, WebhookDeliveryRecord>();
  for (const [index, key] of webhookDeliveriesOf(facts).entries()) {
    const known = stored[index];
    if (known !== undefined) records.set(nameOf(key), known);
  }
  const changes = new Map<string, WebhookDeliveryChange>();
  for (const { fact, offset } of facts) {
    const name = nameOf(fact);
    const before = records.get(name);
    if (before !== undefined && offset <= before.offset) continue;
    const state = evolveDelivery(before?.state, fact);
    if (state === undefined || state === before?.state) continue;
    records.set(name, { state, offset });
    changes.set(name, { kind: "put-webhook-delivery", state, offset });
  }
  return [...changes.values()];
}

function nameOf({ tenantId, deliveryId }: WebhookDeliveryKey): string {
  return `${tenantId}\n${deliveryId}`;
}

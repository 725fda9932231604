import { READ_YOUR_WRITES_TIMEOUT_MS } from "@feed/domain/limits";
import type { WebhookDeliveryQueued } from "@feed/domain/webhook";
import { waitForProjection } from "@feed/projector";
import { appendDeliveryFact, newDeliveryId } from "./delivery-log.ts";
import type { DeliveryDesk, WebhookServiceDependencies } from "./service.ts";

/** The log of deliveries, and what is sent on request. */
export function createDeliveryDesk(deps: WebhookServiceDependencies): DeliveryDesk {
  const { directory, readState } = deps;
  return {
    async test(tenantId, nowMs) {
      if (directory.webhook(tenantId) === undefined) return undefined;
      const deliveryId = newDeliveryId();
      const about = { event: "webhook.test", jobId: null } as const;
      await queue(deps, { tenantId, deliveryId, atMs: nowMs, ...about, isResend: false });
      return deliveryId;
    },

    delivery: async (tenantId, deliveryId) =>
      (await readState.webhookDelivery(tenantId, deliveryId))?.state,

    deliveries: async (tenantId, after, limit) =>
      (await readState.webhookDeliveries(tenantId, after, limit)).map(({ state }) => state),

    async resend(tenantId, deliveryId, nowMs) {
      const known = (await readState.webhookDelivery(tenantId, deliveryId))?.state;
      if (known === undefined) return false;
      const { event, jobId } = known;
      await queue(deps, { tenantId, deliveryId, atMs: nowMs, event, jobId, isResend: true });
      return true;
    },
  };
}

/** Durable when it resolves, and as a rule visible. */
async function queue(
  deps: WebhookServiceDependencies,
  fact: Omit<WebhookDeliveryQueued, "type">,
): Promise<void> {
  const position = await appendDeliveryFact(deps, { type: "webhook-delivery.queued", ...fact });
  const { signal } = new AbortController();
  const timeoutMs = deps.readYourWritesMs ?? READ_YOUR_WRITES_TIMEOUT_MS;
  await waitForProjection(deps.readState, "webhooks", position, { timeoutMs, signal });
}

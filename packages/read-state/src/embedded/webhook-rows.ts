import type { TenantId } from "@feed/domain/ids";
import type { WebhookDeliveryState } from "@feed/domain/webhook";
import type { ReadStateChange, WebhookDeliveryPlace, WebhookDeliveryRecord } from "../port.ts";
import { AFTER_STRINGS } from "./push-rows.ts";
import type { ModelTables } from "./tables.ts";

/** Inside a write transaction. */
export function putWebhookDelivery(
  tables: ModelTables,
  { state, offset }: Extract<ReadStateChange, { kind: "put-webhook-delivery" }>,
): void {
  const { tenantId, deliveryId, createdAtMs } = state;
  const place = [tenantId, deliveryId];
  const stored = tables.webhookDeliveries.get(place);
  if (stored !== undefined && stored[1] >= offset) return;
  tables.webhookDeliveries.putSync(place, [state, offset]);
  if (stored === undefined) {
    tables.webhookDeliveriesByTime.putSync([tenantId, -createdAtMs, deliveryId], true);
  } else if (stored[0].dueAtMs !== null) {
    tables.dueWebhookDeliveries.removeSync(dueKey(stored[0], stored[0].dueAtMs));
  }
  if (state.dueAtMs !== null)
    tables.dueWebhookDeliveries.putSync(dueKey(state, state.dueAtMs), true);
}

function dueKey({ tenantId, deliveryId }: WebhookDeliveryState, dueAtMs: number) {
  return [dueAtMs, tenantId, deliveryId];
}

export function webhookDeliveryOf(
  { webhookDeliveries }: ModelTables,
  tenantId: TenantId,
  deliveryId: string,
): WebhookDeliveryRecord | undefined {
  const row = webhookDeliveries.get([tenantId, deliveryId]);
  return row && { state: row[0], offset: row[1] };
}

export function listWebhookDeliveries(
  tables: ModelTables,
  tenantId: TenantId,
  after: WebhookDeliveryPlace | null,
  limit: number,
): readonly WebhookDeliveryRecord[] {
  const start =
    after === null ? [tenantId] : [tenantId, -after.createdAtMs, after.deliveryId, AFTER_STRINGS];
  const end = [tenantId, AFTER_STRINGS];
  return Array.from(
    tables.webhookDeliveriesByTime.getKeys({ start, end, limit }),
    (key) => key as unknown as readonly [TenantId, number, string],
  ).flatMap(([, , deliveryId]) => webhookDeliveryOf(tables, tenantId, deliveryId) ?? []);
}

export function listDueWebhookDeliveries(
  tables: ModelTables,
  nowMs: number,
  limit: number,
): readonly WebhookDeliveryRecord[] {
  return Array.from(
    tables.dueWebhookDeliveries.getKeys({ end: [nowMs, AFTER_STRINGS], limit }),
    (key) => key as unknown as readonly [number, TenantId, string],
  ).flatMap(([, tenantId, deliveryId]) => webhookDeliveryOf(tables, tenantId, deliveryId) ?? []);
}

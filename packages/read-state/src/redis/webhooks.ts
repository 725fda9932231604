import type { WebhookDeliveryState } from "@feed/domain/webhook";
import type { ReadStateChange, WebhookDeliveryRecord } from "../port.ts";
import type { RedisConnection } from "./connection.ts";
import { memberOf, ofMember, type Keys } from "./keys.ts";
import type { Records } from "./records.ts";

const INDEX_PAGE = 100;

/**
 * As with push jobs: the index of what is due, beside all tenants, is changed before a record that is due and after
 * one that is not. An entry can be early after a crash, never missing.
 */
export async function putWebhookDelivery(
  redis: RedisConnection,
  keys: Keys,
  deliveries: Records<WebhookDeliveryState>,
  { state, offset }: Extract<ReadStateChange, { kind: "put-webhook-delivery" }>,
): Promise<void> {
  const { tenantId, deliveryId, createdAtMs, dueAtMs } = state;
  const index = keys.dueWebhooks();
  const member = memberOf(tenantId, deliveryId);
  if (dueAtMs !== null) await redis.send(index, "ZADD", index, String(dueAtMs), member);
  await deliveries.put(tenantId, { atMs: createdAtMs, id: deliveryId }, { state, offset });
  if (dueAtMs === null) await redis.send(index, "ZREM", index, member);
}

/** Longest due first. The record says whether it is due; the index only where to look. */
export async function dueWebhookDeliveries(
  redis: RedisConnection,
  keys: Keys,
  deliveries: Records<WebhookDeliveryState>,
  nowMs: number,
  limit: number,
): Promise<readonly WebhookDeliveryRecord[]> {
  const index = keys.dueWebhooks();
  const due: WebhookDeliveryRecord[] = [];
  for (let from = 0; due.length < limit; from += INDEX_PAGE) {
    const range = ["-inf", String(nowMs), "BYSCORE", "LIMIT", String(from), String(INDEX_PAGE)];
    const members = (await redis.send(index, "ZRANGE", index, ...range)) as readonly Buffer[];
    const records = await Promise.all(
      members.map((member) => deliveries.get(...ofMember(member.toString()))),
    );
    due.push(...records.filter((record) => isDue(record, nowMs)));
    if (members.length < INDEX_PAGE) break;
  }
  return due.slice(0, limit);
}

function isDue(
  record: WebhookDeliveryRecord | undefined,
  nowMs: number,
): record is WebhookDeliveryRecord {
  const dueAtMs = record?.state.dueAtMs ?? null;
  return dueAtMs !== null && dueAtMs <= nowMs;
}

import { createHash, randomBytes } from "node:crypto";
import type { TenantId } from "@feed/domain/ids";
import { TOPICS, type LogPosition } from "@feed/domain/topics";
import type { WebhookDeliveryFact } from "@feed/domain/webhook";
import { partitionOf } from "@feed/signing";
import type { UsageAlert } from "@feed/tenant-directory";
import type { WebhookDependencies } from "./dependencies.ts";

/** No dots: the id is a part of what is signed (Standard Webhooks 1.0.0). */
const ID_PREFIX = "msg_";
const ID_CHARS = 26;

/** One for each final state: a job has one, whoever announces it and how often. */
export function deliveryIdOfJob(tenantId: TenantId, jobId: string): string {
  return idFrom(`${tenantId.length}:${tenantId}${jobId}`);
}

/** One for each month and threshold. */
export function deliveryIdOfAlert({ tenantId, month, thresholdPercent }: UsageAlert): string {
  return idFrom(`usage:${tenantId.length}:${tenantId}${month}:${thresholdPercent}`);
}

function idFrom(input: string): string {
  return `${ID_PREFIX}${createHash("sha256").update(input).digest("hex").slice(0, ID_CHARS)}`;
}

export function newDeliveryId(): string {
  return `${ID_PREFIX}${randomBytes(ID_CHARS / 2).toString("hex")}`;
}

export async function appendDeliveryFact(
  { eventLog, codec }: Pick<WebhookDependencies, "eventLog" | "codec">,
  fact: WebhookDeliveryFact,
): Promise<LogPosition> {
  const partition = partitionOf(fact.tenantId, TOPICS.webhooks.partitions);
  const value = codec.encode(fact);
  const record = { partition, key: fact.deliveryId, value, timestampMs: fact.atMs };
  const [position] = await eventLog.append([{ topic: "webhooks", ...record }]);
  if (position === undefined) throw new Error("an append gave no position");
  return position;
}

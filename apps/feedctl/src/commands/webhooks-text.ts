import type { Webhook, WebhookDeliveryState } from "@feed/domain/webhook";

/** A webhook for reading. */
export function webhookLines({ url, disabled, secrets }: Webhook, nowMs: number): string {
  const signing = secrets.filter(({ expiresAtMs }) => expiresAtMs === null || nowMs < expiresAtMs);
  return [
    `address  ${url}`,
    `status   ${disabled === null ? "enabled" : `disabled: ${disabled.reason}`}`,
    ...signing.map(
      ({ createdAtMs, expiresAtMs }) =>
        `secret   of ${isoTime(createdAtMs)}${expiresAtMs === null ? "" : `, until ${isoTime(expiresAtMs)}`}`,
    ),
  ].join("\n");
}

export function deliveryLines(delivery: WebhookDeliveryState): string {
  const { deliveryId, event, jobId, status, dueAtMs } = delivery;
  const next = dueAtMs === null ? "" : `, next attempt ${isoTime(dueAtMs)}`;
  return [
    `${isoTime(delivery.createdAtMs)}  ${deliveryId}  ${event}${jobId === null ? "" : `  ${jobId}`}  ${status}${next}`,
    ...delivery.attempts.map(
      ({ attempt, atMs, tookMs, url, error }) =>
        `  attempt ${attempt}  ${isoTime(atMs)}  ${tookMs} ms  ${url}  ${error ?? "delivered"}`,
    ),
  ].join("\n");
}

function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}

import type { Webhook, WebhookDeliveryState } from "@feed/domain/webhook";
import type {
  Webhook as WebhookShown,
  WebhookDelivery as WebhookDeliveryShown,
} from "./openapi.generated.ts";
import { isoTime } from "./present-time.ts";

/** Never a secret itself, nor one that has ended. */
export function presentWebhook({ url, disabled, secrets }: Webhook, nowMs: number): WebhookShown {
  return {
    url,
    status: disabled === null ? "enabled" : "disabled",
    disabled_reason: disabled?.reason ?? null,
    secrets: secrets
      .filter(({ expiresAtMs }) => expiresAtMs === null || nowMs < expiresAtMs)
      .map(({ createdAtMs, expiresAtMs }) => ({
        created_at: isoTime(createdAtMs),
        expires_at: expiresAtMs === null ? null : isoTime(expiresAtMs),
      })),
  };
}

export function presentDelivery(delivery: WebhookDeliveryState): WebhookDeliveryShown {
  const { dueAtMs, attempts } = delivery;
  return {
    delivery_id: delivery.deliveryId,
    event: delivery.event,
    job_id: delivery.jobId,
    status: delivery.status,
    created_at: isoTime(delivery.createdAtMs),
    next_attempt_at: dueAtMs === null ? null : isoTime(dueAtMs),
    attempt_count: delivery.attemptCount,
    attempts: attempts.map(({ attempt, atMs, tookMs, url, status, error }) => ({
      attempt,
      at: isoTime(atMs),
      took_ms: tookMs,
      url,
      status,
      error,
    })),
  };
}

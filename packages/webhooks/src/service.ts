import type { TenantId } from "@feed/domain/ids";
import type { Webhook, WebhookDeliveryState } from "@feed/domain/webhook";
import type { WebhookDeliveryPlace } from "@feed/read-state";
import { createDeliveryDesk } from "./delivery-desk.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import { createWebhookSettings } from "./settings.ts";
import type { WebhookTargets } from "./targets.ts";

/** Who changes a webhook, and when. */
export interface Stamp {
  readonly actor: string;
  readonly atMs: number;
}

/** A webhook after a change, and the secret where one was made: it is shown this once. */
export interface WebhookChange {
  readonly webhook: Webhook;
  readonly secret: string | null;
}

export interface WebhookSettings {
  /** Keeps the secrets of a webhook that is there, and enables it. Errors: WebhookUrlRefused. */
  save(tenantId: TenantId, url: string, stamp: Stamp): Promise<WebhookChange>;
  /** The former secret signs beside the new one for WEBHOOK_SECRET_OVERLAP_MS. Undefined: no webhook. */
  rotateSecret(tenantId: TenantId, stamp: Stamp): Promise<WebhookChange | undefined>;
  /** False: there was none. */
  remove(tenantId: TenantId, stamp: Stamp): Promise<boolean>;
  /** What deliveries are signed with at an instant, as shown when they were made. */
  secrets(tenantId: TenantId, nowMs: number): readonly string[];
}

export interface DeliveryDesk {
  /** Queues a delivery of `webhook.test`; resolves with its id, as a rule when it is visible. Undefined: no webhook. */
  test(tenantId: TenantId, nowMs: number): Promise<string | undefined>;
  delivery(tenantId: TenantId, deliveryId: string): Promise<WebhookDeliveryState | undefined>;
  /** Newest first. */
  deliveries(
    tenantId: TenantId,
    after: WebhookDeliveryPlace | null,
    limit: number,
  ): Promise<readonly WebhookDeliveryState[]>;
  /** Queues it again under the same id; false: there is none. */
  resend(tenantId: TenantId, deliveryId: string, nowMs: number): Promise<boolean>;
}

/** Webhooks for operators. Errors: of the parts that are away, as they throw them. */
export interface WebhookService extends WebhookSettings, DeliveryDesk {}

/** What operators need of the parts. */
export type WebhookServiceDependencies = Pick<
  WebhookDependencies,
  "eventLog" | "codec" | "readState" | "directory" | "keyring"
> & {
  /** How long what is queued waits to be seen; READ_YOUR_WRITES_TIMEOUT_MS when omitted. */
  readonly readYourWritesMs?: number;
};

export function createWebhookService(
  deps: WebhookServiceDependencies,
  { targets }: { readonly targets: WebhookTargets },
): WebhookService {
  return { ...createWebhookSettings(deps, targets), ...createDeliveryDesk(deps) };
}

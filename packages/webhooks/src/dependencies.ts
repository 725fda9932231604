import type { FactCodec } from "@feed/event-codec";
import type { EventLog } from "@feed/event-log";
import type { PushService } from "@feed/push";
import type { ReadState } from "@feed/read-state";
import type { Clock, Logger } from "@feed/runtime";
import type { Keyring } from "@feed/signing";
import type { TenantDirectory } from "@feed/tenant-directory";

/** What every part of webhooks works with; opened and closed by whoever starts it. */
export interface WebhookDependencies {
  readonly eventLog: EventLog;
  readonly codec: FactCodec;
  readonly readState: Pick<
    ReadState,
    | "positions"
    | "creditStanding"
    | "pushJob"
    | "webhookDelivery"
    | "webhookDeliveries"
    | "dueWebhookDeliveries"
  >;
  readonly directory: TenantDirectory;
  readonly keyring: Pick<Keyring, "webhookSecretKey">;
  /** Where a job's result is downloaded. */
  readonly push: Pick<PushService, "find">;
  readonly clock: Clock;
  readonly log: Logger;
}

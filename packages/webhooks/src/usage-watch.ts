import { setTimeout as delay } from "node:timers/promises";
import { billingMonth } from "@feed/domain/credits";
import { USAGE_ALERT_PERCENT } from "@feed/domain/limits";
import type { Tenant } from "@feed/domain/tenant";
import { isPartAway } from "@feed/push";
import type { UsageAlert } from "@feed/tenant-directory";
import { appendDeliveryFact, deliveryIdOfAlert } from "./delivery-log.ts";
import type { WebhookDependencies } from "./dependencies.ts";

const ACTOR = "usage-watch";
const POLL_MS = 5_000;

/** A running watch. */
export interface UsageWatch extends AsyncDisposable {
  /** Rejects when it stopped by an error other than a part that is away. */
  readonly failed: Promise<never>;
}

/**
 * Looks every few seconds at what tenants with a cap have used, and says once a month and threshold that it was reached: as
 * a fact, and to the tenant's webhook. Any number of watches may do so: the first fact stands, and the delivery's id
 * comes from it.
 */
export function runUsageWatch(
  deps: WebhookDependencies,
  { pollMs = POLL_MS }: { readonly pollMs?: number } = {},
): UsageWatch {
  const stop = new AbortController();
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  const watch = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        for (const tenant of deps.directory.tenants()) await look(deps, tenant);
      } catch (error) {
        if (!isPartAway(error)) return reject(error);
        deps.log.warn({ err: error }, "the usage of tenants can't be looked at");
      }
      await delay(pollMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  };
  const watching = watch();
  return {
    failed,
    [Symbol.asyncDispose]: () => {
      stop.abort();
      return watching;
    },
  };
}

async function look(deps: WebhookDependencies, tenant: Tenant): Promise<void> {
  const month = billingMonth(deps.clock.nowMs());
  const alert = knownAlert(deps, tenant, month) ?? (await noticed(deps, tenant, month));
  if (alert !== undefined) await tell(deps, alert);
}

function knownAlert(
  { directory }: WebhookDependencies,
  { tenantId }: Tenant,
  month: string,
): UsageAlert | undefined {
  return directory
    .usageAlerts(tenantId)
    .find((one) => one.month === month && one.thresholdPercent === USAGE_ALERT_PERCENT);
}

/** The alert, where the threshold is reached now. */
async function noticed(
  deps: WebhookDependencies,
  tenant: Tenant,
  month: string,
): Promise<UsageAlert | undefined> {
  const { tenantId } = tenant;
  const { usedTenths, capTenths } = await deps.readState.creditStanding(tenantId, month);
  if (!isReached(usedTenths, capTenths)) return undefined;
  const reached = {
    type: "usage-threshold.reached",
    tenantId,
    month,
    thresholdPercent: USAGE_ALERT_PERCENT,
    usedTenths,
    capTenths,
  } as const;
  await deps.directory.change([{ ...reached, actor: ACTOR, atMs: deps.clock.nowMs() }]);
  return knownAlert(deps, tenant, month);
}

/** A cap of nothing is reached from the start, which is no news. */
function isReached(usedTenths: number, capTenths: number | null): capTenths is number {
  return capTenths !== null && capTenths > 0 && usedTenths * 100 >= capTenths * USAGE_ALERT_PERCENT;
}

async function tell(deps: WebhookDependencies, alert: UsageAlert): Promise<void> {
  const { tenantId } = alert;
  if (deps.directory.webhook(tenantId) === undefined) return;
  const deliveryId = deliveryIdOfAlert(alert);
  if ((await deps.readState.webhookDelivery(tenantId, deliveryId)) !== undefined) return;
  await appendDeliveryFact(deps, {
    type: "webhook-delivery.queued",
    tenantId,
    deliveryId,
    atMs: deps.clock.nowMs(),
    event: "usage.threshold_reached",
    jobId: null,
    isResend: false,
  });
}

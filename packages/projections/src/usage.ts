import { billingMonth } from "@feed/domain/credits";
import type { DeliveryFact } from "@feed/domain/facts";
import type { TenantId } from "@feed/domain/ids";
import type { UsageChange, UsageRecord } from "./changes.ts";
import type { Placed } from "./placed.ts";

/** One sum of credits: a tenant's, of one month, of one partition of `deliveries`. */
export interface UsageKey {
  readonly tenantId: TenantId;
  /** `YYYY-MM` in Asia/Tokyo (spec 8, Credits). */
  readonly month: string;
  readonly partition: number;
}

/** The sums a batch of deliveries adds to, once each. */
export function usageKeysOf(facts: readonly Placed<DeliveryFact>[]): readonly UsageKey[] {
  const keys = new Map<string, UsageKey>();
  for (const placed of facts) {
    const key = usageKey(placed);
    keys.set(usageName(key), key);
  }
  return [...keys.values()];
}

/**
 * Deliveries added up (spec 8, Credits): a fact at or below its sum's offset is in it already.
 *
 * @param stored sums of `usageKeysOf(facts)`, in that order.
 */
export function foldUsage(
  facts: readonly Placed<DeliveryFact>[],
  stored: readonly (UsageRecord | undefined)[],
): readonly UsageChange[] {
  const sums = new Map<string, UsageRecord>();
  for (const [index, key] of usageKeysOf(facts).entries()) {
    const known = stored[index];
    if (known !== undefined) sums.set(usageName(key), known);
  }
  const changes = new Map<string, UsageChange>();
  for (const placed of facts) {
    const key = usageKey(placed);
    const name = usageName(key);
    const before = sums.get(name);
    if (before !== undefined && placed.offset <= before.offset) continue;
    const tenths = (before?.tenths ?? 0) + placed.fact.creditsTenths;
    const { offset } = placed;
    sums.set(name, { tenths, offset });
    changes.set(name, { kind: "put-usage", ...key, tenths, offset });
  }
  return [...changes.values()];
}

function usageKey({ fact, partition }: Placed<DeliveryFact>): UsageKey {
  return { tenantId: fact.tenantId, month: billingMonth(fact.servedAtMs), partition };
}

function usageName({ tenantId, month, partition }: UsageKey): string {
  return `${tenantId}\n${month}\n${partition}`;
}

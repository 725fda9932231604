import { billingMonth } from "@feed/domain/credits";
import type { DeliveryFact } from "@feed/domain/facts";
import type { TenantId, UserRef } from "@feed/domain/ids";
import { TOPICS } from "@feed/domain/topics";
import { partitionOf } from "@feed/signing";
import type { FeedDependencies } from "./dependencies.ts";

export type Charge =
  | { readonly kind: "granted" }
  | { readonly kind: "usage-limit-exceeded"; readonly capTenths: number };

type ChargeDependencies = Pick<
  FeedDependencies,
  "eventLog" | "codec" | "readState" | "onUnrecorded"
>;

/** Takes the cost of a request before it is worked on, so that a cap holds under concurrency (spec 7: 402). */
export async function takeCost(
  deps: ChargeDependencies,
  tenantId: TenantId,
  tenths: number,
  nowMs: number,
): Promise<Charge> {
  const taken = await deps.readState.takeCredits(tenantId, billingMonth(nowMs), tenths);
  if (taken.kind === "granted") return { kind: "granted" };
  return { kind: "usage-limit-exceeded", capTenths: taken.capTenths };
}

/** Gives back what was taken for a request that ends without a charged answer. */
export async function returnCost(
  deps: ChargeDependencies,
  tenantId: TenantId,
  tenths: number,
  nowMs: number,
): Promise<void> {
  await deps.readState.returnCredits(tenantId, billingMonth(nowMs), tenths);
}

/**
 * Appends what is about to be served, and resolves with the credits charged when that is durable. With the log
 * away the answer is served all the same, free and unrecorded (architecture section 2, table).
 */
export async function recordDelivery(
  deps: ChargeDependencies,
  fact: DeliveryFact,
  userRef?: UserRef,
): Promise<number> {
  const subject = fact.type === "feed.delivered" ? fact.subjectId : undefined;
  try {
    await deps.eventLog.append([
      {
        topic: "deliveries",
        partition: partitionOf(userRef ?? fact.requestId, TOPICS.deliveries.partitions),
        key: subject ?? fact.requestId,
        value: deps.codec.encode(fact),
        timestampMs: fact.servedAtMs,
      },
    ]);
    return fact.creditsTenths;
  } catch (error) {
    deps.onUnrecorded(error);
    await returnCost(deps, fact.tenantId, fact.creditsTenths, fact.servedAtMs);
    return 0;
  }
}

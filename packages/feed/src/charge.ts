import { billingMonth } from "@feed/domain/credits";
import type { DeliveryFact } from "@feed/domain/facts";
import type { TenantId, UserRef } from "@feed/domain/ids";
import { TOPICS } from "@feed/domain/topics";
import { LogClosed, LogUnavailable } from "@feed/event-log";
import { partitionOf } from "@feed/signing";
import type { FeedDependencies } from "./dependencies.ts";
import { unlessReadStateAway } from "./read-state-away.ts";

/** What a request was granted; given back when it ends without a charged answer. */
export interface Grant {
  readonly kind: "granted";
  readonly giveBack: () => Promise<void>;
}
export type Charge = Grant | { readonly kind: "usage-limit-exceeded"; readonly capTenths: number };

type ChargeDependencies = Pick<
  FeedDependencies,
  "eventLog" | "codec" | "readState" | "onUnrecorded"
>;

/**
 * Takes the cost of a request before it is worked on, so that a cap holds under concurrency (spec 7: 402). With
 * the read state away no cap can be looked at: the request is granted, and charged by what is recorded.
 */
export async function takeCost(
  { readState }: Pick<FeedDependencies, "readState">,
  tenantId: TenantId,
  tenths: number,
  nowMs: number,
): Promise<Charge> {
  if (tenths === 0) return { kind: "granted", giveBack: () => Promise.resolve() };
  const month = billingMonth(nowMs);
  const taken = await unlessReadStateAway(readState.takeCredits(tenantId, month, tenths));
  if (taken?.kind === "cap-reached") {
    return { kind: "usage-limit-exceeded", capTenths: taken.capTenths };
  }
  const giveBack = async () => {
    if (taken !== undefined)
      await unlessReadStateAway(readState.returnCredits(tenantId, month, tenths));
  };
  return { kind: "granted", giveBack };
}

/**
 * Appends what is about to be served, and resolves with the credits charged when that is durable. With the log
 * away the answer is served all the same, free and unrecorded (architecture section 2, table); a closed one is
 * away too: its node is ending and answers what it has begun.
 *
 * Errors: LogRejected; nothing is given back then, because the request fails.
 */
export async function recordDelivery(
  deps: ChargeDependencies,
  grant: Grant,
  fact: DeliveryFact,
  userRef?: UserRef,
): Promise<number> {
  const subject = fact.type === "feed.delivered" ? fact.subjectId : undefined;
  const record = {
    topic: "deliveries",
    partition: partitionOf(userRef ?? fact.requestId, TOPICS.deliveries.partitions),
    key: subject ?? fact.requestId,
    value: deps.codec.encode(fact),
    timestampMs: fact.servedAtMs,
  } as const;
  try {
    await deps.eventLog.append([record]);
    return fact.creditsTenths;
  } catch (error) {
    if (!(error instanceof LogUnavailable || error instanceof LogClosed)) throw error;
    deps.onUnrecorded(error);
    await grant.giveBack();
    return 0;
  }
}

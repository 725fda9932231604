import { billingMonth } from "@feed/domain/credits";
import type { CreditFact, DeliveryFact } from "@feed/domain/facts";
import type { PushJobFact } from "@feed/domain/push-facts";
import type { WebhookDeliveryFact } from "@feed/domain/webhook";
import type { FactCodec } from "@feed/event-codec";
import {
  foldPushJobs,
  foldUsage,
  foldWebhookDeliveries,
  reservationAfter,
  type PushJobRecord,
  type Reservation,
} from "@feed/projections";
import type { ReadState, UsageRecord, WebhookDeliveryRecord } from "@feed/read-state";
import { isCreditFact, isDeliveryFact, isPushJobFact, isWebhookDeliveryFact } from "../decoding.ts";
import type { Check } from "./check.ts";
import { foldedCheck } from "./folded-check.ts";

/** Sums of credits, caps and reservations, push jobs, and webhook deliveries. */
export function readStateChecks(readState: ReadState, codec: FactCodec): readonly Check[] {
  return [
    usageCheck(readState, codec),
    creditsCheck(readState, codec),
    pushJobsCheck(readState, codec),
    webhooksCheck(readState, codec),
  ];
}

/** The ledger: what was charged, by tenant, month and partition. */
function usageCheck(readState: ReadState, codec: FactCodec): Check {
  return foldedCheck<DeliveryFact, UsageRecord>(
    {
      projection: "read-state.deliveries",
      topic: "deliveries",
      kind: "credits used",
      belongs: isDeliveryFact,
      nameOf: ({ fact: { tenantId, servedAtMs }, partition }) =>
        `${billingMonth(servedAtMs)} of ${tenantId}, partition ${partition}`,
      fold: (before, placed) => {
        const [change] = foldUsage([placed], [before]);
        return change === undefined ? before : { tenths: change.tenths, offset: change.offset };
      },
      live: ({ fact: { tenantId, servedAtMs }, partition }) =>
        readState.usage(tenantId, billingMonth(servedAtMs), partition),
      positions: () => readState.positions("deliveries"),
    },
    codec,
  );
}

/** A tenant's cap in tenths, null where it was lifted, or where a reservation stands. */
type CreditRecord = Reservation | { readonly capTenths: number | null };

function creditsCheck(readState: ReadState, codec: FactCodec): Check {
  return foldedCheck<CreditFact, CreditRecord>(
    {
      projection: "read-state.credits",
      topic: "credits",
      kind: "cap or reservation",
      belongs: isCreditFact,
      nameOf: ({ fact }) =>
        fact.type === "usage-cap.set"
          ? `cap of ${fact.tenantId}`
          : `${fact.reservationId} of ${fact.tenantId}`,
      fold: (before, { fact }) => {
        if (fact.type === "usage-cap.set") return { capTenths: fact.capTenths };
        const stored = before !== undefined && "step" in before ? before : undefined;
        return reservationAfter(stored, fact) ?? before;
      },
      live: async ({ fact }) => {
        if (fact.type !== "usage-cap.set")
          return readState.reservation(fact.tenantId, fact.reservationId);
        const month = billingMonth(fact.atMs);
        const { capTenths } = await readState.creditStanding(fact.tenantId, month);
        return { capTenths };
      },
      positions: () => readState.positions("credits"),
    },
    codec,
  );
}

function pushJobsCheck(readState: ReadState, codec: FactCodec): Check {
  return foldedCheck<PushJobFact, PushJobRecord>(
    {
      projection: "read-state.push-jobs",
      topic: "push-jobs",
      kind: "push job",
      belongs: isPushJobFact,
      nameOf: ({ fact }) => `${fact.jobId} of ${fact.tenantId}`,
      fold: (before, placed) => {
        const change = foldPushJobs([placed], [before]).find(({ kind }) => kind === "put-push-job");
        if (change?.kind !== "put-push-job") return before;
        return { state: change.state, offset: change.offset };
      },
      live: ({ fact }) => readState.pushJob(fact.tenantId, fact.jobId),
      positions: () => readState.positions("push-jobs"),
    },
    codec,
  );
}

function webhooksCheck(readState: ReadState, codec: FactCodec): Check {
  return foldedCheck<WebhookDeliveryFact, WebhookDeliveryRecord>(
    {
      projection: "read-state.webhooks",
      topic: "webhooks",
      kind: "webhook delivery",
      belongs: isWebhookDeliveryFact,
      nameOf: ({ fact }) => `${fact.deliveryId} of ${fact.tenantId}`,
      fold: (before, placed) => {
        const [change] = foldWebhookDeliveries([placed], [before]);
        return change === undefined ? before : { state: change.state, offset: change.offset };
      },
      live: ({ fact }) => readState.webhookDelivery(fact.tenantId, fact.deliveryId),
      positions: () => readState.positions("webhooks"),
    },
    codec,
  );
}

import type { CreditFact, DeliveryFact, UserFact } from "@feed/domain/facts";
import type { PushJobFact } from "@feed/domain/push-facts";
import type { WebhookDeliveryFact } from "@feed/domain/webhook";
import type { FactCodec } from "@feed/event-codec";
import type { PersonalData } from "@feed/personal-data";
import {
  deletedSubjects,
  foldPushJobs,
  foldUsage,
  foldUserFacts,
  foldWebhookDeliveries,
  projectCreditFact,
  pushJobsOf,
  revivedSubjects,
  subjectsOf,
  usageKeysOf,
  webhookDeliveriesOf,
} from "@feed/projections";
import { ReadStateUnavailable } from "@feed/read-state";
import type { ReadState, ReadStateChange, ReadStateProjection } from "@feed/read-state";
import {
  decodeFacts,
  isCreditFact,
  isDeliveryFact,
  isPushJobFact,
  isWebhookDeliveryFact,
} from "../decoding.ts";
import type { ProjectionTarget } from "../target.ts";

/** A chunk of a push job changes a row for each of its users: a batch keeps below CHANGES_PER_APPLY_MAX. */
const PUSH_RECORDS_PER_BATCH_MAX = 20;

/**
 * Users, read contents and sessions. It is also what ends a deletion: a generation is over, and DELETE answered, once
 * the keys of its subject are destroyed (architecture rule 7).
 */
export function usersTarget(
  readState: ReadState,
  personalData: Pick<PersonalData, "openUserFacts" | "forgetAll">,
): ProjectionTarget<UserFact, ReadStateChange> {
  return {
    ...readStateParts(readState, "users"),
    decode: (batch) => personalData.openUserFacts(batch),
    fold: async (facts) => {
      await personalData.forgetAll(deletedSubjects(facts));
      const stored = await readState.users(subjectsOf(facts));
      await personalData.forgetAll(revivedSubjects(facts, stored));
      return foldUserFacts(facts, stored);
    },
  };
}

/**
 * Deliveries are many and small, and nobody waits for their sums: API nodes count what they take themselves. Each
 * batch is a commit that appends to the log have to wait for.
 */
const USAGE_LINGER_MS = 200;

/** Credits used, by tenant and month. */
export function usageTarget(
  readState: ReadState,
  codec: FactCodec,
): ProjectionTarget<DeliveryFact, ReadStateChange> {
  return {
    ...readStateParts(readState, "deliveries"),
    lingerMs: USAGE_LINGER_MS,
    decode: async (batch) => decodeFacts(batch, codec, isDeliveryFact),
    fold: async (facts) => {
      const stored = usageKeysOf(facts).map(({ tenantId, month, partition }) =>
        readState.usage(tenantId, month, partition),
      );
      return { changes: foldUsage(facts, await Promise.all(stored)), refused: [] };
    },
  };
}

/** Push jobs, and what they chose for users. */
export function pushJobsTarget(
  readState: ReadState,
  codec: FactCodec,
): ProjectionTarget<PushJobFact, ReadStateChange> {
  return {
    ...readStateParts(readState, "push-jobs"),
    decode: async (batch) => decodeFacts(batch, codec, isPushJobFact),
    fold: async (facts) => {
      const stored = pushJobsOf(facts).map(({ tenantId, jobId }) =>
        readState.pushJob(tenantId, jobId),
      );
      return { changes: foldPushJobs(facts, await Promise.all(stored)), refused: [] };
    },
    recordsMax: PUSH_RECORDS_PER_BATCH_MAX,
  };
}

/** Webhook deliveries and their attempts. */
export function webhooksTarget(
  readState: ReadState,
  codec: FactCodec,
): ProjectionTarget<WebhookDeliveryFact, ReadStateChange> {
  return {
    ...readStateParts(readState, "webhooks"),
    decode: async (batch) => decodeFacts(batch, codec, isWebhookDeliveryFact),
    fold: async (facts) => {
      const stored = webhookDeliveriesOf(facts).map(({ tenantId, deliveryId }) =>
        readState.webhookDelivery(tenantId, deliveryId),
      );
      return { changes: foldWebhookDeliveries(facts, await Promise.all(stored)), refused: [] };
    },
  };
}

/** Usage caps and reservations. */
export function capsTarget(
  readState: ReadState,
  codec: FactCodec,
): ProjectionTarget<CreditFact, ReadStateChange> {
  return {
    ...readStateParts(readState, "credits"),
    decode: async (batch) => decodeFacts(batch, codec, isCreditFact),
    fold: async (facts) => ({
      changes: facts.map(({ fact, offset }) => projectCreditFact(fact, offset)),
      refused: [],
    }),
  };
}

function readStateParts(readState: ReadState, projection: ReadStateProjection) {
  return {
    name: `read-state.${projection}`,
    topic: projection,
    lingerMs: 0,
    reportsUnreadable: true,
    positions: () => readState.positions(projection),
    apply: (changes: readonly ReadStateChange[], positions: ReadonlyMap<number, number>) =>
      readState.apply(projection, changes, positions),
    isUnavailable: (error: unknown) => error instanceof ReadStateUnavailable,
    isRefusal: () => false,
  };
}

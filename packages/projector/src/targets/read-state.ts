import type { CreditFact, DeliveryFact, UserFact } from "@feed/domain/facts";
import type { PushJobFact } from "@feed/domain/push-facts";
import type { FactCodec } from "@feed/event-codec";
import type { PersonalData } from "@feed/personal-data";
import {
  foldPushJobs,
  foldUsage,
  foldUserFacts,
  projectCreditFact,
  pushJobsOf,
  subjectsOf,
  usageKeysOf,
} from "@feed/projections";
import { ReadStateUnavailable } from "@feed/read-state";
import type { ReadState, ReadStateChange, ReadStateProjection } from "@feed/read-state";
import {
  decodeFacts,
  decodeUserFacts,
  isCreditFact,
  isDeliveryFact,
  isPushJobFact,
} from "../decoding.ts";
import type { ProjectionTarget } from "../target.ts";

/** A chunk of a push job changes a row for each of its users: a batch keeps below CHANGES_PER_APPLY_MAX. */
const PUSH_RECORDS_PER_BATCH_MAX = 20;

/** Users, read contents and sessions. */
export function usersTarget(
  readState: ReadState,
  personalData: Pick<PersonalData, "openUserFacts">,
): ProjectionTarget<UserFact, ReadStateChange> {
  return {
    ...readStateParts(readState, "users"),
    decode: (batch) => decodeUserFacts(batch, personalData),
    fold: async (facts) => foldUserFacts(facts, await readState.users(subjectsOf(facts))),
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

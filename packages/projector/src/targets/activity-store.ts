import { ActivityStoreUnavailable } from "@feed/activity-store";
import type { ActivityStore, ActivityTopic } from "@feed/activity-store";
import type { StoredFact, UserFact } from "@feed/domain/facts";
import type { FactCodec } from "@feed/event-codec";
import type { PartitionBatch } from "@feed/event-log";
import type { PersonalData } from "@feed/personal-data";
import type { Placed } from "@feed/projections";
import {
  projectContentActivity,
  projectCreditActivity,
  projectDeliveryActivity,
  projectPushActivity,
  projectUserActivity,
} from "@feed/projections/activity";
import { NO_ROWS } from "@feed/projections/activity-rows";
import type { ActivityRows } from "@feed/projections/activity-rows";
import {
  decodeFacts,
  decodeUserFacts,
  isContentFact,
  isCreditFact,
  isDeliveryFact,
  isPushJobFact,
} from "../decoding.ts";
import type { Decoded, ProjectionTarget } from "../target.ts";

/** Each insert becomes a part on disk that is merged later: fewer and larger ones. */
const LINGER_MS = 200;

interface Sources {
  readonly codec: FactCodec;
  readonly personalData: Pick<PersonalData, "openUserFacts">;
}

/** Everything that happened, for counting: one target for each of its topics. */
export function activityTargets(store: ActivityStore, { codec, personalData }: Sources) {
  const plain = <Fact extends StoredFact>(belongs: (fact: StoredFact) => fact is Fact) => {
    return async (batch: PartitionBatch) => decodeFacts(batch, codec, belongs);
  };
  return {
    users: activityTarget<UserFact>(
      store,
      "users",
      (batch) => decodeUserFacts(batch, personalData),
      ({ fact, offset }) => projectUserActivity(fact, offset),
    ),
    deliveries: activityTarget(store, "deliveries", plain(isDeliveryFact), ({ fact }) =>
      projectDeliveryActivity(fact),
    ),
    credits: activityTarget(store, "credits", plain(isCreditFact), ({ fact, offset }) =>
      projectCreditActivity(fact, offset),
    ),
    pushJobs: activityTarget(store, "push-jobs", plain(isPushJobFact), ({ fact, offset }) =>
      projectPushActivity(fact, offset),
    ),
    contents: activityTarget(store, "contents", plain(isContentFact), ({ fact, offset }) =>
      projectContentActivity(fact, offset),
    ),
  };
}

function activityTarget<Fact>(
  store: ActivityStore,
  topic: ActivityTopic,
  decode: (batch: PartitionBatch) => Promise<readonly Decoded<Fact>[]>,
  project: (placed: Placed<Fact>) => ActivityRows,
): ProjectionTarget<Fact, ActivityRows> {
  return {
    name: `activity-store.${topic}`,
    topic,
    lingerMs: LINGER_MS,
    reportsUnreadable: false,
    decode,
    fold: async (facts) => ({ changes: facts.map(project), refused: [] }),
    positions: () => store.positions(topic),
    apply: (changes, positions) => store.apply(topic, together(changes), positions),
    isUnavailable: (error) => error instanceof ActivityStoreUnavailable,
    isRefusal: () => false,
  };
}

function together(changes: readonly ActivityRows[]): ActivityRows {
  const tables = Object.keys(NO_ROWS) as (keyof ActivityRows)[];
  const rows = tables.map((table) => [table, changes.flatMap((change) => [...change[table]])]);
  return Object.fromEntries(rows) as ActivityRows;
}

import { ActivityRowRefused, ActivityStoreUnavailable } from "@feed/activity-store";
import type { ActivityStore, ActivityTopic } from "@feed/activity-store";
import type { StoredFact, UserFact } from "@feed/domain/facts";
import type { SubjectId } from "@feed/domain/ids";
import type { FactCodec } from "@feed/event-codec";
import type { PartitionBatch } from "@feed/event-log";
import type { PersonalData } from "@feed/personal-data";
import type { Placed } from "@feed/projections";
import { deletedSubjects } from "@feed/projections";
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
  isContentFact,
  isCreditFact,
  isDeliveryFact,
  isPushJobFact,
} from "../decoding.ts";
import type { Decoded, ProjectionTarget } from "../target.ts";

/** Each insert becomes a part on disk that is merged later: fewer and larger ones. */
const LINGER_MS = 200;
/** About 40 MB. */
const NAMED_SUBJECTS_MAX = 300_000;

const TABLES = Object.keys(NO_ROWS) as (keyof ActivityRows)[];

interface Sources {
  readonly codec: FactCodec;
  readonly personalData: UsersSource;
}

type UsersSource = Pick<PersonalData, "openUserFacts" | "forgetAll">;

/** Everything that happened, for counting: one target for each of its topics. */
export function activityTargets(store: ActivityStore, { codec, personalData }: Sources) {
  const plain = <Fact extends StoredFact>(belongs: (fact: StoredFact) => fact is Fact) => {
    return async (batch: PartitionBatch) => decodeFacts(batch, codec, belongs);
  };
  return {
    users: usersTarget(store, personalData),
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

/**
 * Keys of a deleted subject go before its deletion is passed over, so that nothing after it is opened and names the
 * subject again (architecture rule 7).
 *
 * Behaviour is counted by subject, so nearly all of it is projected without being opened: personal fields are needed
 * to name a subject once, for the attributes of a login and for changes of a profile.
 */
function usersTarget(
  store: ActivityStore,
  personalData: UsersSource,
): ProjectionTarget<UserFact, ActivityRows> {
  const named = new NamedSubjects();
  const target = activityTarget<UserFact>(
    store,
    "users",
    (batch) =>
      personalData.openUserFacts(
        batch,
        (fact) =>
          fact.type !== "behaviour.recorded" ||
          fact.kind === "login" ||
          (fact.ofUser && !named.has(fact.subjectId)),
      ),
    ({ fact, offset }) => projectUserActivity(fact, offset),
  );
  return {
    ...target,
    async fold(facts) {
      await personalData.forgetAll(deletedSubjects(facts));
      return target.fold(facts);
    },
    async apply(changes, positions) {
      await target.apply(changes, positions);
      for (const { identities } of changes) {
        for (const { subjectId } of identities) named.add(subjectId);
      }
    },
  };
}

/** Subjects this process has named in the store; one that was forgotten here is named again, which changes nothing. */
class NamedSubjects {
  readonly #known = new Set<SubjectId>();

  has(subjectId: SubjectId): boolean {
    return this.#known.has(subjectId);
  }

  add(subjectId: SubjectId): void {
    if (this.#known.size >= NAMED_SUBJECTS_MAX) this.#known.clear();
    this.#known.add(subjectId);
  }
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
    isRefusal: (error) => error instanceof ActivityRowRefused,
  };
}

function together(changes: readonly ActivityRows[]): ActivityRows {
  const rows = Object.fromEntries(TABLES.map((table) => [table, [] as unknown[]]));
  for (const change of changes) {
    for (const table of TABLES) {
      if (change[table].length > 0) rows[table]?.push(...change[table]);
    }
  }
  return rows as unknown as ActivityRows;
}

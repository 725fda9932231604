import type { CreditFact, UserFact } from "@feed/domain/facts";
import type { PushJobFact } from "@feed/domain/push-facts";
import type { FactCodec } from "@feed/event-codec";
import type { EventLog, PartitionBatch } from "@feed/event-log";
import type { PersonalData } from "@feed/personal-data";
import {
  foldPushJobs,
  foldUserFacts,
  projectCreditFact,
  pushJobsOf,
  subjectsOf,
} from "@feed/projections";
import type { Placed } from "@feed/projections";
import type { ReadState } from "@feed/read-state/port";

const RECORDS_MAX = 1_000;

/** The read state's projections of `users`, `credits` and `push-jobs`, for one process and without recovery. */
export interface TestProjector extends AsyncDisposable {
  /** Holds projection back until the returned function is called. */
  pause(): () => void;
  readonly facts: readonly UserFact[];
}

interface TestProjectorOptions {
  readonly eventLog: EventLog;
  readonly readState: ReadState;
  readonly personalData: Pick<PersonalData, "openUserFacts">;
  readonly codec: FactCodec;
}

export async function startTestProjector(options: TestProjectorOptions): Promise<TestProjector> {
  const { eventLog, readState, personalData, codec } = options;
  const facts: UserFact[] = [];
  let gate = Promise.resolve();

  const projectUsers = async (batch: PartitionBatch) => {
    const { partition, nextOffset } = batch;
    const opened = await personalData.openUserFacts(batch);
    const placed = opened.flatMap((record): Placed<UserFact>[] =>
      "fact" in record ? [{ fact: record.fact, partition, offset: record.position.offset }] : [],
    );
    facts.push(...placed.map(({ fact }) => fact));
    const stored = await readState.users(subjectsOf(placed));
    const { changes } = foldUserFacts(placed, stored);
    await readState.apply("users", changes, new Map([[partition, nextOffset]]));
  };
  const projectCredits = async ({ partition, nextOffset, records }: PartitionBatch) => {
    const changes = records.flatMap(({ value, offset }) =>
      value === null ? [] : [projectCreditFact(codec.decode(value) as CreditFact, offset)],
    );
    await readState.apply("credits", changes, new Map([[partition, nextOffset]]));
  };
  const projectPushJobs = async ({ partition, nextOffset, records }: PartitionBatch) => {
    const placed = records.flatMap(({ value, offset }) =>
      value === null ? [] : [{ fact: codec.decode(value) as PushJobFact, partition, offset }],
    );
    const stored = pushJobsOf(placed).map(({ tenantId, jobId }) =>
      readState.pushJob(tenantId, jobId),
    );
    const changes = foldPushJobs(placed, await Promise.all(stored));
    await readState.apply("push-jobs", changes, new Map([[partition, nextOffset]]));
  };
  const follow = (
    topic: "users" | "credits" | "push-jobs",
    project: (batch: PartitionBatch) => Promise<void>,
  ) =>
    eventLog.follow({
      topic,
      from: new Map(),
      recordsMax: RECORDS_MAX,
      onBatches: async (batches) => {
        await gate;
        for (const batch of batches) await project(batch);
      },
    });
  const consumers = [
    await follow("users", projectUsers),
    await follow("credits", projectCredits),
    await follow("push-jobs", projectPushJobs),
  ];
  return {
    facts,
    pause: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    [Symbol.asyncDispose]: async () => {
      for (const consumer of consumers) await consumer[Symbol.asyncDispose]();
    },
  };
}

import type { CreditFact, UserFact } from "@feed/domain/facts";
import type { PushJobFact } from "@feed/domain/push-facts";
import type { WebhookDeliveryFact } from "@feed/domain/webhook";
import type { FactCodec } from "@feed/event-codec";
import type { EventLog, PartitionBatch } from "@feed/event-log";
import type { PersonalData } from "@feed/personal-data";
import {
  deletedSubjects,
  foldPushJobs,
  foldUserFacts,
  foldWebhookDeliveries,
  projectCreditFact,
  pushJobsOf,
  subjectsOf,
  webhookDeliveriesOf,
} from "@feed/projections";
import type { Placed } from "@feed/projections";
import type { ReadState } from "@feed/read-state/port";
import { waitFor } from "@feed/test-kit";

const RECORDS_MAX = 1_000;
const TOPICS = ["users", "credits", "push-jobs", "webhooks"] as const;

/** The read state's projections of `users`, `credits`, `push-jobs` and `webhooks`, for one process and without recovery. */
export interface TestProjector extends AsyncDisposable {
  /** Holds projection back until the returned function is called. */
  pause(): () => void;
  /** Resolves when everything that is in the log now is projected. */
  caughtUp(): Promise<void>;
  /** What is projected: the read state shows it already, and may show what is not yet here (`caughtUp`). */
  readonly facts: readonly UserFact[];
}

interface TestProjectorOptions {
  readonly eventLog: EventLog;
  readonly readState: ReadState;
  readonly personalData: Pick<PersonalData, "openUserFacts" | "forgetAll">;
  readonly codec: FactCodec;
}

export async function startTestProjector(options: TestProjectorOptions): Promise<TestProjector> {
  const { eventLog, readState, personalData, codec } = options;
  const facts: UserFact[] = [];
  const passed = new Map(TOPICS.map((topic) => [topic, new Map<number, number>()]));
  let gate = Promise.resolve();

  const projectUsers = async (batch: PartitionBatch) => {
    const { partition, nextOffset } = batch;
    const opened = await personalData.openUserFacts(batch);
    const placed = opened.flatMap((record): Placed<UserFact>[] =>
      "fact" in record ? [record] : [],
    );
    await personalData.forgetAll(deletedSubjects(placed));
    const stored = await readState.users(subjectsOf(placed));
    const { changes } = foldUserFacts(placed, stored);
    await readState.apply("users", changes, new Map([[partition, nextOffset]]));
    facts.push(...placed.map(({ fact }) => fact));
  };
  const projectCredits = async ({ partition, nextOffset, records }: PartitionBatch) => {
    const changes = records.flatMap(({ value, offset }) =>
      value === null ? [] : [projectCreditFact(codec.decode(value) as CreditFact, offset)],
    );
    await readState.apply("credits", changes, new Map([[partition, nextOffset]]));
  };
  const follow = (
    topic: (typeof TOPICS)[number],
    project: (batch: PartitionBatch) => Promise<void>,
  ) =>
    eventLog.follow({
      topic,
      from: new Map(),
      recordsMax: RECORDS_MAX,
      onBatches: async (batches) => {
        await gate;
        for (const batch of batches) {
          await project(batch);
          passed.get(topic)?.set(batch.partition, batch.nextOffset);
        }
      },
    });
  const consumers = [
    await follow("users", projectUsers),
    await follow("credits", projectCredits),
    await follow("push-jobs", pushJobsProjection(options)),
    await follow("webhooks", webhooksProjection(options)),
  ];
  return {
    facts,
    pause: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    caughtUp: async () => {
      for (const topic of TOPICS) {
        const ends = await eventLog.endOffsets(topic);
        const isAt = (end: number, partition: number) =>
          (passed.get(topic)?.get(partition) ?? 0) >= end;
        await waitFor(() => ends.every(isAt));
      }
    },
    [Symbol.asyncDispose]: async () => {
      for (const consumer of consumers) await consumer[Symbol.asyncDispose]();
    },
  };
}

type ProjectionParts = Pick<TestProjectorOptions, "readState" | "codec">;

function pushJobsProjection({ readState, codec }: ProjectionParts) {
  return async ({ partition, nextOffset, records }: PartitionBatch) => {
    const placed = records.flatMap(({ value, offset }) =>
      value === null ? [] : [{ fact: codec.decode(value) as PushJobFact, partition, offset }],
    );
    const stored = pushJobsOf(placed).map(({ tenantId, jobId }) =>
      readState.pushJob(tenantId, jobId),
    );
    const changes = foldPushJobs(placed, await Promise.all(stored));
    await readState.apply("push-jobs", changes, new Map([[partition, nextOffset]]));
  };
}

function webhooksProjection({ readState, codec }: ProjectionParts) {
  return async ({ partition, nextOffset, records }: PartitionBatch) => {
    const placed = records.flatMap(({ value, offset }) =>
      value === null
        ? []
        : [{ fact: codec.decode(value) as WebhookDeliveryFact, partition, offset }],
    );
    const stored = webhookDeliveriesOf(placed).map(({ tenantId, deliveryId }) =>
      readState.webhookDelivery(tenantId, deliveryId),
    );
    const changes = foldWebhookDeliveries(placed, await Promise.all(stored));
    await readState.apply("webhooks", changes, new Map([[partition, nextOffset]]));
  };
}

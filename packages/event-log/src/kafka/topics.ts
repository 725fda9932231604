import { setTimeout as delay } from "node:timers/promises";

import { TOPICS } from "@feed/domain/topics";
import type { Topic } from "@feed/domain/topics";
import type { Admin, IResourceConfigEntry, ITopicConfig } from "kafkajs";

import { EXPIRING_RETENTION_MS, KEY_BYTES_MAX, VALUE_BYTES_MAX } from "../limits.ts";
import { LogRejected } from "../port.ts";
import { errorTypeOf } from "./faults.ts";
import type { TopicNames } from "./connection.ts";
import type { KafkaSettings } from "./settings.ts";

/** Room for the headers of a record batch of one record. */
const BATCH_OVERHEAD_BYTES = 1024;
/**
 * A deleted key is gone within 24 hours: a segment is closed after 6, what it holds is compacted 12 hours after it was
 * written, and the rest is for the cleaner to come round.
 */
export const SEGMENT_MS = 6 * 3_600_000;
const COMPACTION_LAG_MS_MAX = 12 * 3_600_000;
const TOMBSTONE_MS = 3_600_000;
const FOR_EVER = -1;
const VISIBLE_TIMEOUT_MS = 20_000;
const VISIBLE_POLL_MS = 50;
const AS_THE_BROKERS_ARE_SET_UP = -1;
/** Why a topic is not made that will be: another process was faster, or the brokers take longer than was waited for. */
const PASSING = new Set(["TOPIC_ALREADY_EXISTS", "REQUEST_TIMED_OUT"]);

/** Settings of a topic by Kafka's names, beside the partition count. */
export function topicSettings(topic: Topic): Readonly<Record<string, string>> {
  const shared = {
    "max.message.bytes": VALUE_BYTES_MAX + KEY_BYTES_MAX + BATCH_OVERHEAD_BYTES,
    // Times come from the facts; a clock that runs ahead is no reason to refuse one.
    "message.timestamp.type": "CreateTime",
    "message.timestamp.after.max.ms": "9223372036854775807",
    "unclean.leader.election.enable": false,
  };
  const byCleanup = {
    kept: { "cleanup.policy": "delete", "retention.ms": FOR_EVER, "retention.bytes": FOR_EVER },
    expiring: {
      "cleanup.policy": "delete",
      "retention.ms": EXPIRING_RETENTION_MS,
      "retention.bytes": FOR_EVER,
    },
    compacted: {
      "cleanup.policy": "compact",
      "segment.ms": SEGMENT_MS,
      "max.compaction.lag.ms": COMPACTION_LAG_MS_MAX,
      "delete.retention.ms": TOMBSTONE_MS,
      "min.cleanable.dirty.ratio": 0.1,
    },
  }[TOPICS[topic].cleanup];
  return Object.fromEntries(
    Object.entries({ ...shared, ...byCleanup }).map(([name, value]) => [name, String(value)]),
  );
}

/**
 * Creates the topics that are missing; any number of processes may do so at once. What is there is left as it is.
 *
 * @throws LogRejected when a topic has another number of partitions: the order of its keys would break.
 */
export async function ensureTopics(
  admin: Admin,
  names: TopicNames,
  settings: Pick<KafkaSettings, "replicas">,
): Promise<void> {
  const topics = Object.keys(TOPICS) as Topic[];
  await createMissing(admin, names, topics, settings);
  const found = await metadataOf(
    admin,
    topics.map((topic) => names.of(topic)),
  );
  const wrong = found.topics.flatMap(({ name, partitions }) => {
    const wanted = TOPICS[names.topicOf(name)].partitions;
    return partitions.length === wanted
      ? []
      : [`${name} has ${partitions.length} partitions, not ${wanted}`];
  });
  if (wrong.length > 0) throw new LogRejected(wrong.join("; "));
}

async function createMissing(
  admin: Admin,
  names: TopicNames,
  topics: readonly Topic[],
  settings: Pick<KafkaSettings, "replicas">,
): Promise<void> {
  const endMs = performance.now() + VISIBLE_TIMEOUT_MS;
  for (;;) {
    const existing = new Set(await admin.listTopics());
    const missing = topics.filter((topic) => !existing.has(names.of(topic)));
    if (missing.length === 0) return;
    try {
      return await create(admin, names, missing, settings);
    } catch (error) {
      const isPassing = reasonsOf(error).every((reason) => PASSING.has(errorTypeOf(reason) ?? ""));
      if (!isPassing || performance.now() > endMs) throw error;
    }
    await delay(VISIBLE_POLL_MS);
  }
}

async function create(
  admin: Admin,
  names: TopicNames,
  topics: readonly Topic[],
  { replicas = AS_THE_BROKERS_ARE_SET_UP }: Pick<KafkaSettings, "replicas">,
): Promise<void> {
  const wanted = topics.map((topic): ITopicConfig => ({
    topic: names.of(topic),
    numPartitions: TOPICS[topic].partitions,
    replicationFactor: replicas,
    configEntries: Object.entries(topicSettings(topic)).map(([name, value]) => ({ name, value })),
  }));
  await admin.createTopics({ topics: wanted, waitForLeaders: false });
}

/** Topics that were just made become known to all brokers, and get their leaders, a little later. */
async function metadataOf(admin: Admin, topics: string[]): ReturnType<Admin["fetchTopicMetadata"]> {
  const endMs = performance.now() + VISIBLE_TIMEOUT_MS;
  for (;;) {
    try {
      const found = await admin.fetchTopicMetadata({ topics });
      const isLed = found.topics.every(({ partitions }) =>
        partitions.every(({ leader }) => leader >= 0),
      );
      if (isLed) return found;
      if (performance.now() > endMs) throw new Error("a topic has partitions without a leader");
    } catch (error) {
      if (performance.now() > endMs) throw error;
    }
    await delay(VISIBLE_POLL_MS);
  }
}

/** kafkajs gathers what failed for each topic. */
function reasonsOf(error: unknown): readonly unknown[] {
  const { errors } = error as { readonly errors?: readonly unknown[] };
  return errors ?? [error];
}

/** Changes settings of the topics given, which keep their others. For tests and maintenance. */
export async function alterTopics(
  admin: Admin,
  names: TopicNames,
  topics: readonly Topic[],
  changes: Readonly<Record<string, string>>,
): Promise<void> {
  await admin.alterConfigs({
    validateOnly: false,
    resources: topics.map((topic) => ({
      type: 2,
      name: names.of(topic),
      configEntries: Object.entries({ ...topicSettings(topic), ...changes }).map(
        ([name, value]): IResourceConfigEntry => ({ name, value }),
      ),
    })),
  });
}

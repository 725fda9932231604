import { randomUUID } from "node:crypto";

import { TOPICS } from "@feed/domain/topics";
import type { Topic } from "@feed/domain/topics";
import { engineUrl } from "@feed/test-kit";
import type { Admin } from "kafkajs";

import { until } from "../conformance/harness.ts";
import type { LogUnderTest } from "../conformance/harness.ts";
import { openKafkaEventLog, parseKafkaUrl } from "../kafka.ts";
import type { KafkaEventLogOptions } from "../kafka.ts";
import { adminOf, disconnect, topicNames } from "../kafka/connection.ts";
import type { TopicNames } from "../kafka/connection.ts";
import { markerAt } from "../kafka/markers.ts";
import type { KafkaSettings } from "../kafka/settings.ts";
import { alterTopics } from "../kafka/topics.ts";
import type { EventLog } from "../port.ts";

const BROKER = 4;
/** Brokers of a busy machine take their time to compact, and to share partitions anew. */
const PATIENCE_MS = 120_000;
/** What a test asks is answered however busy the machine is; how long callers wait is a test of its own. */
export const UNHURRIED = {
  answerTimeoutMs: 60_000,
  appendTimeoutMs: 60_000,
  sessionTimeoutMs: 60_000,
};
/** Of hundreds of partitions. */
const REMOVAL_TIMEOUT_MS = 14_000;
const COMPACTED = (Object.keys(TOPICS) as Topic[]).filter(
  (topic) => TOPICS[topic].cleanup === "compacted",
);
/** Everything is old enough at once, and the first pass of the cleaner takes tombstones too. */
const COMPACTED_AT_ONCE = {
  "segment.ms": "1",
  "max.compaction.lag.ms": "1",
  "delete.retention.ms": "0",
  "min.cleanable.dirty.ratio": "0.0001",
};

export function clusterUnderTest(): KafkaSettings {
  return parseKafkaUrl(engineUrl("EVENT_LOG"));
}

export interface KafkaUnderTest extends LogUnderTest {
  openAnother(options?: Partial<KafkaEventLogOptions>): Promise<EventLog>;
}

/** Topics of its own in the cluster that tests run against; they are deleted at the end. */
export async function openInFreshTopics(
  options: Partial<KafkaEventLogOptions> = {},
): Promise<KafkaUnderTest> {
  const settings = { ...clusterUnderTest(), prefix: `test-${randomUUID()}.` };
  const names = topicNames(settings.prefix);
  const opened: EventLog[] = [];
  const openAnother: KafkaUnderTest["openAnother"] = async (others) => {
    const log = await openKafkaEventLog({ ...settings, ...UNHURRIED, ...options, ...others });
    opened.push(log);
    return log;
  };
  return {
    log: await openAnother(),
    openAnother,
    patienceMs: PATIENCE_MS,
    compacted: () => compactNow(settings, names, openAnother),
    [Symbol.asyncDispose]: async () => {
      for (const log of opened) await log[Symbol.asyncDispose]();
      const admin = adminOf(settings);
      await admin.connect();
      const topics = (Object.keys(TOPICS) as Topic[]).map((topic) => names.of(topic));
      await admin.deleteTopics({ topics, timeout: REMOVAL_TIMEOUT_MS });
      await disconnect(admin);
    },
  };
}

async function compactNow(
  settings: KafkaSettings,
  names: TopicNames,
  openAnother: KafkaUnderTest["openAnother"],
): Promise<void> {
  const admin = adminOf(settings);
  await admin.connect();
  await hurryCleaner(admin);
  await alterTopics(admin, names, COMPACTED, COMPACTED_AT_ONCE);
  await disconnect(admin);
  const log = await openAnother();
  for (const topic of COMPACTED) {
    await until(`${topic} is compacted`, PATIENCE_MS, async () => {
      await log.append([markerAt({ topic, partition: 0 }, Date.now())]);
      const { records } = await log.read(topic, 0, 0, 1_000);
      const keys = new Set(records.map(({ key }) => key));
      return keys.size === records.length && records.every(({ value }) => value !== null);
    });
  }
}

/** The brokers look for something to compact all the time, not every 15 s. */
export async function hurryCleaner(admin: Admin): Promise<void> {
  const configEntries = [{ name: "log.cleaner.backoff.ms", value: "100" }];
  const { brokers } = await admin.describeCluster();
  const resources = brokers.map(({ nodeId }) => {
    return { type: BROKER, name: String(nodeId), configEntries };
  });
  await admin.alterConfigs({ validateOnly: false, resources });
}

import { removeClickHouseDatabase } from "@feed/activity-store/clickhouse";
import { parseClickHouseUrl } from "@feed/activity-store/clickhouse-url";
import { removeClickHouseViews } from "@feed/activity-store/served-views";
import { parseElasticsearchUrl } from "@feed/content-index/elasticsearch/settings";
import { parseRedisUrl } from "@feed/engines/engine-urls";
import { parseKafkaUrl } from "@feed/event-log/kafka/settings";
import { openS3ObjectStore, parseS3Url } from "@feed/object-store/s3";
import { clientOf } from "@feed/object-store/s3/client";
import { removeRedisModels } from "@feed/read-state/redis";
import { engineUrl } from "@feed/test-kit";
import { Kafka, logLevel } from "kafkajs";

/** Where a run of tests has topics, indexes, tables and keys of its own in the engines that tests share. */
export function enginesOf(run: string) {
  return {
    EVENT_LOG: `${engineUrl("EVENT_LOG")}/${run}.`,
    SCHEMA_REGISTRY: engineUrl("SCHEMA_REGISTRY"),
    CONTENT_INDEX: `${engineUrl("CONTENT_INDEX")}/${run}-`,
    ACTIVITY_STORE: `${engineUrl("ACTIVITY_STORE")}/${run}`,
    READ_STATE: `${engineUrl("READ_STATE")}?prefix=${run}:`,
    OBJECT_STORE: engineUrl("OBJECT_STORE"),
  };
}

/** Where a run has a bucket of its own, which it removes by `removeBucket`. */
export function bucketOf(run: string): string {
  return engineUrl("OBJECT_STORE").replace(/\/[^/?]+(?=\?|$)/, `/${run}`);
}

export async function removeBucket(url: string): Promise<void> {
  const settings = parseS3Url(url);
  const client = clientOf(settings, settings.endpoint);
  if (!(await client.bucketExists(settings.bucket))) return;
  await using store = await openS3ObjectStore({ settings });
  for await (const { key } of store.list("")) await store.delete(key);
  await client.removeBucket(settings.bucket);
}

/** Of a read model: the first, and those that two rebuilds make. */
const VERSIONS = [1, 2, 3];
/** Of hundreds of partitions. */
const REMOVAL_TIMEOUT_MS = 60_000;

/** Hundreds of partitions and an index a run would fill the engines. What expires by itself is left. */
export async function removeTopicsAndIndexes(run: string): Promise<void> {
  const engines = enginesOf(run);
  const { brokers } = parseKafkaUrl(engines.EVENT_LOG);
  const client = { brokers: [...brokers], requestTimeout: 2 * REMOVAL_TIMEOUT_MS };
  const admin = new Kafka({ ...client, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(`${run}.`));
  await admin.deleteTopics({ topics, timeout: REMOVAL_TIMEOUT_MS });
  await admin.disconnect();
  const { node } = parseElasticsearchUrl(engines.CONTENT_INDEX);
  for (const path of [`${run}-*`, `_index_template/${run}-*`])
    await fetch(`${node}/${path}`, { method: "DELETE" });
  const { options, ...clickhouse } = parseClickHouseUrl(engines.ACTIVITY_STORE);
  const { url, prefix: keyPrefix } = parseRedisUrl(engines.READ_STATE);
  for (const version of VERSIONS) {
    await removeClickHouseDatabase(clickhouse, { ...options, version });
    await removeRedisModels({ url, keyPrefix, version });
  }
  await removeClickHouseViews(clickhouse, options ?? {});
}

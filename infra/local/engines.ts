import { clickhouse } from "./clickhouse/clickhouse.ts";
import { elasticsearch } from "./elasticsearch/elasticsearch.ts";
import type { Engine } from "./engine.ts";
import { kafka } from "./kafka/kafka.ts";
import { minio } from "./minio/minio.ts";
import { redisCluster } from "./redis/redis-cluster.ts";
import { redis } from "./redis/redis.ts";
import { schemaRegistry } from "./schema-registry/schema-registry.ts";

export const ENGINES: readonly Engine[] = [
  kafka,
  schemaRegistry,
  elasticsearch,
  clickhouse,
  redis,
  redisCluster,
  minio,
];

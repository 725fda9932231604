import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

import { Kafka, logLevel } from "kafkajs";
import type { Admin, SASLOptions } from "kafkajs";
import Cluster from "kafkajs/src/cluster/index.js";
import defaultSocketFactory from "kafkajs/src/network/socketFactory.js";

import type { Topic } from "@feed/domain/topics";
import { TOPICS } from "@feed/domain/topics";

import { isFinal, within } from "./faults.ts";
import type { KafkaLogger } from "./kafkajs-types.ts";
import type { KafkaSettings } from "./settings.ts";

export type { default as Cluster } from "kafkajs/src/cluster/index.js";

/** Several fit into the time that callers wait for an answer, where one of several brokers is away. */
const CONNECTION_TIMEOUT_MS_MIN = 1_000;
/** Of whoever is in no hurry: the first TLS handshake of a broker that has just started takes its time. */
const CONNECTION_TIMEOUT_MS_MAX = 5_000;
const AUTHENTICATION_TIMEOUT_MS = 5_000;
/** Above any wait that is asked of a broker; callers have shorter deadlines of their own. */
const REQUEST_TIMEOUT_MS = 15_000;
/** Leaders that moved are noticed by an error; this is for brokers that were added. */
const RETRY_DELAY_MS = 100;
const METADATA_AGE_MS_MAX = 60_000;
/** A client that tries on for long would hide an outage from callers who have two seconds. */
const RETRY = { retries: 2, initialRetryTime: 50, maxRetryTime: 200, factor: 0.2, multiplier: 2 };
/** No transactions are written: everything below the high watermark is readable. */
export const READ_UNCOMMITTED = 0;

/** Errors reach callers; the client's own lines about what it tries again would repeat them. */
export const SILENT: KafkaLogger = {
  namespace: () => SILENT,
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
};

/** Names a topic in the cluster, and back. */
export interface TopicNames {
  readonly of: (topic: Topic) => string;
  readonly topicOf: (name: string) => Topic;
  readonly group: (group: string) => string;
}

export function topicNames(prefix: string): TopicNames {
  const byName = new Map(
    (Object.keys(TOPICS) as Topic[]).map((topic) => [`${prefix}${topic}`, topic]),
  );
  return {
    of: (topic) => `${prefix}${topic}`,
    topicOf: (name) => {
      const topic = byName.get(name);
      if (topic === undefined) throw new Error(`the broker answered for a topic ${name}`);
      return topic;
    },
    group: (group) => `${prefix}${group}`,
  };
}

export interface ConnectionSettings extends KafkaSettings {
  /** How long its callers wait for an answer. Absent: 2 s. */
  readonly answerTimeoutMs?: number;
}

/** Connections of its own to a cluster, with the metadata of the topics given. */
export async function connect(
  settings: ConnectionSettings,
  topics: readonly string[],
): Promise<Cluster> {
  const { brokers, tls, sasl, socketFactory = defaultSocketFactory() } = settings;
  const { answerTimeoutMs = 0 } = settings;
  const connectionTimeoutMs = Math.max(CONNECTION_TIMEOUT_MS_MIN, answerTimeoutMs / 2);
  const cluster = new Cluster({
    brokers,
    clientId: clientId(),
    ssl: tls,
    sasl,
    logger: SILENT,
    socketFactory,
    connectionTimeout: Math.min(connectionTimeoutMs, CONNECTION_TIMEOUT_MS_MAX),
    authenticationTimeout: AUTHENTICATION_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    enforceRequestTimeout: true,
    metadataMaxAge: METADATA_AGE_MS_MAX,
    retry: RETRY,
    allowAutoTopicCreation: false,
    isolationLevel: READ_UNCOMMITTED,
  });
  try {
    await cluster.connect();
    await cluster.addMultipleTargetTopics(topics);
  } catch (error) {
    await disconnect(cluster);
    throw error;
  }
  return cluster;
}

/** A connection that is already gone is closed. */
export async function disconnect(cluster: Pick<Cluster, "disconnect">): Promise<void> {
  await cluster.disconnect().catch(() => undefined);
}

/**
 * Tries until it succeeds, with metadata renewed in between: leaders and coordinators move, and a broker that has just
 * started is neither yet. Rejects with LogUnavailable after `timeoutMs`, at once with what a caller has to mend.
 */
export async function persistently<Result>(
  cluster: Cluster,
  timeoutMs: number,
  what: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    const leftMs = endMs - performance.now();
    try {
      return await within(leftMs, what, work());
    } catch (error) {
      if (performance.now() >= endMs - RETRY_DELAY_MS || isFinal(error)) throw error;
    }
    await delay(RETRY_DELAY_MS);
    await cluster.refreshMetadata().catch(() => undefined);
  }
}

/** The client for creating and looking at topics. */
export function adminOf({ brokers, tls, sasl }: KafkaSettings): Admin {
  return new Kafka({
    brokers: [...brokers],
    clientId: clientId(),
    ssl: tls,
    ...(sasl === undefined ? {} : { sasl: sasl as SASLOptions }),
    connectionTimeout: CONNECTION_TIMEOUT_MS_MAX,
    authenticationTimeout: AUTHENTICATION_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    retry: RETRY,
    logLevel: logLevel.NOTHING,
  }).admin();
}

/** In the brokers' logs and quotas. */
function clientId(): string {
  return `content-feed-${hostname()}-${process.pid}`;
}

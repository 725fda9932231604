import { TOPICS } from "@feed/domain/topics";
import type { LogPosition, Topic } from "@feed/domain/topics";

import { Appender } from "./kafka/appending.ts";
import { markersDue } from "./kafka/closing.ts";
import { adminOf, connect, disconnect, persistently, topicNames } from "./kafka/connection.ts";
import type { Cluster, TopicNames } from "./kafka/connection.ts";
import { Consumer } from "./kafka/consumer.ts";
import type { Assignment } from "./kafka/consumer.ts";
import { errorTypeOf, within } from "./kafka/faults.ts";
import { offsetsOf } from "./kafka/fetching.ts";
import { committedOffsets, GroupMembership } from "./kafka/membership.ts";
import { readPartition } from "./kafka/reading.ts";
import type { KafkaSettings } from "./kafka/settings.ts";
import { ensureTopics } from "./kafka/topics.ts";
import { LogClosed, LogRejected } from "./port.ts";
import type {
  ConsumeOptions,
  EventLog,
  FollowOptions,
  LogConsumer,
  NewRecord,
  PartitionBatch,
} from "./port.ts";
import {
  validateGroup,
  validateOffset,
  validatePartition,
  validateRecords,
  validateRecordsMax,
  validateTopic,
} from "./validation.ts";

export { parseKafkaUrl } from "./kafka/settings.ts";
export type { KafkaSettings } from "./kafka/settings.ts";

export interface KafkaEventLogOptions extends KafkaSettings {
  /** Told of errors that consumers wait out, as often as they try again. */
  readonly onTrouble?: (error: unknown) => void;
  /** Milliseconds since 1970; for the time until compaction. */
  readonly clock?: () => number;
  /** False: nothing is written but what is appended, for a copy whose offsets are to stay. */
  readonly closesSegments?: boolean;
  /** How long a look at the log may take. Absent: 2 s, as the API has two seconds for an answer. */
  readonly answerTimeoutMs?: number;
  /** An append that is not acknowledged by then is refused; large ones have longer. Absent: 2 s, for the same reason. */
  readonly appendTimeoutMs?: number;
  /** A consumer that was silent for so long has lost its partitions. Absent: 10 s. */
  readonly sessionTimeoutMs?: number;
}

const ANSWER_TIMEOUT_MS_DEFAULT = 2_000;
const SESSION_TIMEOUT_MS_DEFAULT = 10_000;
const READ_TIMEOUT_MS = 10_000;
const OPEN_TIMEOUT_MS_MIN = 30_000;
const JOIN_TIMEOUT_MS_MIN = 30_000;
/** Several processes may do so at once: a second marker does no harm. */
const CLOSING_INTERVAL_MS = 3_600_000;
/** An offset is set by no member of the group: the brokers take it only while there is none. */
const NO_MEMBER = { groupGenerationId: -1, memberId: "" };

/** Opens the log of a cluster and creates the topics it lacks. Rejects with LogUnavailable or LogRejected. */
export async function openKafkaEventLog(options: KafkaEventLogOptions): Promise<EventLog> {
  const names = topicNames(options.prefix);
  const where = `the event log at kafka://${options.brokers.join(",")}`;
  const timeoutMs = Math.max(OPEN_TIMEOUT_MS_MIN, options.answerTimeoutMs ?? 0);
  const admin = adminOf(options);
  const opening = (async () => {
    try {
      await admin.connect();
      await ensureTopics(admin, names, options);
      const cluster = await connect(options, topicsIn(names));
      // A broker that has just been made the leader of a partition needs a moment to be it.
      const partitions = (Object.keys(TOPICS) as Topic[]).flatMap(partitionsOf);
      await persistently(cluster, timeoutMs, "the topics", () =>
        offsetsOf(cluster, names, partitions, false),
      );
      return cluster;
    } finally {
      await disconnect(admin);
    }
  })();
  const cluster = await within(timeoutMs, `can't open ${where}`, opening);
  return new KafkaLog(cluster, names, where, options);
}

class KafkaLog implements EventLog {
  /** For reading and looking; appending and each consumer have connections of their own. */
  readonly #cluster: Cluster;
  readonly #names: TopicNames;
  readonly #where: string;
  readonly #options: KafkaEventLogOptions;
  readonly #answerTimeoutMs: number;
  readonly #appender: Appender;
  readonly #consumers = new Set<LogConsumer>();
  readonly #closing: NodeJS.Timeout;
  #closingSegments: Promise<void> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor(cluster: Cluster, names: TopicNames, where: string, options: KafkaEventLogOptions) {
    this.#cluster = cluster;
    this.#names = names;
    this.#where = where;
    this.#options = options;
    this.#answerTimeoutMs = options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS_DEFAULT;
    this.#appender = new Appender(options, names, where);
    this.#closing = setInterval(() => this.#closeSegments(), CLOSING_INTERVAL_MS);
    this.#closing.unref();
    // What became due while nobody had the log open.
    this.#closeSegments();
  }

  async append(records: readonly NewRecord[]): Promise<readonly LogPosition[]> {
    this.#assertOpen();
    validateRecords(records);
    return this.#appender.append(records);
  }

  async read(
    topic: Topic,
    partition: number,
    fromOffset: number,
    recordsMax: number,
  ): Promise<PartitionBatch> {
    this.#assertOpen();
    validatePartition(topic, partition);
    validateOffset(fromOffset);
    validateRecordsMax(recordsMax);
    const from = { topic, partition, offset: fromOffset };
    return this.#ask(Math.max(READ_TIMEOUT_MS, this.#answerTimeoutMs), () =>
      readPartition(this.#cluster, this.#names, from, recordsMax),
    );
  }

  async endOffsets(topic: Topic): Promise<readonly number[]> {
    this.#assertOpen();
    validateTopic(topic);
    const partitions = partitionsOf(topic);
    const ends = await this.#ask(this.#answerTimeoutMs, () =>
      offsetsOf(this.#cluster, this.#names, partitions, false),
    );
    return partitions.map(({ partition }) => ends.get(`${topic} ${partition}`) ?? 0);
  }

  async consume(options: ConsumeOptions): Promise<LogConsumer> {
    this.#assertOpen();
    validateGroup(options.group);
    if (options.topics.length === 0) throw new LogRejected("a consumer reads at least one topic");
    options.topics.forEach(validateTopic);
    validateRecordsMax(options.recordsMax);
    const topics = options.topics.map((topic) => this.#names.of(topic));
    const woken: { consumer?: Consumer } = {};
    return this.#start(topics, options, async (cluster) => {
      const { sessionTimeoutMs = SESSION_TIMEOUT_MS_DEFAULT } = this.#options;
      const joining = { ...options, sessionTimeoutMs };
      const membership = new GroupMembership(cluster, this.#names, joining, () =>
        woken.consumer?.wake(),
      );
      await membership.update();
      return { assignment: membership, onStarted: (consumer) => void (woken.consumer = consumer) };
    });
  }

  async follow(options: FollowOptions): Promise<LogConsumer> {
    this.#assertOpen();
    const { topic, from, recordsMax } = options;
    validateRecordsMax(recordsMax);
    validateTopic(topic);
    for (const [partition, offset] of from) {
      validatePartition(topic, partition);
      validateOffset(offset);
    }
    const positions = partitionsOf(topic).map(({ partition }) => {
      const offset = from.get(partition) ?? 0;
      return { topic, partition, offset, nextOffset: offset, buffered: [] };
    });
    const assignment: Assignment = {
      positions,
      isOutdated: false,
      update: async () => {},
      commit: async () => {},
      release: async () => {},
    };
    const settings = { ...options, lingerMs: 0 };
    return this.#start([this.#names.of(topic)], settings, async () => ({ assignment }));
  }

  async committed(group: string, topic: Topic): Promise<ReadonlyMap<number, number>> {
    this.#assertOpen();
    validateGroup(group);
    validateTopic(topic);
    const partitions = partitionsOf(topic);
    const offsets = await this.#ask(this.#answerTimeoutMs, () =>
      committedOffsets(this.#cluster, this.#names, group, partitions),
    );
    return new Map(
      partitions.flatMap(({ partition }) => {
        const offset = offsets.get(`${topic} ${partition}`);
        return offset === undefined ? [] : [[partition, offset] as const];
      }),
    );
  }

  async resetOffsets(
    group: string,
    topic: Topic,
    offsets: ReadonlyMap<number, number>,
  ): Promise<void> {
    this.#assertOpen();
    validateGroup(group);
    for (const [partition, offset] of offsets) {
      validatePartition(topic, partition);
      validateOffset(offset);
    }
    const groupId = this.#names.group(group);
    const partitions = [...offsets].map(([partition, offset]) => {
      return { partition, offset: String(offset) };
    });
    await this.#ask(this.#answerTimeoutMs, async () => {
      const coordinator = await this.#cluster.findGroupCoordinator({ groupId });
      const topics = [{ topic: this.#names.of(topic), partitions }];
      try {
        await coordinator.offsetCommit({ groupId, ...NO_MEMBER, topics });
      } catch (error) {
        if (errorTypeOf(error) !== "UNKNOWN_MEMBER_ID") throw error;
        throw new LogRejected(`group ${group} has members: stop them to set its offsets`);
      }
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    clearInterval(this.#closing);
    await Promise.all([...this.#consumers].map((consumer) => consumer[Symbol.asyncDispose]()));
    // Ends its waiting; a connection that it was making meanwhile would keep the process from ending.
    await disconnect(this.#cluster);
    await this.#closingSegments;
    await this.#appender.close();
    await disconnect(this.#cluster);
  }

  /** One that fails is made up for by the next. */
  #closeSegments(): void {
    if (this.#options.closesSegments === false) return;
    const nowMs = (this.#options.clock ?? Date.now)();
    const due = markersDue(this.#cluster, this.#names, TOPICS["user-keys"].partitions, nowMs);
    this.#closingSegments = due
      .then(async (markers) => void (markers.length > 0 && (await this.append(markers))))
      .catch((error: unknown) => this.#options.onTrouble?.(error));
  }

  async #start(
    topics: readonly string[],
    settings: Pick<ConsumeOptions, "onBatches" | "recordsMax" | "lingerMs">,
    open: (cluster: Cluster) => Promise<{
      readonly assignment: Assignment;
      readonly onStarted?: (consumer: Consumer) => void;
    }>,
  ): Promise<LogConsumer> {
    const what = `can't read ${this.#where}`;
    const timeoutMs = Math.max(JOIN_TIMEOUT_MS_MIN, this.#answerTimeoutMs);
    const cluster = await within(timeoutMs, what, connect(this.#options, topics));
    try {
      const { assignment, onStarted } = await persistently(cluster, timeoutMs, what, () =>
        open(cluster),
      );
      const onTrouble = this.#options.onTrouble ?? (() => undefined);
      const consumer = new Consumer(cluster, this.#names, assignment, { ...settings, onTrouble });
      onStarted?.(consumer);
      this.#consumers.add(consumer);
      const forget = (): void => void this.#consumers.delete(consumer);
      consumer.failed.then(forget, forget);
      return consumer;
    } catch (error) {
      await disconnect(cluster);
      throw error;
    }
  }

  #ask<Result>(timeoutMs: number, work: () => Promise<Result>): Promise<Result> {
    return persistently(this.#cluster, timeoutMs, `can't read ${this.#where}`, work);
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) throw new LogClosed("the event log is closed");
  }
}

function topicsIn(names: TopicNames): string[] {
  return (Object.keys(TOPICS) as Topic[]).map((topic) => names.of(topic));
}

function partitionsOf(topic: Topic): { topic: Topic; partition: number }[] {
  return Array.from({ length: TOPICS[topic].partitions }, (_, partition) => ({ topic, partition }));
}

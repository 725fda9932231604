import { TOPICS } from "@feed/domain/topics";
import type { Topic } from "@feed/domain/topics";
import assigners from "kafkajs/src/consumer/assigners/index.js";
import ConsumerGroup from "kafkajs/src/consumer/consumerGroup.js";

import type { ConsumeOptions, PartitionBatch } from "../port.ts";
import type { Position } from "./buffers.ts";
import { SILENT } from "./connection.ts";
import type { Cluster, TopicNames } from "./connection.ts";
import { errorTypeOf, StartUnknown } from "./faults.ts";

/** How long the members of a group may take to finish the call they are in when another joins. */
const REBALANCE_TIMEOUT_MS = 60_000;
const HEARTBEAT_INTERVAL_MS = 1_000;
/** The brokers took the partitions away: what is committed under the old membership is refused. */
const EXPELLED = new Set([
  "ILLEGAL_GENERATION",
  "UNKNOWN_MEMBER_ID",
  "REBALANCE_IN_PROGRESS",
  "FENCED_INSTANCE_ID",
]);
const RETRY = { retries: 3, initialRetryTime: 100, maxRetryTime: 500, factor: 0.2, multiplier: 2 };

interface JoinOptions extends Pick<ConsumeOptions, "group" | "topics" | "startAt" | "onAssigned"> {
  /** A member that was silent for so long has lost its partitions. */
  readonly sessionTimeoutMs: number;
}

/**
 * A member of a consumer group: its share of the partitions, taken and given back as members come and go. A partition
 * moves between two calls of the handler only: the group waits for the member, which joins again with no records in hand.
 */
export class GroupMembership {
  readonly #cluster: Cluster;
  readonly #names: TopicNames;
  readonly #options: JoinOptions;
  readonly #group: ConsumerGroup;
  readonly #onChange: () => void;
  #heartbeats: NodeJS.Timeout | undefined;
  #generation: number | undefined;
  #isOutdated = true;
  #positions: readonly Position[] = [];

  /** `onChange` is called when the group has to be joined again. */
  constructor(cluster: Cluster, names: TopicNames, options: JoinOptions, onChange: () => void) {
    this.#cluster = cluster;
    this.#names = names;
    this.#options = options;
    this.#onChange = onChange;
    const topics = options.topics.map((topic) => names.of(topic));
    this.#group = new ConsumerGroup({
      cluster,
      groupId: this.#groupId,
      topics,
      topicConfigurations: Object.fromEntries(topics.map((topic) => [topic, {}])),
      logger: SILENT,
      instrumentationEmitter: { emit: () => undefined },
      assigners: [assigners.roundRobin({ cluster, groupId: this.#groupId, logger: SILENT })],
      sessionTimeout: options.sessionTimeoutMs,
      rebalanceTimeout: REBALANCE_TIMEOUT_MS,
      retry: RETRY,
      autoCommit: false,
    });
  }

  get #groupId(): string {
    return this.#names.group(this.#options.group);
  }

  get positions(): readonly Position[] {
    return this.#positions;
  }

  get isOutdated(): boolean {
    return this.#isOutdated;
  }

  /** Joins, or joins again after a change; the positions of partitions that stay go on as they are. */
  async update(): Promise<void> {
    if (!this.#isOutdated) return;
    this.#stopHeartbeats();
    await this.#group.joinAndSync();
    const generation = this.#group.generationId ?? 0;
    // Another member may have had the partitions in a generation that this one missed.
    const isNext = this.#generation !== undefined && generation === this.#generation + 1;
    // Joining has taken its time, and the stores are asked next: the session must not end meanwhile.
    this.#startHeartbeats();
    this.#positions = await this.#assigned(isNext ? this.#positions : []);
    this.#generation = generation;
    this.#isOutdated = false;
    this.#announce();
  }

  /** Resolves when the offsets are stored, or when the partitions turn out to be others' by now. */
  async commit(batches: readonly Omit<PartitionBatch, "records">[]): Promise<void> {
    const topics = [...Map.groupBy(batches, ({ topic }) => topic)].map(([topic, ofTopic]) => ({
      topic: this.#names.of(topic),
      partitions: ofTopic.map(({ partition, nextOffset }) => ({
        partition,
        offset: String(nextOffset),
      })),
    }));
    try {
      await this.#group.commitOffsets({ topics });
    } catch (error) {
      if (!EXPELLED.has(errorTypeOf(error) ?? "")) throw error;
      this.#lose(error);
    }
  }

  /** Gives the partitions back; where that fails they are free when the session expires. */
  async release(): Promise<void> {
    this.#stopHeartbeats();
    this.#positions = [];
    this.#announce();
    await this.#group.leave().catch(() => undefined);
  }

  #announce(): void {
    this.#options.onAssigned?.(
      this.#positions.map(({ topic, partition }) => ({ topic, partition })),
    );
  }

  async #assigned(kept: readonly Position[]): Promise<readonly Position[]> {
    const assigned = this.#group.assigned().flatMap(({ topic: name, partitions }) => {
      const topic = this.#names.topicOf(name);
      return partitions
        .filter((partition) => partition < TOPICS[topic].partitions)
        .map((partition) => ({ topic, partition }));
    });
    const known = new Map(kept.map((one) => [`${one.topic} ${one.partition}`, one]));
    const fresh = assigned.filter(({ topic, partition }) => !known.has(`${topic} ${partition}`));
    const committed = await committedOffsets(
      this.#cluster,
      this.#names,
      this.#options.group,
      fresh,
    );
    for (const { topic, partition } of fresh) {
      const startAt = await this.#startAt(topic, partition);
      const offset = startAt ?? committed.get(`${topic} ${partition}`) ?? 0;
      known.set(`${topic} ${partition}`, {
        topic,
        partition,
        offset,
        nextOffset: offset,
        buffered: [],
      });
    }
    return assigned.flatMap(({ topic, partition }) => known.get(`${topic} ${partition}`) ?? []);
  }

  async #startAt(topic: Topic, partition: number): Promise<number | undefined> {
    try {
      return await this.#options.startAt?.(topic, partition);
    } catch (error) {
      throw new StartUnknown(error);
    }
  }

  #startHeartbeats(): void {
    this.#heartbeats = setInterval(() => {
      this.#group.heartbeat({ interval: 0 }).catch((error: unknown) => this.#lose(error));
    }, HEARTBEAT_INTERVAL_MS);
  }

  #stopHeartbeats(): void {
    clearInterval(this.#heartbeats);
  }

  #lose(error: unknown): void {
    this.#stopHeartbeats();
    if (errorTypeOf(error) === "UNKNOWN_MEMBER_ID") {
      this.#group.memberId = null;
      this.#generation = undefined;
    }
    this.#isOutdated = true;
    this.#onChange();
  }
}

/** `topic partition` to the offset a group committed; partitions without one are absent. */
export async function committedOffsets(
  cluster: Cluster,
  names: TopicNames,
  group: string,
  partitions: readonly { readonly topic: Topic; readonly partition: number }[],
): Promise<ReadonlyMap<string, number>> {
  if (partitions.length === 0) return new Map();
  const groupId = names.group(group);
  const coordinator = await cluster.findGroupCoordinator({ groupId });
  const topics = [...Map.groupBy(partitions, ({ topic }) => topic)].map(([topic, ofTopic]) => ({
    topic: names.of(topic),
    partitions: ofTopic.map(({ partition }) => ({ partition })),
  }));
  const { responses } = await coordinator.offsetFetch({ groupId, topics });
  return new Map(
    responses.flatMap(({ topic, partitions: ofTopic }) =>
      ofTopic.flatMap(({ partition, offset }) =>
        Number(offset) < 0
          ? []
          : [[`${names.topicOf(topic)} ${partition}`, Number(offset)] as const],
      ),
    ),
  );
}

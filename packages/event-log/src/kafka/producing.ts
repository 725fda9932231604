import { setTimeout as delay } from "node:timers/promises";

import type { Topic } from "@feed/domain/topics";

import type { Cluster, TopicNames } from "./connection.ts";
import { isFinal } from "./faults.ts";
import type { KafkaMessage } from "./kafkajs-types.ts";

const ACKS_ALL = -1;
/** Between attempts, while a partition changes its leader. */
const RETRY_DELAY_MS = 100;
const NO_TRANSACTIONS_TIMEOUT_MS = 60_000;
/** Of a partition's sequence numbers; they begin at 0 again. */
const SEQUENCES = 2 ** 31;

/** Consecutive records of one partition, sent as one record batch. */
export interface PartitionRecords {
  readonly topic: Topic;
  readonly partition: number;
  readonly messages: readonly KafkaMessage[];
  /** Whether the brokers recognise a repetition, so that it is appended once. */
  readonly deduplicated: boolean;
}

export interface Produced {
  /** Offset of the first record of each batch that was appended; a batch that was not, or may not be, is absent. */
  readonly offsets: ReadonlyMap<PartitionRecords, number>;
  /** Why a batch is absent, as far as it was said. */
  readonly failure: unknown;
}

/**
 * Writes record batches with the acknowledgement of all in-sync replicas. Each has a number in its partition's sequence,
 * which stays its own however often it is sent, so that a lost answer appends nothing twice (KIP-98). kafkajs's own
 * producer does not keep that promise towards several brokers: when one of them fails, it sends what others still have
 * in hand once more under new numbers.
 *
 * One call at a time. After a call that left a batch unacknowledged the producer must not be used again.
 */
export class IdempotentProducer {
  readonly #cluster: Cluster;
  readonly #names: TopicNames;
  readonly #sequences = new Map<string, number>();
  readonly #producerId: string;
  readonly #producerEpoch: number;

  private constructor(
    cluster: Cluster,
    names: TopicNames,
    { producerId, producerEpoch }: { producerId: string; producerEpoch: number },
  ) {
    this.#cluster = cluster;
    this.#names = names;
    this.#producerId = producerId;
    this.#producerEpoch = producerEpoch;
  }

  /** Tries until `signal` is aborted: a broker that has just started hands out no numbers yet. */
  static async open(
    cluster: Cluster,
    names: TopicNames,
    signal: AbortSignal,
  ): Promise<IdempotentProducer> {
    for (;;) {
      try {
        const broker = await cluster.findControllerBroker();
        const transactionTimeout = NO_TRANSACTIONS_TIMEOUT_MS;
        const numbers = await broker.initProducerId({ transactionTimeout });
        return new IdempotentProducer(cluster, names, numbers);
      } catch (error) {
        if (signal.aborted || isFinal(error)) throw error;
      }
      await delay(RETRY_DELAY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Tries until all batches are appended or `signal` is aborted; then what was not is absent from the answer. */
  async send(batches: readonly PartitionRecords[], signal: AbortSignal): Promise<Produced> {
    const produced = new Map<PartitionRecords, number>();
    let failure: unknown;
    for (;;) {
      const left = batches.filter((batch) => !produced.has(batch));
      if (left.length === 0) break;
      if (signal.aborted || (failure !== undefined && isFinal(failure))) break;
      if (failure !== undefined) await this.#recover(signal);
      failure = undefined;
      const requests = await this.#requests(left).catch((error: unknown) => {
        failure = error;
        return [];
      });
      const outcomes = await Promise.allSettled(
        requests.map(async (request) => {
          for (const [batch, offset] of await this.#produce(request, signal))
            produced.set(batch, offset);
        }),
      );
      failure ??= outcomes.find((outcome) => outcome.status === "rejected")?.reason;
    }
    for (const batch of produced.keys()) this.#advance(batch);
    return { offsets: produced, failure };
  }

  async #recover(signal: AbortSignal): Promise<void> {
    await delay(RETRY_DELAY_MS, undefined, { signal }).catch(() => undefined);
    await this.#cluster.refreshMetadata().catch(() => undefined);
  }

  /** One request to each leader, two where some batches are deduplicated and some are not. */
  async #requests(batches: readonly PartitionRecords[]): Promise<readonly ProduceRequest[]> {
    await this.#cluster.refreshMetadataIfNecessary();
    const requests = new Map<string, ProduceRequest>();
    for (const batch of batches) {
      const nodeId = this.#leaderOf(batch);
      const key = `${nodeId} ${batch.deduplicated}`;
      const request = requests.get(key);
      if (request === undefined)
        requests.set(key, { nodeId, deduplicated: batch.deduplicated, batches: [batch] });
      else request.batches.push(batch);
    }
    return [...requests.values()];
  }

  #leaderOf({ topic, partition }: PartitionRecords): string {
    const name = this.#names.of(topic);
    const found = this.#cluster
      .findTopicPartitionMetadata(name)
      .find(({ partitionId }) => partitionId === partition);
    if (found === undefined || found.leader === null || found.leader < 0)
      throw new Error(`partition ${partition} of ${name} has no leader`);
    return String(found.leader);
  }

  async #produce(
    { nodeId, deduplicated, batches }: ProduceRequest,
    signal: AbortSignal,
  ): Promise<[PartitionRecords, number][]> {
    const byTopic = Map.groupBy(batches, (batch) => batch.topic);
    const topicData = [...byTopic].map(([topic, ofTopic]) => ({
      topic: this.#names.of(topic),
      partitions: ofTopic.map(({ partition, messages }) => ({
        partition,
        firstSequence: deduplicated ? this.#sequence(topic, partition) : 0,
        messages,
      })),
    }));
    const broker = await this.#cluster.findBroker({ nodeId });
    // Finding it may have taken a new connection: what the caller was told is refused must not be appended after all.
    signal.throwIfAborted();
    const { topics } = await broker.produce({
      topicData,
      acks: ACKS_ALL,
      timeout: NO_TRANSACTIONS_TIMEOUT_MS,
      ...(deduplicated
        ? { producerId: this.#producerId, producerEpoch: this.#producerEpoch }
        : undefined),
    });
    const offsets = new Map(
      topics.flatMap(({ topicName, partitions }) =>
        partitions.map(({ partition, baseOffset }) => [`${topicName} ${partition}`, baseOffset]),
      ),
    );
    return batches.map((batch) => {
      const offset = offsets.get(`${this.#names.of(batch.topic)} ${batch.partition}`);
      // -1: the brokers know the batch as a repetition, but no longer where it lies.
      if (offset === undefined || Number(offset) < 0) throw new Error("an append has no offset");
      return [batch, Number(offset)];
    });
  }

  #sequence(topic: Topic, partition: number): number {
    return this.#sequences.get(`${topic} ${partition}`) ?? 0;
  }

  #advance({ topic, partition, messages, deduplicated }: PartitionRecords): void {
    if (!deduplicated) return;
    const next = (this.#sequence(topic, partition) + messages.length) % SEQUENCES;
    this.#sequences.set(`${topic} ${partition}`, next);
  }
}

interface ProduceRequest {
  readonly nodeId: string;
  readonly deduplicated: boolean;
  readonly batches: PartitionRecords[];
}

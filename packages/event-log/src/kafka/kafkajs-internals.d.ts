/** What the adapter takes of kafkajs below its public producer and consumer (docs/decisions/0018). */

declare module "kafkajs/src/cluster/index.js" {
  import type { KafkaBroker, KafkaLogger } from "@feed/event-log/kafka/kafkajs-types";

  export default class Cluster {
    constructor(options: {
      readonly brokers: readonly string[];
      readonly clientId: string;
      readonly ssl: boolean;
      readonly sasl: object | undefined;
      readonly logger: KafkaLogger;
      readonly socketFactory: unknown;
      readonly connectionTimeout: number;
      readonly authenticationTimeout: number;
      readonly requestTimeout: number;
      readonly enforceRequestTimeout: boolean;
      readonly metadataMaxAge: number;
      readonly retry: object;
      readonly allowAutoTopicCreation: boolean;
      readonly isolationLevel: number;
    });
    connect(): Promise<void>;
    disconnect(): Promise<void>;
    refreshMetadata(): Promise<void>;
    refreshMetadataIfNecessary(): Promise<void>;
    addMultipleTargetTopics(topics: readonly string[]): Promise<void>;
    findBroker(of: { readonly nodeId: string }): Promise<KafkaBroker>;
    findControllerBroker(): Promise<KafkaBroker>;
    findGroupCoordinator(of: { readonly groupId: string }): Promise<KafkaBroker>;
    findTopicPartitionMetadata(
      topic: string,
    ): readonly { readonly partitionId: number; readonly leader: number | null }[];
    fetchTopicsOffset(
      topics: readonly {
        readonly topic: string;
        readonly partitions: readonly { readonly partition: number }[];
        readonly fromBeginning: boolean;
      }[],
    ): Promise<
      readonly {
        readonly topic: string;
        readonly partitions: readonly { readonly partition: number; readonly offset: string }[];
      }[]
    >;
  }
}

declare module "kafkajs/src/network/socketFactory.js" {
  export default function socketFactory(): unknown;
}

declare module "kafkajs/src/consumer/assigners/index.js" {
  const assigners: { readonly roundRobin: (options: object) => unknown };
  export default assigners;
}

declare module "kafkajs/src/consumer/consumerGroup.js" {
  export default class ConsumerGroup {
    constructor(options: object);
    memberId: string | null;
    readonly generationId: number | null;
    connect(): Promise<void>;
    joinAndSync(): Promise<void>;
    assigned(): readonly { readonly topic: string; readonly partitions: readonly number[] }[];
    heartbeat(options: { readonly interval: number }): Promise<void>;
    commitOffsets(offsets: {
      readonly topics: readonly {
        readonly topic: string;
        readonly partitions: readonly { readonly partition: number; readonly offset: string }[];
      }[];
    }): Promise<void>;
    leave(): Promise<void>;
  }
}

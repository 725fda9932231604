/** Shapes of kafkajs's requests and answers, as far as the adapter uses them. Offsets are decimal texts. */

export interface KafkaLogger {
  namespace(): KafkaLogger;
  error(): void;
  warn(): void;
  info(): void;
  debug(): void;
}

/** One record of a produce request. */
export interface KafkaMessage {
  readonly key: Buffer;
  readonly value: Buffer | null;
  readonly timestamp: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ProducedPartition {
  readonly partition: number;
  readonly firstSequence: number;
  readonly messages: readonly KafkaMessage[];
}

export interface FetchedMessage {
  readonly offset: string;
  readonly timestamp: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly isControlRecord: boolean;
  readonly headers?: Readonly<Record<string, Buffer | readonly Buffer[] | undefined>>;
}

interface TopicOffsets {
  readonly topic: string;
  readonly partitions: readonly { readonly partition: number; readonly offset: string }[];
}

export interface KafkaBroker {
  produce(request: {
    readonly topicData: readonly {
      readonly topic: string;
      readonly partitions: readonly ProducedPartition[];
    }[];
    readonly acks: number;
    readonly timeout: number;
    readonly producerId?: string;
    readonly producerEpoch?: number;
  }): Promise<{
    readonly topics: readonly {
      readonly topicName: string;
      readonly partitions: readonly { readonly partition: number; readonly baseOffset: string }[];
    }[];
  }>;
  initProducerId(request: { readonly transactionTimeout: number }): Promise<{
    readonly producerId: string;
    readonly producerEpoch: number;
  }>;
  fetch(request: {
    readonly maxWaitTime: number;
    readonly minBytes: number;
    readonly maxBytes: number;
    readonly isolationLevel: number;
    readonly topics: readonly {
      readonly topic: string;
      readonly partitions: readonly {
        readonly partition: number;
        readonly fetchOffset: string;
        readonly maxBytes: number;
      }[];
    }[];
  }): Promise<{
    readonly responses: readonly {
      readonly topicName: string;
      readonly partitions: readonly {
        readonly partition: number;
        readonly highWatermark: string;
        readonly messages: readonly FetchedMessage[];
      }[];
    }[];
  }>;
  offsetFetch(request: {
    readonly groupId: string;
    readonly topics: readonly {
      readonly topic: string;
      readonly partitions: readonly { readonly partition: number }[];
    }[];
  }): Promise<{ readonly responses: readonly TopicOffsets[] }>;
  offsetCommit(request: {
    readonly groupId: string;
    readonly groupGenerationId: number;
    readonly memberId: string;
    readonly topics: readonly TopicOffsets[];
  }): Promise<unknown>;
}

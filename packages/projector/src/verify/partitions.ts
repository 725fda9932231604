import { TOPICS } from "@feed/domain/topics";
import type { Topic } from "@feed/domain/topics";
import type { TopicPartition } from "./check.ts";

/** Every partition of a topic. */
export function partitionsOf(topic: Topic): readonly TopicPartition[] {
  return Array.from({ length: TOPICS[topic].partitions }, (_, partition) => ({ topic, partition }));
}

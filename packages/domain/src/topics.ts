import { USER_PARTITIONS } from "./limits.ts";

/** Partition counts and cleanup of every topic, fixed from the first day (architecture, "Topics"). */
export const TOPICS = {
  contents: { partitions: 16, cleanup: "compacted" },
  users: { partitions: USER_PARTITIONS, cleanup: "kept" },
  // As many partitions as `users`: a record and the key it is sealed under share their partition number.
  "user-keys": { partitions: USER_PARTITIONS, cleanup: "compacted" },
  tenants: { partitions: 1, cleanup: "kept" },
  deliveries: { partitions: USER_PARTITIONS, cleanup: "kept" },
  credits: { partitions: 8, cleanup: "kept" },
  "push-jobs": { partitions: 16, cleanup: "kept" },
  webhooks: { partitions: 8, cleanup: "kept" },
  "push-chunks": { partitions: 64, cleanup: "expiring" },
  "dead-letters": { partitions: 1, cleanup: "kept" },
  "read-models": { partitions: 1, cleanup: "kept" },
} as const satisfies Record<string, TopicSettings>;

export interface TopicSettings {
  readonly partitions: number;
  /** `compacted`: the last record of each key stays; `expiring`: 7 days; `kept`: for ever. */
  readonly cleanup: "kept" | "compacted" | "expiring";
}

export type Topic = keyof typeof TOPICS;

/** One place in the log. Offsets count from 0 in each partition. */
export interface LogPosition {
  readonly topic: Topic;
  readonly partition: number;
  readonly offset: number;
}

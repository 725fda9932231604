import type { ContentId, SubjectId, TenantId } from "./ids.ts";

/** Why a job failed (decisions, "Push jobs"). */
export const PUSH_FAILURE_CODES = [
  "usage_limit_exceeded",
  "cancelled",
  "log_unavailable",
  "projection_unavailable",
  "storage_unavailable",
  "internal",
] as const;
export type PushFailureCode = (typeof PUSH_FAILURE_CODES)[number];

export const TARGET_MODES = ["condition", "manual"] as const;
export type TargetMode = (typeof TARGET_MODES)[number];

/** Spec 4.5: null means that the filter is off. */
export interface PushConditions {
  readonly lastActiveDays: number | null;
  /** Inclusive. */
  readonly registeredFromMs: number | null;
  /** Exclusive. */
  readonly registeredToMs: number | null;
}
export const NO_CONDITIONS: PushConditions = {
  lastActiveDays: null,
  registeredFromMs: null,
  registeredToMs: null,
};

/** Spec 2.8: independent counters; a user excluded for several reasons counts in each. */
export interface FilterStats {
  readonly totalAudience: number;
  readonly excludedDueToNullLastActive: number;
  readonly excludedDueToLastActiveDays: number;
  readonly excludedDueToRegisteredRange: number;
}

/** The user_ids of a manual job: too many for a record, so they lie in the object store. */
export interface StoredUserIds {
  readonly objectKey: string;
  /** Lower-case hex SHA-256 of the object. */
  readonly sha256: string;
  readonly count: number;
}

interface PushFactBase {
  readonly tenantId: TenantId;
  readonly jobId: string;
  readonly atMs: number;
}

/** POST /v1/push-candidates was accepted; `atMs` is when. */
export interface PushJobRequested extends PushFactBase {
  readonly type: "push-job.requested";
  readonly scenario: string;
  readonly candidatesPerUser: number;
  readonly targetMode: TargetMode;
  readonly conditions: PushConditions;
  /** Null in condition mode. */
  readonly userIds: StoredUserIds | null;
  /** End offsets by partition: the audience is resolved when everything below them has been projected. */
  readonly usersEnds: readonly number[];
  readonly deliveriesEnds: readonly number[];
  /** A job of a test key is never charged. */
  readonly keyKind: "live" | "test";
}

/** A slot was free. */
export interface PushJobStarted extends PushFactBase {
  readonly type: "push-job.started";
}

/** Users are fixed from here on: `chunkCount` objects `<audienceKey>/<chunk>` of `chunkUsers` users, the last of fewer. */
export interface PushAudienceResolved extends PushFactBase {
  readonly type: "push-job.audience-resolved";
  readonly targetUserCount: number;
  readonly chunkUsers: number;
  readonly chunkCount: number;
  readonly audienceKey: string;
  /** Where scenario and pool are written down that all candidates are made from; null: not fixed. */
  readonly basisKey: string | null;
  /** Null in manual mode. */
  readonly filterStats: FilterStats | null;
}

/** One chunk has its part. The first fact of a chunk stands; a repeat changes nothing. */
export interface PushChunkDone extends PushFactBase {
  readonly type: "push-job.chunk-done";
  readonly chunk: number;
  readonly partKey: string;
  readonly users: number;
  readonly usersWithCandidates: number;
  readonly usersFailed: number;
  readonly candidates: number;
  /** Articles given to anybody in this chunk, each once. */
  readonly contentIds: readonly ContentId[];
  /** Users with candidates. */
  readonly subjectIds: readonly SubjectId[];
  /** How many articles each of them got, then, in `picks`, which: indexes into `contentIds`. */
  readonly pickCounts: readonly number[];
  readonly picks: readonly number[];
}

export interface SentContent {
  readonly contentId: ContentId;
  readonly users: number;
}

/** The result is ready: what webhooks, analytics and the ledger need, without looking further. */
export interface PushJobCompleted extends PushFactBase {
  readonly type: "push-job.completed";
  readonly scenario: string;
  readonly targetUserCount: number;
  readonly usersFailed: number;
  readonly candidates: number;
  readonly creditsTenths: number;
  readonly filterStats: FilterStats | null;
  readonly resultKey: string;
  readonly sent: readonly SentContent[];
}

export interface PushJobFailed extends PushFactBase {
  readonly type: "push-job.failed";
  readonly scenario: string;
  readonly code: PushFailureCode;
  readonly message: string;
}

/** Its tenant ended it; too late where the job has ended by itself. */
export interface PushJobCancelled extends PushFactBase {
  readonly type: "push-job.cancelled";
}

/** After the end: the reservation is closed and what the job needed while it ran is removed. */
export interface PushJobClosed extends PushFactBase {
  readonly type: "push-job.closed";
}

/** Topic `push-jobs`, keyed by job id, all jobs of a tenant in one partition. */
export type PushJobFact =
  | PushJobRequested
  | PushJobStarted
  | PushAudienceResolved
  | PushChunkDone
  | PushJobCompleted
  | PushJobFailed
  | PushJobCancelled
  | PushJobClosed;

/** Topic `push-chunks`, keyed `<job>:<chunk>`: work for whoever holds the partition. */
export interface PushChunkQueued extends PushFactBase {
  readonly type: "push-chunk.queued";
  readonly chunk: number;
  /** Of the job's audience-resolved fact: read state must have passed it, to know what was sent before. */
  readonly jobPartition: number;
  readonly audienceOffset: number;
}

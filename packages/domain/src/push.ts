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

export type PushJobStatus = "queued" | "processing" | "completed" | "failed";

/** What a chunk's first fact said, without the users. */
export type ChunkResult = Pick<
  PushChunkDone,
  "partKey" | "users" | "usersWithCandidates" | "usersFailed" | "candidates"
>;

/** A job as its facts add up. */
export interface PushJobState {
  readonly request: Omit<PushJobRequested, "type">;
  /** Offset of its request: the order of a tenant's jobs. */
  readonly requestedOffset: number;
  readonly status: PushJobStatus;
  readonly audience: (Omit<PushAudienceResolved, "type"> & { readonly offset: number }) | null;
  /** By chunk number; null: not done. */
  readonly chunks: readonly (ChunkResult | null)[];
  readonly completed:
    | (Omit<PushJobCompleted, "type" | "sent"> & { readonly offset: number })
    | null;
  readonly failure: {
    readonly code: PushFailureCode;
    readonly message: string;
    readonly atMs: number;
  } | null;
  readonly closed: boolean;
}

/**
 * The job after one more fact (spec 3). Facts that come too late change nothing and give the same object back: the
 * first end stands, the first fact of a chunk stands, and a fact of an unknown job is ignored.
 */
export function evolveJob(
  state: PushJobState | undefined,
  fact: PushJobFact,
  offset: number,
): PushJobState | undefined {
  if (fact.type === "push-job.requested") return state ?? requested(fact, offset);
  if (state === undefined) return undefined;
  if (fact.type === "push-job.closed") {
    return hasEnded(state) && !state.closed ? { ...state, closed: true } : state;
  }
  return hasEnded(state) ? state : evolveOpenJob(state, fact, offset);
}

/** Whether the job is completed or failed. */
export function hasEnded({ status }: Pick<PushJobState, "status">): boolean {
  return status === "completed" || status === "failed";
}

function evolveOpenJob(
  state: PushJobState,
  fact: Exclude<PushJobFact, PushJobRequested | PushJobClosed>,
  offset: number,
): PushJobState {
  switch (fact.type) {
    case "push-job.started":
      return state.status === "queued" ? { ...state, status: "processing" } : state;
    case "push-job.audience-resolved": {
      if (state.status !== "processing" || state.audience !== null) return state;
      const { type: _, ...audience } = fact;
      const chunks = Array.from({ length: fact.chunkCount }, () => null);
      return { ...state, audience: { ...audience, offset }, chunks };
    }
    case "push-job.chunk-done":
      return withChunk(state, fact);
    case "push-job.completed": {
      if (state.audience === null || state.chunks.includes(null)) return state;
      const { type: _, sent: __, ...completed } = fact;
      return { ...state, status: "completed", completed: { ...completed, offset } };
    }
    case "push-job.failed": {
      const { code, message, atMs } = fact;
      return { ...state, status: "failed", failure: { code, message, atMs } };
    }
    case "push-job.cancelled": {
      const message = "The job was cancelled.";
      return {
        ...state,
        status: "failed",
        failure: { code: "cancelled", message, atMs: fact.atMs },
      };
    }
    default:
      return fact satisfies never;
  }
}

function requested(fact: PushJobRequested, offset: number): PushJobState {
  const { type: _, ...request } = fact;
  return {
    request,
    requestedOffset: offset,
    status: "queued",
    audience: null,
    chunks: [],
    completed: null,
    failure: null,
    closed: false,
  };
}

function withChunk(state: PushJobState, fact: PushChunkDone): PushJobState {
  if (!isNewChunk(state, fact)) return state;
  const { partKey, users, usersWithCandidates, usersFailed, candidates } = fact;
  const done = { partKey, users, usersWithCandidates, usersFailed, candidates };
  return { ...state, chunks: state.chunks.with(fact.chunk, done) };
}

/** Whether this fact is the first of its chunk and counts. */
export function isNewChunk(state: PushJobState, { chunk }: Pick<PushChunkDone, "chunk">): boolean {
  return !hasEnded(state) && chunk < state.chunks.length && state.chunks[chunk] === null;
}

/** Spec 2.8: 100 when completed and never before; it stays where it was when a job fails. */
export function progressOf({ status, audience, chunks }: PushJobState): number {
  if (status === "completed") return 100;
  if (audience === null || audience.targetUserCount === 0) return 0;
  const users = chunks.reduce((sum, chunk) => sum + (chunk?.users ?? 0), 0);
  return Math.floor((99 * users) / audience.targetUserCount);
}

/** Users as the spec counts them, over all chunks done. */
export function totalsOf(chunks: readonly (ChunkResult | null)[]): Omit<ChunkResult, "partKey"> {
  const totals = { users: 0, usersWithCandidates: 0, usersFailed: 0, candidates: 0 };
  for (const chunk of chunks) {
    if (chunk === null) continue;
    totals.users += chunk.users;
    totals.usersWithCandidates += chunk.usersWithCandidates;
    totals.usersFailed += chunk.usersFailed;
    totals.candidates += chunk.candidates;
  }
  return totals;
}

/** Who got what in a chunk. */
export function* picksOf(
  fact: Pick<PushChunkDone, "contentIds" | "subjectIds" | "pickCounts" | "picks">,
): Generator<{ readonly subjectId: SubjectId; readonly contentIds: readonly ContentId[] }> {
  let next = 0;
  for (const [index, subjectId] of fact.subjectIds.entries()) {
    const end = next + (fact.pickCounts[index] ?? 0);
    const contentIds = fact.picks.slice(next, end).flatMap((pick) => fact.contentIds[pick] ?? []);
    next = end;
    yield { subjectId, contentIds };
  }
}

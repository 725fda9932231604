import type { ContentId, SubjectId } from "./ids.ts";
import type {
  PushAudienceResolved,
  PushChunkDone,
  PushFailureCode,
  PushJobClosed,
  PushJobCompleted,
  PushJobFact,
  PushJobRequested,
} from "./push-facts.ts";

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

import { randomBytes } from "node:crypto";
import type { ContentId } from "@feed/domain/ids";
import { evolveJob, hasEnded, isNewChunk, type PushJobState } from "@feed/domain/push";
import type { PushJobFact } from "@feed/domain/push-facts";

const ATTEMPT_BYTES = 6;

/** What a job needs next; undefined: it waits for others. */
export type NextStep = "start" | "resolve" | "reserve" | "dispatch" | "finish" | "close";

/** A job as its coordinator holds it: what its facts say, and what is under way. */
export class TrackedJob {
  state: PushJobState;
  /** Names what this coordinator writes down before its fact: done again, it takes the same place. */
  readonly attempt = randomBytes(ATTEMPT_BYTES).toString("hex");
  /** Users by article, over the chunks that count. */
  readonly sent = new Map<ContentId, number>();
  /** Chunks handed out since this coordinator took over, and not done. */
  readonly dispatched = new Set<number>();
  /** Credits are granted, as far as this coordinator knows; asked again after a restart. */
  isReserved = false;
  /** The step under way. */
  busy: NextStep | undefined;
  /** Nothing is decided before the fact at this offset has come back. */
  awaitedOffset = -1;

  constructor(state: PushJobState) {
    this.state = state;
  }

  fold(fact: PushJobFact, offset: number): void {
    if (fact.type === "push-job.chunk-done" && isNewChunk(this.state, fact)) {
      for (const pick of fact.picks) {
        const contentId = fact.contentIds[pick];
        if (contentId !== undefined) {
          this.sent.set(contentId, (this.sent.get(contentId) ?? 0) + 1);
        }
      }
    }
    if (fact.type === "push-job.chunk-done") this.dispatched.delete(fact.chunk);
    this.state = evolveJob(this.state, fact, offset) ?? this.state;
  }

  get nextStep(): NextStep | undefined {
    const { state } = this;
    if (state.closed) return undefined;
    if (hasEnded(state)) return "close";
    if (state.status === "queued") return "start";
    if (state.audience === null) return "resolve";
    const isFree = state.audience.targetUserCount === 0 || state.request.keyKind === "test";
    if (!this.isReserved && !isFree) return "reserve";
    return state.chunks.includes(null) ? "dispatch" : "finish";
  }

  /** Chunks to do that nobody has. */
  waitingChunks(): readonly number[] {
    return this.state.chunks.flatMap((result, chunk) =>
      result === null && !this.dispatched.has(chunk) ? [chunk] : [],
    );
  }
}

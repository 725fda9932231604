import type { ReadModel, ReadModelState } from "./read-models.ts";
import type { ParityReport } from "./rebuilds.ts";

/** Topic `dead-letters`: one record that could not be processed (architecture rule 4). */
export interface DeadLetter {
  readonly type: "dead-letter";
  readonly sourceTopic: string;
  readonly sourcePartition: number;
  readonly sourceOffset: number;
  /** Which consumer gave up: `decode`, or a projection's name. */
  readonly stage: string;
  readonly reason: string;
  readonly original: Uint8Array;
  readonly atMs: number;
}

/** Topic `read-models`, keyed by read model: which versions of it there are. */
export interface ReadModelChanged {
  readonly type: "read-model.changed";
  readonly readModel: ReadModel;
  /** Counts from 1. */
  readonly version: number;
  readonly state: ReadModelState;
  readonly atMs: number;
}

/** Topic `dead-letters`: what became of the letters that came before it from one record and consumer. */
export interface DeadLetterSettled {
  readonly type: "dead-letter.settled";
  readonly sourceTopic: string;
  readonly sourcePartition: number;
  readonly sourceOffset: number;
  readonly stage: string;
  /** `replayed`: the record took effect after all; `discarded`: it never will. */
  readonly outcome: "replayed" | "discarded";
  /** Why; may be empty where it was replayed. */
  readonly note: string;
  readonly actor: string;
  readonly atMs: number;
}

/** Topic `dead-letters`: projectors are asked to take the record of a letter once more. */
export interface DeadLetterReplayRequested {
  readonly type: "dead-letter.replay-requested";
  readonly sourceTopic: string;
  readonly sourcePartition: number;
  readonly sourceOffset: number;
  readonly stage: string;
  /** Of the letter, in its topic. */
  readonly letterOffset: number;
  readonly actor: string;
  readonly atMs: number;
}

/** Topic `dead-letters`: what one projection made of a letter's record when it was asked to take it once more. */
export interface DeadLetterReplayAnswered {
  readonly type: "dead-letter.replay-answered";
  readonly sourceTopic: string;
  readonly sourcePartition: number;
  readonly sourceOffset: number;
  readonly stage: string;
  /** Of the request, in its topic. */
  readonly requestOffset: number;
  readonly projection: string;
  readonly outcome: "effective" | "refused" | "overtaken";
  /** Why it was refused, else empty. */
  readonly reason: string;
  readonly atMs: number;
}

/** Topic `read-models`: how far a rebuild is, told every few seconds by who makes it, and how it ended. */
export interface ReadModelRebuildStep {
  readonly type: "read-model.rebuild-step";
  readonly readModel: ReadModel;
  /** The one that is made. */
  readonly version: number;
  /** `building`: it reads the log; `comparing`: with the live one; `built`: it is ready; `failed`: it is not. */
  readonly step: "building" | "comparing" | "built" | "failed";
  /** Records read, and how many there are; the log grows meanwhile. */
  readonly done: number;
  readonly total: number;
  readonly startedAtMs: number;
  /** Of a version that is built, else null. */
  readonly report: ParityReport | null;
  /** Why it failed, else empty. */
  readonly reason: string;
  readonly actor: string;
  readonly atMs: number;
}

/** What is said of the installation itself. */
export type OperatingFact =
  | DeadLetter
  | DeadLetterSettled
  | DeadLetterReplayRequested
  | DeadLetterReplayAnswered
  | ReadModelChanged
  | ReadModelRebuildStep;

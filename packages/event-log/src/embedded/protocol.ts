import type { Topic } from "@feed/domain/topics";

import type { Changes } from "./changes.ts";

export interface PartitionOffset {
  readonly topic: Topic;
  readonly partition: number;
  readonly offset: number;
}

export interface MemberId {
  readonly group: string;
  readonly memberId: string;
}

/** A partition held by a member, with the group's committed offset. */
export interface Claim {
  readonly topic: Topic;
  readonly partition: number;
  readonly committed: number | undefined;
}

/** What the writer thread is asked to do, each within one transaction. */
export type WriteOp =
  | { readonly kind: "append"; readonly nowMs: number; readonly packed: ArrayBuffer }
  | JoinOp
  | ({ readonly kind: "leave" } & MemberId)
  | ({ readonly kind: "rebalance" } & MemberId)
  | CommitOp
  | HeartbeatOp
  | ResetOp
  | { readonly kind: "compact"; readonly nowMs: number; readonly lagMs: number };

export interface JoinOp extends MemberId {
  readonly kind: "join";
  readonly topics: readonly Topic[];
  readonly process: string;
  readonly nowMs: number;
}

export interface CommitOp extends MemberId {
  readonly kind: "commit";
  readonly offsets: readonly PartitionOffset[];
}

export interface HeartbeatOp {
  readonly kind: "heartbeat";
  readonly members: readonly MemberId[];
  readonly nowMs: number;
}

export interface ResetOp {
  readonly kind: "reset";
  readonly group: string;
  readonly offsets: readonly PartitionOffset[];
  readonly nowMs: number;
}

export interface WriteResults {
  /** The offset of each record, in order. */
  readonly append: readonly number[];
  readonly join: null;
  readonly leave: null;
  /** Undefined: the member has been expelled. */
  readonly rebalance:
    | { readonly generation: number; readonly claims: readonly Claim[] }
    | undefined;
  /** How many offsets were refused because their partition is no longer the member's. */
  readonly commit: { readonly fenced: number };
  /** Those of the members that have been expelled. */
  readonly heartbeat: readonly string[];
  readonly reset: null;
  readonly compact: { readonly removed: number; readonly more: boolean };
}

export type OpOf<Kind extends WriteOp["kind"]> = Extract<WriteOp, { readonly kind: Kind }>;

/** One message: what was asked for in one turn of the event loop. */
export type WriteRequests = readonly WriteRequest[];

export interface WriteRequest {
  readonly id: number;
  /** Null: finish; nothing more will come through this door. */
  readonly op: WriteOp | null;
}

/** The answers to what was committed together. */
export type WriteReply = readonly { readonly id: number; readonly outcome: WriteOutcome }[];

export type WriteOutcome =
  | { readonly ok: true; readonly result: unknown; readonly changes: Changes }
  | { readonly ok: false; readonly error: "unavailable" | "rejected"; readonly message: string };

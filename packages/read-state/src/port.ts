import type { ContentId, SessionRef, TenantId, UserRef } from "@feed/domain/ids";
import type { SessionState, SubjectKey, UserState } from "@feed/domain/user";

/** A user's record and the offset in its `users` partition that last changed it. */
export interface StoredUser {
  readonly kind: "user";
  readonly state: UserState;
  readonly offset: number;
}
/** What is left of a deleted generation: later facts of this subject are dropped. */
export interface ForgottenUser {
  readonly kind: "forgotten";
  readonly offset: number;
}
export type UserRecord = StoredUser | ForgottenUser;

/** Projections that write here; each has positions of its own. */
export const READ_STATE_PROJECTIONS = ["users", "deliveries", "credits"] as const;
export type ReadStateProjection = (typeof READ_STATE_PROJECTIONS)[number];

/** Changes name the record they touch and the offset they come from; one that is not newer is ignored. */
export type ReadStateChange =
  | { readonly kind: "put-user"; readonly key: SubjectKey; readonly state: UserState; readonly offset: number }
  | { readonly kind: "mark-read"; readonly key: SubjectKey; readonly contentId: ContentId; readonly atMs: number }
  | {
      /** Removes the user, the read marks and the sessions it owns; leaves ForgottenUser and the next generation. */
      readonly kind: "forget-user";
      readonly key: SubjectKey;
      readonly userRef: UserRef;
      readonly nextGeneration: number;
      readonly offset: number;
    }
  /** Merged into what is stored by `mergeSessions` (domain/session.ts); any order, any repeats. */
  | { readonly kind: "merge-session"; readonly tenantId: TenantId; readonly session: SessionState }
  /** The new sum of one `deliveries` partition for a tenant and month. */
  | {
      readonly kind: "put-usage";
      readonly tenantId: TenantId;
      readonly month: string;
      readonly partition: number;
      readonly tenths: number;
      readonly offset: number;
    }
  | {
      readonly kind: "put-cap";
      readonly tenantId: TenantId;
      readonly capTenths: number | null;
      readonly offset: number;
    };

export interface UsageRecord {
  readonly tenths: number;
  readonly offset: number;
}

export interface CreditStanding {
  /** Used in the month: everything projected and everything taken since. */
  readonly usedTenths: number;
  readonly capTenths: number | null;
}

export type CreditTaking =
  | { readonly kind: "granted"; readonly usedTenths: number }
  | { readonly kind: "cap-reached"; readonly capTenths: number };

/** State of a fixed window of one second (decisions, "Credits and limits"). */
export interface WindowState {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly resetAtMs: number;
}

export type IdempotencyStart =
  | { readonly kind: "started" }
  /** Same key and body, answered before. */
  | { readonly kind: "answered"; readonly status: number; readonly body: string; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: "other-body" }
  | { readonly kind: "running" };

/**
 * What an API node asks about one user or tenant while it answers (architecture section 1).
 *
 * Keys     every method takes the tenant; nothing is visible across tenants.
 * Writes   read models are written by the projector alone, through `apply`. Limiter windows, taken credits,
 *          snapshots and idempotency records are short-lived and written by API nodes.
 * Times    integer milliseconds since the Unix epoch, given by the caller.
 * Errors   ReadStateUnavailable (retry later) or ReadStateRejected (a bug).
 */
export interface ReadState extends AsyncDisposable {
  // Read models, written by the projector
  /** All changes and positions of the call become visible together. At most 20,000 changes. */
  apply(
    projection: ReadStateProjection,
    changes: readonly ReadStateChange[],
    positions: ReadonlyMap<number, number>,
  ): Promise<void>;
  /** Partition to next offset, as last applied. */
  positions(projection: ReadStateProjection): Promise<ReadonlyMap<number, number>>;
  /** Records in the order asked, undefined where there is none. At most 10,000 keys. */
  users(keys: readonly SubjectKey[]): Promise<readonly (UserRecord | undefined)[]>;
  session(tenantId: TenantId, sessionRef: SessionRef): Promise<SessionState | undefined>;
  /** Every content the user has read: at most READ_MARKS_PER_USER_MAX. */
  readMarks(key: SubjectKey): Promise<ReadonlySet<ContentId>>;
  /** Current generation of a user, 0 where none was ever deleted. */
  generation(tenantId: TenantId, userRef: UserRef): Promise<number>;
  usage(tenantId: TenantId, month: string, partition: number): Promise<UsageRecord | undefined>;

  // Credits: an atomic counter that starts from the projected usage
  /** Takes `tenths` unless a cap is set and already reached. Granted where the sum ends above the cap by this call alone. */
  takeCredits(tenantId: TenantId, month: string, tenths: number): Promise<CreditTaking>;
  /** Gives back what was taken for an answer that was not charged after all. */
  returnCredits(tenantId: TenantId, month: string, tenths: number): Promise<void>;
  creditStanding(tenantId: TenantId, month: string): Promise<CreditStanding>;

  // Short-lived
  /** Counts one request into the window of one second that `nowMs` lies in. */
  countRequest(limiterKey: string, limitPerSecond: number, nowMs: number): Promise<WindowState>;
  /** JSON-serialisable value kept until `expiresAtMs`; may be lost earlier. */
  putSnapshot(tenantId: TenantId, id: string, value: unknown, expiresAtMs: number): Promise<void>;
  getSnapshot(tenantId: TenantId, id: string, nowMs: number): Promise<unknown>;
  startIdempotent(tenantId: TenantId, key: string, bodySha256: string, nowMs: number): Promise<IdempotencyStart>;
  finishIdempotent(
    tenantId: TenantId,
    key: string,
    answer: { readonly status: number; readonly body: string; readonly headers: Readonly<Record<string, string>> },
    nowMs: number,
  ): Promise<void>;
  /** Lets go of a key whose request ended in an answer that is not remembered. */
  abandonIdempotent(tenantId: TenantId, key: string): Promise<void>;
}

export class ReadStateUnavailable extends Error {
  override readonly name = "ReadStateUnavailable";
}
export class ReadStateRejected extends Error {
  override readonly name = "ReadStateRejected";
}

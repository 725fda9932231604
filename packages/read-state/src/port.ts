import type { ContentId, SessionRef, TenantId, UserRef } from "@feed/domain/ids";
import type { SessionState, SubjectKey } from "@feed/domain/user";
import type { ReadStateChange, UsageRecord, UserRecord } from "@feed/projections/changes";

export type {
  ForgottenUser,
  ReadStateChange,
  StoredUser,
  UsageRecord,
  UserRecord,
} from "@feed/projections/changes";

/** Projections that write here; each has positions of its own. */
export const READ_STATE_PROJECTIONS = ["users", "deliveries", "credits"] as const;
export type ReadStateProjection = (typeof READ_STATE_PROJECTIONS)[number];

export const CHANGES_PER_APPLY_MAX = 50_000;
export const USERS_PER_READ_MAX = 10_000;

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
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly body: string;
      readonly headers: Readonly<Record<string, string>>;
    }
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
 * Closed   after disposal every method rejects with ReadStateClosed.
 */
export interface ReadState extends AsyncDisposable {
  // Read models, written by the projector
  /**
   * All changes and positions of the call become visible together. At most CHANGES_PER_APPLY_MAX changes.
   * A change that is not newer than its record is ignored, a position below the stored one too.
   */
  apply(
    projection: ReadStateProjection,
    changes: readonly ReadStateChange[],
    positions: ReadonlyMap<number, number>,
  ): Promise<void>;
  /** Partition to next offset, as last applied. */
  positions(projection: ReadStateProjection): Promise<ReadonlyMap<number, number>>;
  /** Records in the order asked, undefined where there is none. At most USERS_PER_READ_MAX keys. */
  users(keys: readonly SubjectKey[]): Promise<readonly (UserRecord | undefined)[]>;
  /** The merge of what every subject that is not forgotten said about it. */
  session(tenantId: TenantId, sessionRef: SessionRef): Promise<SessionState | undefined>;
  /** Every content the user has read: at most READ_MARKS_PER_USER_MAX. */
  readMarks(key: SubjectKey): Promise<ReadonlySet<ContentId>>;
  /** Current generation of a user, 0 where none was ever deleted. */
  generation(tenantId: TenantId, userRef: UserRef): Promise<number>;
  usage(tenantId: TenantId, month: string, partition: number): Promise<UsageRecord | undefined>;

  // Credits: an atomic counter that never falls below the projected usage
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
  startIdempotent(
    tenantId: TenantId,
    key: string,
    bodySha256: string,
    nowMs: number,
  ): Promise<IdempotencyStart>;
  finishIdempotent(
    tenantId: TenantId,
    key: string,
    answer: {
      readonly status: number;
      readonly body: string;
      readonly headers: Readonly<Record<string, string>>;
    },
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
export class ReadStateClosed extends Error {
  override readonly name = "ReadStateClosed";
}

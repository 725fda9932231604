import type { ContentId, SessionRef, TenantId, UserRef } from "@feed/domain/ids";
import type { SessionState, SubjectKey } from "@feed/domain/user";
import type {
  PushJobRecord,
  ReadStateChange,
  UsageRecord,
  UserRecord,
  WebhookDeliveryRecord,
} from "@feed/projections/changes";
import type { Reservation } from "@feed/projections/credits";

export type {
  ForgottenUser,
  PushJobRecord,
  ReadStateChange,
  StoredUser,
  UsageRecord,
  UserRecord,
  WebhookDeliveryRecord,
} from "@feed/projections/changes";
export type { Reservation } from "@feed/projections/credits";

/** Projections that write here; each has positions of its own. */
export const READ_STATE_PROJECTIONS = [
  "users",
  "deliveries",
  "credits",
  "push-jobs",
  "webhooks",
] as const;
export type ReadStateProjection = (typeof READ_STATE_PROJECTIONS)[number];

export const CHANGES_PER_APPLY_MAX = 50_000;
export const USERS_PER_READ_MAX = 10_000;

/** What one push job chose for a user; it counts as sent once that job is completed. */
export interface SentMarks {
  readonly jobId: string;
  readonly contentIds: readonly ContentId[];
}

/** A push job that has not been closed. */
export interface OpenPushJob {
  readonly tenantId: TenantId;
  readonly jobId: string;
  /** Of `push-jobs`. */
  readonly partition: number;
  readonly requestedOffset: number;
}

/** A place in the list of a tenant's jobs. */
export interface PushJobPlace {
  readonly requestedAtMs: number;
  readonly jobId: string;
}

/** A place in the list of a tenant's webhook deliveries. */
export interface WebhookDeliveryPlace {
  readonly createdAtMs: number;
  readonly deliveryId: string;
}

export interface TokenState {
  readonly allowed: boolean;
  /** Until the next token is there; 0 where one was taken. */
  readonly waitMs: number;
}

export interface CreditStanding {
  /** Used in the month: everything projected and everything taken since. */
  readonly usedTenths: number;
  /** Held by granted reservations of push jobs; under a cap it counts like what is used. */
  readonly reservedTenths: number;
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
   * Whoever sees the positions sees every change; each change is seen whole, and those to one subject together.
   * Where the call rejects, any of the changes may have been made and no position has moved: the same call again
   * completes it. At most CHANGES_PER_APPLY_MAX changes. One that is not newer than its record is ignored, a
   * position below the stored one too.
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
  /** Current generation of each user in the order asked, 0 where none was ever deleted. At most USERS_PER_READ_MAX. */
  generations(tenantId: TenantId, userRefs: readonly UserRef[]): Promise<readonly number[]>;
  usage(tenantId: TenantId, month: string, partition: number): Promise<UsageRecord | undefined>;

  // Push jobs
  pushJob(tenantId: TenantId, jobId: string): Promise<PushJobRecord | undefined>;
  /** Newest first, those after `after`. At most 1,000. */
  pushJobs(
    tenantId: TenantId,
    after: PushJobPlace | null,
    limit: number,
  ): Promise<readonly PushJobRecord[]>;
  /** Of all tenants: what a coordinator goes on with after a restart. */
  openPushJobs(): Promise<readonly OpenPushJob[]>;
  /**
   * What jobs chose for these users, completed or not, oldest first, in the order asked. At most
   * USERS_PER_READ_MAX keys; a user's oldest go first beyond SENT_MARKS_PER_USER_MAX contents.
   */
  sentMarks(keys: readonly SubjectKey[]): Promise<readonly (readonly SentMarks[])[]>;
  reservation(tenantId: TenantId, reservationId: string): Promise<Reservation | undefined>;

  // Webhooks
  webhookDelivery(
    tenantId: TenantId,
    deliveryId: string,
  ): Promise<WebhookDeliveryRecord | undefined>;
  /** Newest first, those after `after`. At most 1,000. */
  webhookDeliveries(
    tenantId: TenantId,
    after: WebhookDeliveryPlace | null,
    limit: number,
  ): Promise<readonly WebhookDeliveryRecord[]>;
  /** Of all tenants: pending ones that are due, longest due first. At most 1,000. */
  dueWebhookDeliveries(nowMs: number, limit: number): Promise<readonly WebhookDeliveryRecord[]>;

  // Credits: an atomic counter that never falls below the projected usage
  /** Takes `tenths` unless a cap is set and already reached. Granted where the sum ends above the cap by this call alone. */
  takeCredits(tenantId: TenantId, month: string, tenths: number): Promise<CreditTaking>;
  /** Gives back what was taken for an answer that was not charged after all. */
  returnCredits(tenantId: TenantId, month: string, tenths: number): Promise<void>;
  creditStanding(tenantId: TenantId, month: string): Promise<CreditStanding>;

  // Short-lived
  /** Counts one request into the window of one second that `nowMs` lies in. */
  countRequest(limiterKey: string, limitPerSecond: number, nowMs: number): Promise<WindowState>;
  /** Takes a token of a bucket that holds `burst` and gains `ratePerSecond`; full at first. */
  takeToken(
    limiterKey: string,
    bucket: { readonly ratePerSecond: number; readonly burst: number },
    nowMs: number,
  ): Promise<TokenState>;
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
